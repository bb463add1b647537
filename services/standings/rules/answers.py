"""Tables as they are answered: rows, their explanations, cross tables and differences, of players and of teams."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import UNSET, UnsetType, field

from shared.wire.answer import Answer, RowEvents, said


class PlacedAnswer(Answer, kw_only=True):
    """A player or team with a rank."""

    id: int
    rank: int
    name: str | None


class ScoredAnswer(PlacedAnswer, kw_only=True):
    """A team with its rank and its score."""

    points: float | UnsetType = UNSET
    game_points: float | UnsetType = UNSET
    places: float | UnsetType = UNSET

    @property
    def by_places(self) -> bool:
        """Return whether teams are ranked by the sum of their members' places, and not by matches."""
        return self.places is not UNSET


class TableHeadAnswer(Answer, kw_only=True):
    """A table without its rows."""

    tournament: str
    seq: int
    rounds: Annotated[int, said(deprecated=True, description="Deprecated: use `rounds_counted`.")]
    rounds_counted: int | UnsetType = UNSET


class RankingAnswer(TableHeadAnswer, kw_only=True):
    """Standings without their rows."""

    tiebreaks: Sequence[str]


class EncounterAnswer(Answer, kw_only=True):
    """The direct encounter of a tied player."""

    points: float
    opponents: Sequence[int]
    place: int


class PlayerRowAnswer(PlacedAnswer, kw_only=True):
    """A row of the standings of players."""

    points: float
    tb: Mapping[str, float | None]
    encounters: Mapping[str, EncounterAnswer] | UnsetType = UNSET


class TableAnswer(RankingAnswer, kw_only=True):
    """The standings of players."""

    players: Sequence[PlayerRowAnswer]


class TeamEncounterAnswer(EncounterAnswer, kw_only=True):
    """The direct encounter of a tied team."""

    game_points: float | UnsetType = UNSET


class TeamRowAnswer(ScoredAnswer, kw_only=True):
    """A row of the team standings."""

    members: Sequence[int]
    tb: Mapping[str, float | None]
    encounters: Mapping[str, TeamEncounterAnswer] | UnsetType = UNSET


class TeamTableAnswer(RankingAnswer, kw_only=True):
    """The team standings."""

    teams: Sequence[TeamRowAnswer]


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


class TeamTieBreakAnswer(TieBreakAnswer, kw_only=True):
    """A tie-break of a team."""

    encounter: TeamEncounterAnswer | UnsetType | None = UNSET
    parts: Sequence[PartAnswer]
    events: Sequence[int]


class ExplainedAnswer(Answer, kw_only=True):
    """The first members of the explanation of a row."""

    tournament: str
    seq: int
    rounds_counted: int
    id: int
    rank: int
    name: str | None


class ExplainedRoundAnswer(Answer, kw_only=True):
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


class ExplanationAnswer(ExplainedAnswer, kw_only=True):
    """The explanation of a row of the standings of players."""

    points: float
    rounds: Sequence[ExplainedRoundAnswer]
    adjustments: Sequence[AdjustmentAnswer]
    tiebreaks: Sequence[TieBreakAnswer]
    events: RowEvents


class MatchCellAnswer(Answer, kw_only=True):
    """A team's match in a cross table."""

    round: int
    match: int | None
    kind: str
    opponent: int | None
    rank: int | None
    side: str | None
    counted: bool
    points: float
    game_points: float
    events: Sequence[int]


class MatchBoardAnswer(Answer, kw_only=True):
    """A board of a team's match."""

    round: int
    board: int
    player: int
    name: str | None
    opponent: int | None
    side: str | None
    kind: str
    game: str | None
    points: float
    events: Sequence[int]


class PlayedMatchAnswer(MatchCellAnswer, kw_only=True):
    """A team's match with its boards."""

    boards: Sequence[MatchBoardAnswer]


class MemberAnswer(Answer):
    """A member of a team, with their place."""

    id: int
    name: str | None
    place: int
    events: Sequence[int]


class TeamExplanationAnswer(ExplainedAnswer, kw_only=True):
    """The explanation of a row of the team standings."""

    points: float | UnsetType = UNSET
    game_points: float | UnsetType = UNSET
    places: float | UnsetType = UNSET
    matches: Sequence[PlayedMatchAnswer] | UnsetType = UNSET
    members: Sequence[MemberAnswer] | UnsetType = UNSET
    tiebreaks: Sequence[TeamTieBreakAnswer]
    events: RowEvents


class CellAnswer(Answer, kw_only=True):
    """A round of a player in a cross table."""

    round: int
    opponent: int | None
    rank: int | None
    side: str | None
    result: str
    points: float
    annulled: str | None
    events: Sequence[int]


class CrossedPlayerAnswer(PlacedAnswer, kw_only=True):
    """A row of the cross table."""

    starting_number: int | None
    points: float
    rounds: Sequence[CellAnswer]
    play_off: Sequence[CellAnswer]


class CrosstableAnswer(TableHeadAnswer, kw_only=True):
    """The cross table of players."""

    players: Sequence[CrossedPlayerAnswer]


class CrossedTeamAnswer(ScoredAnswer, kw_only=True):
    """A row of the cross table of teams."""

    matches: Sequence[MatchCellAnswer]


class TeamCrosstableAnswer(TableHeadAnswer, kw_only=True):
    """The cross table of teams."""

    teams: Sequence[CrossedTeamAnswer]


class PlaceAnswer(Answer, kw_only=True):
    """A row of the standings at one log position."""

    rank: int
    points: float
    tb: Mapping[str, float | None]
    encounters: Mapping[str, EncounterAnswer] | UnsetType = UNSET


class CauseAnswer(Answer, kw_only=True):
    """A cause of a change of the standings."""

    kind: Literal["round", "ruling", "opponent"]
    round: int | None = None
    opponent: int | None = None
    game: str | None = None
    ruling: str | None = None
    before: float | None
    after: float | None


class ChangeAnswer(Answer):
    """A row of the standings that changed."""

    id: int
    before: PlaceAnswer | None
    after: PlaceAnswer
    causes: Sequence[CauseAnswer]
    events: Sequence[int]


class DifferenceAnswer(Answer, kw_only=True):
    """The changes of the standings between two log positions."""

    tournament: str
    from_: int = field(name="from")
    to: int
    changes: Sequence[ChangeAnswer]
    events: Sequence[int]
