"""Answers of proofs, and the texts beside a log."""

from marshmallow import fields

from shared.http.openapi.answers import (
    Answer,
    TournamentListAnswer,
)


class ProofAnswer(Answer):
    tournament = fields.String()
    size = fields.Integer()
    root = fields.String()
    hashes = fields.List(fields.String())


class InclusionAnswer(ProofAnswer):
    seq = fields.Integer()
    index = fields.Integer()
    leaf = fields.String()


class ConsistencyAnswer(ProofAnswer):
    old = fields.Integer()
    old_root = fields.String()


class TextAnswer(Answer):
    hash = fields.String()
    salt = fields.String()
    text = fields.String()


class TextsAnswer(TournamentListAnswer):
    texts = fields.List(fields.Nested(TextAnswer))
