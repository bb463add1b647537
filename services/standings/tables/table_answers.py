"""Answers about tables: rows, their explanations, cross tables and differences."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType, field

from shared.http.answers import (
    Answer,
    ListAnswer,
    said,
)
from shared.http.common_routes import TournamentAnswer


class TournamentsAnswer(ListAnswer):
    """A page of the list of tournaments."""

    tournaments: Sequence[TournamentAnswer]


class PlacedAnswer(Answer):
    """A player or team with a rank."""

    id: int
    rank: int
    name: str | None
    points: float


class EncounterAnswer(Answer):
    """The direct encounter of a tied player."""

    points: float
    opponents: Sequence[int]
    place: int


class RowAnswer(PlacedAnswer):
    """A row of the standings."""

    tb: Mapping[str, float | None]


class RankingAnswer(Answer):
    """Standings without their rows."""

    tournament: str
    seq: int
    rounds: int
    tiebreaks: Sequence[str]


class PlayerRowAnswer(RowAnswer, kw_only=True):
    """A row of the standings of players."""

    encounters: Mapping[str, EncounterAnswer] | UnsetType = UNSET


class TableAnswer(RankingAnswer):
    """The standings of players."""

    players: Sequence[PlayerRowAnswer]


class PartAnswer(Answer, kw_only=True):
    """The part of a tie-break that one round or one opponent contributes."""

    round: int
    player: int | UnsetType | None = UNSET
    opponent: int | None
    value: float
    score: float | None
    cut: str | None
    how: str | None
    events: Sequence[int]


class TieBreakAnswer(Answer, kw_only=True):
    """A tie-break and the parts that it is computed from."""

    name: str
    value: float | None
    counts: str
    article: str
    encounter: EncounterAnswer | UnsetType | None = UNSET
    parts: Sequence[PartAnswer]
    events: Sequence[int]


class ExplainedAnswer(PlacedAnswer):
    """The explanation of a row of the standings."""

    tournament: str
    seq: int
    rounds_counted: int
    tiebreaks: Sequence[TieBreakAnswer]
    events: Annotated[Sequence[int], said(description="Sequence numbers of the events that the row is computed from.")]


class ExplainedRoundAnswer(Answer):
    """A round of a player."""

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
    """Points that a ruling added or deducted."""

    points: float
    events: Sequence[int]


class ExplanationAnswer(ExplainedAnswer):
    """The explanation of a row of the standings of players."""

    rounds: Sequence[ExplainedRoundAnswer]
    adjustments: Sequence[AdjustmentAnswer]


class CellAnswer(Answer):
    """A round of a player in a cross table."""

    round: int
    opponent: int | None
    rank: int | None
    side: str | None
    result: str
    points: float
    annulled: str | None
    events: Sequence[int]


class CrossedPlayerAnswer(PlacedAnswer):
    """A row of the cross table."""

    starting_number: int | None
    rounds: Sequence[CellAnswer]
    play_off: Sequence[CellAnswer]


class CrosstableAnswer(Answer):
    """The cross table of players."""

    tournament: str
    seq: int
    rounds: int
    players: Sequence[CrossedPlayerAnswer]


class PlaceAnswer(Answer, kw_only=True):
    """A row of the standings at one log position."""

    rank: int
    points: float
    tb: Mapping[str, float | None]
    encounters: Mapping[str, EncounterAnswer] | UnsetType = UNSET


class CauseAnswer(Answer):
    """A cause of a change of the standings."""

    kind: Literal["round", "ruling", "opponent"]
    round: int | None
    opponent: int | None
    game: str | None
    ruling: str | None
    before: float | None
    after: float | None


class ChangeAnswer(Answer):
    """A row of the standings that changed."""

    id: int
    before: PlaceAnswer | None
    after: PlaceAnswer | None
    causes: Sequence[CauseAnswer]
    events: Sequence[int]


class DifferenceAnswer(Answer):
    """The changes of the standings between two log positions."""

    tournament: str
    from_: int = field(name="from")
    to: int
    changes: Sequence[ChangeAnswer]
    events: Sequence[int]
