"""Answers about tables: rows, their explanations, cross tables and differences."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType, field

from shared.http.answers import (
    Answer,
    ListAnswer,
    said,
)
from shared.http.openapi.tournament_answer import TournamentAnswer


class TournamentsAnswer(ListAnswer):
    tournaments: Sequence[TournamentAnswer]


class PlacedAnswer(Answer):
    """A place in a ranking, of a player or a team."""

    id: int
    rank: int
    name: str | None
    points: float


class EncounterAnswer(Answer):
    """Direct encounter: ``points`` made against the ``opponents`` who are tied too and were met, and the ``place`` among the tied
    that this gives."""

    points: float
    opponents: Sequence[int]
    place: int


class RowAnswer(PlacedAnswer):
    tb: Mapping[str, float | None]


class RankingAnswer(Answer):
    """A table without its rows."""

    tournament: str
    seq: int
    rounds: int
    tiebreaks: Sequence[str]


class PlayerRowAnswer(RowAnswer, kw_only=True):
    """``encounters``: by code of direct encounter, for who is tied; its ``tb`` is the place."""

    encounters: Mapping[str, EncounterAnswer] | UnsetType = UNSET


class TableAnswer(RankingAnswer):
    players: Sequence[PlayerRowAnswer]


class PartAnswer(Answer, kw_only=True):
    """What one round, or one opponent, gave to a tie-break; ``cut``: why it counts nothing, ``how`` what stands in the place
    of a game. ``player``: of a team's, whose game or foul it was."""

    round: int
    player: int | UnsetType | None = UNSET
    opponent: int | None
    value: float
    score: float | None
    cut: str | None
    how: str | None
    events: Sequence[int]


class TieBreakAnswer(Answer, kw_only=True):
    """``value`` null: it does not apply here. ``counts``: what it is made of, in a sentence; ``article``: where that stands."""

    name: str
    value: float | None
    counts: str
    article: str
    encounter: EncounterAnswer | UnsetType | None = UNSET
    parts: Sequence[PartAnswer]
    events: Sequence[int]


class ExplainedAnswer(PlacedAnswer):
    """The explanation of a row, a player's or a team's."""

    tournament: str
    seq: int
    rounds_counted: int
    tiebreaks: Sequence[TieBreakAnswer]
    events: Annotated[Sequence[int], said(description="the lines that the row came from")]


class ExplainedRoundAnswer(Answer):
    """A player's round: ``annulled`` says why its result does not count."""

    round: int
    kind: str
    bye: str | None
    opponent: int | None
    side: str | None
    game: str | None
    points: float
    annulled: str | None
    events: Sequence[int]


class AdjustmentAnswer(Answer):
    points: float
    events: Sequence[int]


class ExplanationAnswer(ExplainedAnswer):
    rounds: Sequence[ExplainedRoundAnswer]
    adjustments: Sequence[AdjustmentAnswer]


class CellAnswer(Answer):
    """A round in a cross table.

    ``result`` as TRF writes it: 1 = 0 over the board, + and - by forfeit, U F H Z for byes, * open.
    """

    round: int
    opponent: int | None
    rank: int | None
    side: str | None
    result: str
    points: float
    annulled: str | None
    events: Sequence[int]


class CrossedPlayerAnswer(PlacedAnswer):
    starting_number: int | None
    rounds: Sequence[CellAnswer]
    play_off: Sequence[CellAnswer]


class CrosstableAnswer(Answer):
    tournament: str
    seq: int
    rounds: int
    players: Sequence[CrossedPlayerAnswer]


class PlaceAnswer(Answer, kw_only=True):
    """A row of a table as the difference tells it; ``encounters`` as `PlayerRowAnswer` has them."""

    rank: int
    points: float
    tb: Mapping[str, float | None]
    encounters: Mapping[str, EncounterAnswer] | UnsetType = UNSET


class CauseAnswer(Answer):
    """Why a row changed: a ``round`` or a ``ruling`` that gives other points, or an ``opponent`` who has others; ``before`` and
    ``after`` are those points, null where none were given."""

    kind: Literal["round", "ruling", "opponent"]
    round: int | None
    opponent: int | None
    game: str | None
    ruling: str | None
    before: float | None
    after: float | None


class ChangeAnswer(Answer):
    """A row that changed; ``before`` null: not entered then. One without causes moved because others did."""

    id: int
    before: PlaceAnswer | None
    after: PlaceAnswer | None
    causes: Sequence[CauseAnswer]
    events: Sequence[int]


class DifferenceAnswer(Answer):
    """``events``: the lines that the changes rest on."""

    tournament: str
    from_: int = field(name="from")
    to: int
    changes: Sequence[ChangeAnswer]
    events: Sequence[int]
