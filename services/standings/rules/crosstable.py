"""The cross table: each player's way through the rounds, by rank."""

from collections.abc import Mapping
from typing import Any

from services.standings.rules.field import Field, won
from services.standings.rules.table import Table, name_of
from services.standings.rules.value import points_number
from shared.scoring import RoundScore


def crosstable(table: Table, names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The table's players with one cell a round, as a JSON object.

    A cell holds ``opponent`` (its id, null for none), ``rank`` (the opponent's), ``side``, ``result`` (a letter
    of `letter`), ``points`` and ``events``.
    """
    ranks = {row.player: row.rank for row in table.rows}
    f = table.field
    return {
        "tournament": table.tournament,
        "seq": table.seq,
        "rounds": table.rounds,
        "players": [
            {
                "id": row.player,
                "rank": row.rank,
                "name": name_of(f.tournament, row.player, names),
                "starting_number": f.tournament.players[row.player].starting_number,
                "points": points_number(row.points),
                "rounds": [
                    {
                        "round": r.round,
                        "opponent": r.opponent or None,
                        "rank": ranks.get(r.opponent),
                        "side": r.side,
                        "result": letter(f, r),
                        "points": points_number(r.points),
                        "events": sorted(f.round_events(r)),
                    }
                    for r in f.scores[row.player].rounds
                ],
            }
            for row in table.rows
        ],
    }


def letter(f: Field, r: RoundScore) -> str:
    """A round as TRF writes it: 1 = 0 over the board, + and - by forfeit, U F H Z for byes, * for an open game."""
    if r.kind == "open":
        return "*"
    if r.opponent == 0 or not r.counted:
        return r.bye or "Z"
    if r.kind == "forfeit":
        return "+" if won(r, f.points) else "-"
    return {f.points.win: "1", f.points.draw: "="}.get(r.points, "0")
