"""Answers about the lines of a log."""

from marshmallow import fields

from shared.http.openapi.answers import (
    Answer,
    EventAnswer,
    TournamentListAnswer,
)


class LineAnswer(Answer):
    seq = fields.Integer()
    event = fields.Nested(EventAnswer)


class EventsAnswer(TournamentListAnswer):
    events = fields.List(fields.Nested(LineAnswer))
