"""What standings answers of teams."""

from collections.abc import Mapping, Sequence

from msgspec import UNSET, UnsetType

from services.standings.tables.table_answers import (
    EncounterAnswer,
    ExplainedAnswer,
    PlacedAnswer,
    RankingAnswer,
    RowAnswer,
    TieBreakAnswer,
)
from shared.http.answers import Answer


class TeamEncounterAnswer(EncounterAnswer, kw_only=True):
    """``opponents`` are teams. ``game_points``: of extended direct encounter (C.07 13.3), whose ``points`` are match points."""

    game_points: float | UnsetType = UNSET


class TeamRowAnswer(RowAnswer, kw_only=True):
    """``points`` are match points; ``places`` stands in their place where members' places are summed up. ``encounters``: by code
    of direct encounter, for who is tied; its ``tb`` is the place."""

    points: float | UnsetType = UNSET  # type: ignore[assignment]  # a table by places has no points
    game_points: float | UnsetType = UNSET
    places: float | UnsetType = UNSET
    members: Sequence[int]
    encounters: Mapping[str, TeamEncounterAnswer] | UnsetType = UNSET


class TeamTableAnswer(RankingAnswer):
    teams: Sequence[TeamRowAnswer]


class MatchCellAnswer(Answer):
    """A team's match; ``counted``: its result counts."""

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


class MatchBoardAnswer(Answer):
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


class PlayedMatchAnswer(MatchCellAnswer):
    boards: Sequence[MatchBoardAnswer]


class MemberAnswer(Answer):
    id: int
    name: str | None
    place: int
    events: Sequence[int]


class TeamTieBreakAnswer(TieBreakAnswer, kw_only=True):
    encounter: TeamEncounterAnswer | UnsetType | None = UNSET


class TeamExplanationAnswer(ExplainedAnswer, kw_only=True):
    """``matches`` with their boards, or of 队员总分 the ``members`` with their places."""

    points: float | UnsetType = UNSET  # type: ignore[assignment]  # a table by places has no points
    game_points: float | UnsetType = UNSET
    places: float | UnsetType = UNSET
    tiebreaks: Sequence[TeamTieBreakAnswer]
    matches: Sequence[PlayedMatchAnswer] | UnsetType = UNSET
    members: Sequence[MemberAnswer] | UnsetType = UNSET


class CrossedTeamAnswer(PlacedAnswer, kw_only=True):
    points: float | UnsetType = UNSET  # type: ignore[assignment]  # a table by places has no points
    game_points: float | UnsetType = UNSET
    places: float | UnsetType = UNSET
    matches: Sequence[MatchCellAnswer]


class TeamCrosstableAnswer(Answer):
    tournament: str
    seq: int
    rounds: int
    teams: Sequence[CrossedTeamAnswer]
