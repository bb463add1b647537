"""The explanation of a team's place: matches, boards and values, each with the events that it comes from."""

from collections.abc import Mapping
from typing import Any

from services.standings.rules.explanation import row_events
from services.standings.rules.table.table import Table, player_name
from services.standings.rules.teams.encounters import team_encounter
from services.standings.rules.teams.records import TeamField
from services.standings.rules.teams.table import TeamTable, points_of, team_name, tiebreaks_of
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.value import Part, Value, number, points_number
from shared.core.readings.team_scoring import TeamRound
from shared.core.terms import PlayerId, Seq

Names = Mapping[str, str]


def explanation(table: TeamTable, team: int, names: Names | None = None) -> dict[str, Any] | None:
    """Return the explanation of one team's row as a JSON object, or None if the team does not exist.

    It contains ``matches`` with their boards, or for 队员总分 the ``members`` with their places. ``events`` are the
    sequence numbers of all events that the row comes from, the team's entry first.
    """
    row = table.row(team)
    if row is None:
        return None
    t = table.tournament
    tiebreaks = [_tiebreak(table, team, name, value) for name, value in row.values.items()]
    if table.field is not None:
        parts = {"matches": [match(table, team, r, names) for r in table.field.records[team].rounds]}
        events = table.field.record_events(team)
    else:
        assert table.players is not None
        parts = {"members": [_member(table.players, m, names) for m in t.teams[team].members]}
        events = {t.teams[team].seq}.union(*(m["events"] for m in parts["members"]))
    return {
        "tournament": t.id,
        "seq": table.seq,
        "rounds_counted": table.rounds,
        "id": team,
        "rank": row.rank,
        "name": team_name(t, team, names),
        **points_of(table, row),
        **parts,
        "tiebreaks": tiebreaks,
        "events": sorted(events.union(*(value["events"] for value in tiebreaks))),
    }


def crosstable(table: TeamTable, names: Names | None = None) -> dict[str, Any]:
    """Return the teams by rank with one cell per match, as a JSON object. 队员总分 has no matches, and so no cells."""
    t = table.tournament
    return {
        "tournament": t.id,
        "seq": table.seq,
        "rounds": table.rounds,
        "teams": [
            {
                "id": row.team,
                "rank": row.rank,
                "name": team_name(t, row.team, names),
                **points_of(table, row),
                "matches": [] if table.field is None else [_cell(table, r) for r in table.field.records[row.team].rounds],
            }
            for row in table.rows
        ],
    }  # fmt: skip


def match(table: TeamTable, team: int, r: TeamRound, names: Names | None) -> dict[str, Any]:
    """Return a team's match with its boards."""
    field = table.field
    assert field is not None
    boards = [
        {
            "round": b.score.round,
            "board": b.board,
            "player": b.player,
            "name": player_name(table.tournament, b.player, names),
            "opponent": b.score.opponent or None,
            "side": b.score.side,
            "kind": b.score.kind,
            "game": b.score.game,
            "points": points_number(b.score.points),
            "events": sorted(field.players.round_events(b.score)),
        }
        for b in r.boards
    ]
    return _cell(table, r) | {"boards": boards}


def _cell(table: TeamTable, r: TeamRound) -> dict[str, Any]:
    assert table.field is not None
    other = table.row(r.opponent)
    return {
        "round": r.number,
        "match": r.match or None,
        "kind": r.kind,
        "opponent": r.opponent or None,
        "rank": None if other is None else other.rank,
        "side": r.side,
        "counted": r.counted,
        "points": points_number(r.match_points),
        "game_points": points_number(r.game_points),
        "events": sorted(table.field.round_events(r)),
    }


def _member(players: Table, player: PlayerId, names: Names | None) -> dict[str, Any]:
    row = players.memory.rows[player]
    name = player_name(players.field.tournament, row.player, names)
    return {"id": player, "name": name, "place": row.rank, "events": sorted(row_events(players.field, row))}


def _tiebreak(table: TeamTable, team: int, name: str, value: Value) -> dict[str, Any]:
    parts = [_part(table, team, name, p) for p in value.parts]
    known = tiebreaks_of(table.tournament)
    return {
        "name": name,
        "value": None if value.quarters is None else number(value.quarters),
        "counts": str(known.meanings[name]),
        "article": known.article(name),
        **({"encounter": team_encounter(table, team, name, value)} if known.encounter(name) else {}),
        "parts": parts,
        "events": sorted(set[Seq]().union(*(p["events"] for p in parts))),
    }


def _part(table: TeamTable, team: int, name: str, part: Part) -> dict[str, Any]:
    """Return the contribution of one match, game, place or ruling.

    ``player``: the player it belongs to, if it is one player's.
    """
    explained_part: dict[str, Any] = {
        "round": part.round,
        "player": None,
        "opponent": part.opponent or None,
        "value": number(part.quarters),
        "score": None if part.score is None else points_number(part.score),
        "cut": part.cut,
        "how": part.how,
    }
    if part.origin == "ruling":
        events = set(part.lines)
    elif table.field is None:
        assert table.players is not None
        explained_part |= {"player": part.opponent, "opponent": None}
        row = table.players.row(part.opponent)
        events = set() if row is None else row_events(table.players.field, row)
    elif part.origin == "own":
        events = {table.tournament.teams[team].seq}
    elif _counts_games(name):
        board = table.field.table_field(team).played[team][part.round - 1]
        explained_part |= {"round": board.score.round, "player": board.player}
        events = table.field.players.round_events(board.score)
        if part.origin == "entry":
            events |= table.tournament.players[part.opponent].lines
    else:
        events = _match_events(table.field.table_field(team), team, part)
    return explained_part | {"events": sorted(events)}


def _counts_games(name: str) -> bool:
    """Return whether the parts of a tie-break are single games."""
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
