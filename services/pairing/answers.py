"""What pairing answers: rounds, and what its commands wrote."""

from collections.abc import Sequence

from shared.http.answers import Answer, WrittenAnswer


class AnnouncedAnswer(WrittenAnswer):
    id: str


class EnteredPlayerAnswer(Answer):
    id: int
    starting_number: int | None


class EnteredAnswer(WrittenAnswer):
    players: Sequence[EnteredPlayerAnswer]


class EnteredTeamAnswer(Answer):
    id: int
    members: Sequence[int]


class TeamsWrittenAnswer(WrittenAnswer):
    teams: Sequence[EnteredTeamAnswer]


class BoardAnswer(Answer):
    board: int
    game: str
    white: int
    black: int


class ByeAnswer(Answer):
    player: int
    kind: str


class AppointmentWrittenAnswer(WrittenAnswer):
    """``held_before``: the office was held already, so that no line had to say so."""

    held_before: bool


class LotWrittenAnswer(WrittenAnswer):
    """``winner``: the entry or team that the lots gave the match to; ``order``: of equals, as the lots part them."""

    match: int | None
    winner: int
    order: Sequence[int]


class MatchAnswer(Answer):
    match: int
    first: int
    second: int
    boards: Sequence[int]
    leg: int
    places: Sequence[int]


class RoundAnswer(Answer):
    """``matches``: where two meet on several boards or over several rounds; ``stage`` the part of the competition."""

    round: int
    pairing: int
    boards: Sequence[BoardAnswer]
    byes: Sequence[ByeAnswer]
    stage: str
    matches: Sequence[MatchAnswer]
    groups: Sequence[Sequence[int]]


class RoundWrittenAnswer(RoundAnswer, WrittenAnswer):
    """A pairing as it was written."""
