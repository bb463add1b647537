"""Competitions of every format, told to the end: the office, and what its rounds came to."""

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from services.pairing.rules.commands import DrawLots
from shared import regulations
from shared.core import events as ev
from shared.core.rounds.matches import matches
from shared.core.terms import GAMES, STANDINGS, Refusal
from tests.rules.pairing_story import CHIEF, MARKS, Office

CAMPUS = regulations.load("campus")
Says = Callable[[ev.Board], str]


def by_number(board: ev.Board) -> str:
    """The smaller number wins."""
    return "1-0" if board.white < board.black else "0-1"


def play_round(office: Office, says: Says = by_number) -> ev.RoundPaired:
    """The next round by its format, with a result on every board."""
    paired = office.pair()
    for board in paired.boards:
        if office.t.setting(office.t.games[board.game]) is None:
            office.told(GAMES, ev.ResultReported(board.game, *MARKS[says(board)]))
    return paired


def play_out(office: Office, says: Says = by_number) -> list[ev.RoundPaired]:
    """All rounds there are, with lots for matches that stay drawn."""
    played: list[ev.RoundPaired] = []
    while True:
        answer = office.world.decide("/services/pairing", office.by_engine())
        if isinstance(answer, Refusal):
            if answer.code == "no-round-left":
                return played
            assert answer.code == "match-drawn", answer
            for match in [m.match for m in matches(office.t).values() if not m.over]:
                office.do(DrawLots(CHIEF, match, 5))
            continue
        played.append(play_round(office, says))


def publish(office: Office, *order: Iterable[int]) -> None:
    """The table so far; each argument shares a place."""
    places = tuple(tuple(place) for place in order)
    told = ev.StandingsPublished((), "2026", office.t.rounds_paired(), False, order=places)
    office.told(STANDINGS, told)


def met(rounds: Iterable[ev.RoundPaired]) -> list[frozenset[int]]:
    return [frozenset((b.white, b.black)) for r in rounds for b in r.boards]


def colours(rounds: Iterable[ev.RoundPaired], player: int) -> str:
    """w and b of a player's games, one after the other."""
    seats = ((b.white, b.black) for r in rounds for b in r.boards)
    return "".join("w" if white == player else "b" for white, black in seats if player in (white, black))


def longest(said: str) -> int:
    """The longest run of the same colour."""
    run = best = 1
    for one, other in pairwise(said):
        run = run + 1 if one == other else 1
        best = max(best, run)
    return best


def office(players: int, format: Any, rounds: int = 0, **said: Any) -> Office:
    """A competition by the campus event's regulations, with seed 7 for every lot."""
    return Office(players, rounds, format, seed=7, rules=CAMPUS, **said)
