"""The answer of a preview."""

from typing import ClassVar

from marshmallow import fields

from services.standings.tables.table_answers import DifferenceAnswer
from shared.http.openapi.answers import (
    Answer,
    OutdatedBasisAnswer,
)
from shared.http.openapi.event_answers import EventTypes


class ForeseenEventAnswer(Answer):
    """An event as it would be written, without its line's number, time and signature; ``sentence`` says it in words."""

    EVENTS: ClassVar[EventTypes] = "official"

    type = fields.String()
    source = fields.String()
    actor = fields.String()
    role = fields.String()
    data = fields.Dict()
    sentence = fields.String()


class ForeseenLineAnswer(Answer):
    """A line of a score sheet as it would be written."""

    EVENTS: ClassVar[EventTypes] = "sheets"

    type = fields.String()
    data = fields.Dict()


class PreviewAnswer(Answer):
    """``events``: those of the command, then those of the commands that it brings due; ``lines``: those of the score sheet.
    ``open``: 0; kept for clients of 1.0. ``table``: the rows that change, as `GET …/diff` tells
    them; null where there is no table. ``seq``: the line that all is decided on.
    ``out_of_force``: rulings that would be annulled or lapse; ``in_force_again``: those that would be in force again.
    ``outdated``: pairings and tables that the command would contradict."""

    tournament = fields.String()
    seq = fields.Integer()
    events = fields.List(fields.Nested(ForeseenEventAnswer))
    lines = fields.List(fields.Nested(ForeseenLineAnswer))
    open = fields.Integer()
    table = fields.Nested(DifferenceAnswer, allow_none=True)
    out_of_force = fields.List(fields.String())
    in_force_again = fields.List(fields.String())
    outdated = fields.List(fields.Nested(OutdatedBasisAnswer))
