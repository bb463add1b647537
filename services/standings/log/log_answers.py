"""Answers about the lines of a log."""

from collections.abc import Sequence

from shared.http.answers import (
    Answer,
    LogLine,
    TournamentListAnswer,
)


class LineAnswer(Answer):
    seq: int
    event: LogLine


class EventsAnswer(TournamentListAnswer):
    events: Sequence[LineAnswer]
