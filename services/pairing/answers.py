"""Responses of pairing: rounds, and the events of its commands."""

from collections.abc import Sequence

from shared.http.answers import WrittenAnswer
from shared.wire.answer import Answer


class AnnouncedAnswer(WrittenAnswer):
    """The response to a creation of a tournament."""

    id: str


class EnteredPlayerAnswer(Answer):
    """A registered player."""

    id: int
    starting_number: int | None


class EnteredAnswer(WrittenAnswer):
    """The response to a registration of players."""

    players: Sequence[EnteredPlayerAnswer]


class EnteredTeamAnswer(Answer):
    """A registered team."""

    id: int
    members: Sequence[int]


class TeamsWrittenAnswer(WrittenAnswer):
    """The response to a registration of teams."""

    teams: Sequence[EnteredTeamAnswer]


class BoardAnswer(Answer):
    """A board of a round."""

    board: int
    game: str
    white: int
    black: int


class ByeAnswer(Answer):
    """A bye of a round."""

    player: int
    kind: str


class AppointmentWrittenAnswer(WrittenAnswer):
    """The response to an appointment."""

    held_before: bool


class LotWrittenAnswer(WrittenAnswer):
    """The response to a draw of lots."""

    match: int | None
    winner: int
    order: Sequence[int]


class MatchAnswer(Answer):
    """A match of several boards or rounds."""

    match: int
    first: int
    second: int
    boards: Sequence[int]
    leg: int
    places: Sequence[int]


class RoundAnswer(Answer):
    """The pairing of a round."""

    round: int
    pairing: int
    boards: Sequence[BoardAnswer]
    byes: Sequence[ByeAnswer]
    stage: str
    matches: Sequence[MatchAnswer]
    groups: Sequence[Sequence[int]]


class RoundWrittenAnswer(RoundAnswer, WrittenAnswer):
    """The response to a pairing."""
