"""The rows of a proposed pairing as the form of its publication shows them, and the absent players."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from flask import request

from services.pairing.entries.absent_players import absent_players, decision_about, grants_byes, player_numbers
from services.pairing.rules.sides.seating import sides_of_board
from shared.core.events import Board, RoundPaired
from shared.core.rounds.matches import teams_meet
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId
from shared.desk.desk import Desk
from shared.web.particulars import hidden_from_reader

ANYWAY, DONE = "anyway", "done"
"""Parameters of a draft's address: absent players who are paired anyway, and players whose absence was decided last."""
MOST_NAMED = 200
"""Limit of players that one choice adds to the address: proxies reject long ones."""
_LONGEST = 60_000
"""Limit of characters in a list of players of the address."""


class Group(NamedTuple):
    """Boards of a draft under one heading: the boards of two teams that meet, or all boards (``sides``: None)."""

    sides: tuple[int, int] | None
    boards: tuple[Board, ...]


def groups_of(t: Tournament, paired: RoundPaired) -> list[Group]:
    """Return the boards of a pairing in the order of boards, those of each match together."""
    if not teams_meet(t):
        return [Group(None, paired.boards)]
    groups: dict[frozenset[int], Group] = {}
    for board in paired.boards:
        sides = sides_of_board(t, board)
        first, boards = groups.get(frozenset(sides), Group(sides, ()))
        groups[frozenset(sides)] = Group(first, (*boards, board))
    return list(groups.values())


def boards_of_one_unit(boards: Iterable[Board], units: Mapping[PlayerId, str | None]) -> dict[int, str]:
    """Return the unit of each board on which both players are from the same unit, by board."""
    same = ((b.board, units.get(b.white)) for b in boards if units.get(b.white) == units.get(b.black))
    return {board: unit for board, unit in same if unit}


class Absentee(NamedTuple):
    """A player who has not checked in, and the seat in the draft. ``board``: None without a board. ``anyway``: as chosen."""

    player: PlayerId
    board: int | None
    anyway: bool


def absences(desk: Desk, t: Tournament, n: int, paired: RoundPaired | None) -> dict[str, Any]:
    """Return what the form of round ``n`` shows of absent players to readers who may see the check-in.

    If teams meet, only the seated players count once there is a draft: a team has substitutes.
    """
    chosen, decided = (set(player_numbers(_words(name))) for name in (ANYWAY, DONE))
    if n <= t.rounds_paired() or hidden_from_reader(desk, t, ("checked_in",)):
        return {"used": True, "players": [], "done": {}, "most": 0, ANYWAY: "", "byes_there": False}
    boards = {player: b.board for b in paired.boards for player in (b.white, b.black)} if paired else {}
    missing = absent_players(t, n)
    if paired is not None and teams_meet(t):
        missing = [player for player in missing if player in boards]
    done = {player: decision_about(t, player, n) for player in sorted(decided & t.players.keys())}
    return {
        "used": bool(t.checked_in) or n > 1,
        "players": [Absentee(player, boards.get(player), player in chosen) for player in missing],
        "done": {player: words for player, words in done.items() if words is not None or player in chosen},
        "most": MOST_NAMED,
        ANYWAY: " ".join(str(player) for player in missing if player in chosen),
        "byes_there": grants_byes(t, n),
    }


def _words(name: str) -> list[str]:
    return " ".join(request.args.getlist(name))[:_LONGEST].split()
