"""The explanation of a team's place: matches, boards and values, each with the events that it comes from."""

from collections.abc import Mapping, Set

from msgspec import UNSET, UnsetType
from msgspec.structs import asdict

from services.standings.rules.answers import (
    CrossedTeamAnswer,
    MatchBoardAnswer,
    MatchCellAnswer,
    MemberAnswer,
    PartAnswer,
    PlayedMatchAnswer,
    TeamCrosstableAnswer,
    TeamEncounterAnswer,
    TeamExplanationAnswer,
    TeamTableAnswer,
    TeamTieBreakAnswer,
)
from services.standings.rules.encounters import encounter, points_made
from services.standings.rules.explanation import part_answer, row_events
from services.standings.rules.table.table import Table, player_name
from services.standings.rules.teams.records import TeamField
from services.standings.rules.teams.table import TeamTable, points_of, team_name, team_table_answer, tiebreaks_of
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.direct_encounter import mutual_parts
from services.standings.rules.tiebreaks.registry import apply_modifiers
from services.standings.rules.tiebreaks.value import Part, Value, number, points_number
from shared.core.readings.team_scoring import TeamRound
from shared.core.terms import PlayerId, Seq
from shared.wire.answer import answer_of


def team_encounter(table: TeamTable, team: int, code: str, value: Value) -> TeamEncounterAnswer | None:
    """Return the API object for a team's value of the direct encounter with this ``code``, or None if it is undefined.

    If it is extended (C.07 13.3), ``points`` are match points, and ``game_points`` those made against the same
    opponents.
    """
    known, met = tiebreaks_of(table.tournament), encounter(value)
    if met is None:
        return None
    shown = TeamEncounterAnswer(points=met.points, opponents=met.opponents, place=met.place)
    if known.encounter(code) == "extended":
        assert table.field is not None, "such a tie-break is of matches"
        scored = apply_modifiers(table.field.table_field(team).game, known[code].code)
        shown.game_points = points_made(mutual_parts(scored, PlayerId(team), list(map(PlayerId, met.opponents))))
    return shown


def add_team_encounters(table: TeamTable, names: Mapping[str, str] | None = None) -> TeamTableAnswer:
    """Return the team standings as an API answer, with ``encounters`` in rows with direct encounters.

    ``names``: by text hash.
    """
    answer, known = team_table_answer(table, names), tiebreaks_of(table.tournament)
    for row, shown in zip(table.rows, answer.teams, strict=True):
        values = {code: value for code, value in row.values.items() if known.encounter(code)}
        met = {code: team_encounter(table, row.team, code, value) for code, value in values.items()}
        shown.encounters = {code: one for code, one in met.items() if one is not None} or UNSET
    return answer


Names = Mapping[str, str]


def explanation(table: TeamTable, team: int, names: Names | None = None) -> TeamExplanationAnswer | None:
    """Return the explanation of one team's row, or None if the team does not exist.

    It contains ``matches`` with their boards, or for 队员总分 the ``members`` with their places. ``events`` are the
    sequence numbers of all events that the row comes from, the team's entry first.
    """
    row = table.row(team)
    if row is None:
        return None
    t = table.tournament
    tiebreaks = [_tiebreak(table, team, name, value) for name, value in row.values.items()]
    matches: list[PlayedMatchAnswer] | UnsetType = UNSET
    members: list[MemberAnswer] | UnsetType = UNSET
    events: Set[int]
    if table.field is not None:
        matches = [match(table, team, r, names) for r in table.field.records[team].rounds]
        events = table.field.record_events(team)
    else:
        assert table.players is not None
        members = [_member(table.players, m, names) for m in t.teams[team].members]
        events = {t.teams[team].seq, *(seq for member in members for seq in member.events)}
    return TeamExplanationAnswer(
        tournament=t.id,
        seq=table.seq,
        rounds_counted=table.rounds,
        id=team,
        rank=row.rank,
        name=team_name(t, team, names),
        **points_of(table, row),
        matches=matches,
        members=members,
        tiebreaks=tiebreaks,
        events=sorted({*events, *(seq for value in tiebreaks for seq in value.events)}),
    )


def crosstable(table: TeamTable, names: Names | None = None) -> TeamCrosstableAnswer:
    """Return the cross table of teams: the teams by rank, each with one cell per match. Without cells for 队员总分."""
    t, records = table.tournament, {} if table.field is None else table.field.records
    teams = [
        CrossedTeamAnswer(
            id=row.team,
            rank=row.rank,
            name=team_name(t, row.team, names),
            **points_of(table, row),
            matches=[_cell(table, r) for r in (records[row.team].rounds if records else ())],
        )
        for row in table.rows
    ]
    return TeamCrosstableAnswer(tournament=t.id, seq=table.seq, rounds=table.rounds, teams=teams)


def match(table: TeamTable, team: int, r: TeamRound, names: Names | None) -> PlayedMatchAnswer:
    """Return the API object for the match ``r`` of a team, with its boards. ``names``: by text hash."""
    field = table.field
    assert field is not None
    boards = [
        answer_of(
            MatchBoardAnswer,
            b.score,
            board=b.board,
            player=b.player,
            name=player_name(table.tournament, b.player, names),
            opponent=b.score.opponent or None,
            points=points_number(b.score.points),
            events=sorted(field.players.round_events(b.score)),
        )
        for b in r.boards
    ]
    return PlayedMatchAnswer(**asdict(_cell(table, r)), boards=boards)


def _cell(table: TeamTable, r: TeamRound) -> MatchCellAnswer:
    assert table.field is not None
    other = table.row(r.opponent)
    return answer_of(
        MatchCellAnswer,
        r,
        round=r.number,
        match=r.match or None,
        opponent=r.opponent or None,
        rank=None if other is None else other.rank,
        points=points_number(r.match_points),
        game_points=points_number(r.game_points),
        events=sorted(table.field.round_events(r)),
    )


def _member(players: Table, player: PlayerId, names: Names | None) -> MemberAnswer:
    row = players.memory.rows[player]
    name = player_name(players.field.tournament, row.player, names)
    return MemberAnswer(player, name, row.rank, sorted(row_events(players.field, row)))


def _tiebreak(table: TeamTable, team: int, name: str, value: Value) -> TeamTieBreakAnswer:
    parts = [_part(table, team, name, p) for p in value.parts]
    known = tiebreaks_of(table.tournament)
    return TeamTieBreakAnswer(
        name=name,
        value=None if value.quarters is None else number(value.quarters),
        counts=str(known.meanings[name]),
        article=known.article(name),
        encounter=team_encounter(table, team, name, value) if known.encounter(name) else UNSET,
        parts=parts,
        events=sorted(set[int]().union(*(p.events for p in parts))),
    )


def _part(table: TeamTable, team: int, name: str, part: Part) -> PartAnswer:
    """Return the API object for one part of a team's tie-break: a match, a game, a member's place, or a ruling.

    Its ``player`` is the member whose game or place it is, or None. ``name``: the code of the tie-break.
    """
    explained_part = part_answer(part, ())
    explained_part.player = None
    if part.origin == "ruling":
        events = set(part.lines)
    elif table.field is None:
        assert table.players is not None
        explained_part.player, explained_part.opponent = part.opponent, None
        row = table.players.row(part.opponent)
        events = set() if row is None else row_events(table.players.field, row)
    elif part.origin == "own":
        events = {table.tournament.teams[team].seq}
    elif _counts_games(name):
        board = table.field.table_field(team).played[team][part.round - 1]
        explained_part.round, explained_part.player = board.score.round, board.player
        events = table.field.players.round_events(board.score)
        if part.origin == "entry":
            events |= table.tournament.players[part.opponent].lines
    else:
        events = _match_events(table.field.table_field(team), team, part)
    explained_part.events = sorted(events)
    return explained_part


def _counts_games(name: str) -> bool:
    """Return whether the parts of the tie-break with this code are single games of players, not matches."""
    tiebreak = TEAM_TIEBREAKS[name]
    return tiebreak.row.of_games(tiebreak.code)


def _match_events(field: TeamField, team: int, part: Part) -> set[Seq]:
    events = field.round_events(field.round_of(team, part.round))
    if part.origin in ("record", "opponents"):
        events |= field.record_events(part.opponent or team)
    if part.origin == "opponents":
        for r in field.records[part.opponent].rounds:
            events |= field.record_events(r.opponent) if r.opponent else set()
    return events
