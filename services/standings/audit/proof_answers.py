"""Answers of proofs, and the texts beside a log."""

from collections.abc import Sequence

from shared.http.answers import (
    Answer,
    TournamentListAnswer,
)


class ProofAnswer(Answer):
    tournament: str
    size: int
    root: str
    hashes: Sequence[str]


class InclusionAnswer(ProofAnswer):
    seq: int
    index: int
    leaf: str


class ConsistencyAnswer(ProofAnswer):
    old: int
    old_root: str


class TextAnswer(Answer):
    hash: str
    salt: str
    text: str


class TextsAnswer(TournamentListAnswer):
    texts: Sequence[TextAnswer]
