"""The answer of a preview."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from services.standings.tables.table_answers import DifferenceAnswer
from shared.http.answers import (
    Answer,
    EventTypes,
    OutdatedBasisAnswer,
)


class ForeseenEventAnswer(Answer):
    """An event as it would be written, without its line's number, time and signature; ``sentence`` says it in words."""

    EVENTS: ClassVar[EventTypes] = "official"

    type: str
    source: str
    actor: str
    role: str
    data: Mapping[str, Any]
    sentence: str


class ForeseenLineAnswer(Answer):
    """A line of a score sheet as it would be written."""

    EVENTS: ClassVar[EventTypes] = "sheets"

    type: str
    data: Mapping[str, Any]


class PreviewAnswer(Answer):
    """``events``: those of the command, then those of the commands that it brings due; ``lines``: those of the score sheet.
    ``open``: 0; kept for clients of 1.0. ``table``: the rows that change, as `GET …/diff` tells
    them; null where there is no table. ``seq``: the line that all is decided on.
    ``out_of_force``: rulings that would be annulled or lapse; ``in_force_again``: those that would be in force again.
    ``outdated``: pairings and tables that the command would contradict."""

    tournament: str
    seq: int
    events: Sequence[ForeseenEventAnswer]
    lines: Sequence[ForeseenLineAnswer]
    open: int
    table: DifferenceAnswer | None
    out_of_force: Sequence[str]
    in_force_again: Sequence[str]
    outdated: Sequence[OutdatedBasisAnswer]
