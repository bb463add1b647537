"""FIDE Dutch by gacrux, with our record of each player in place of its own calculation."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from ..record import Float, NoPairing, Pair, PairingInput, PlayerRecord, board_order
from . import compiled_matching
from .quick_gacrux import Classes, plain_classes, quick_classes

PINS = (
    "gacrux==1.11.65",
    "networkx==3.6.1",
    "py4swiss==0.3.1; sys_platform != 'linux' or platform_machine == 'x86_64'",
)
"""py4swiss only accelerates the matching."""
_AGAINST = {"white": "black", "black": "white"}


def opening_pairs(start: PairingInput) -> list[Pair] | None:
    """Return the pairs (white, black) before any game was played, or None for a round that the engine must pair.

    Black 0: pairing-allocated bye. The engine must pair if a game was played, a pair is forbidden, or players differ in
    more than their numbers.

    Equal players form one bracket, and its first candidate meets every criterion (C.04.3, 3.3). The upper half meets the
    lower half, each player the one in the same position, and the last has the bye. If the higher player of a pair has
    an odd number, that player has the initial colour (C.04.3, 5.2.5).
    """
    players = start.players
    histories = {(s.score, s.virtual, s.colours, s.met, s.floats, s.bye_barred, s.topscorer) for s in players}
    if start.forbidden or len(histories) != 1 or any(s.colours or s.met or s.bye_barred for s in players[:1]):
        return None
    half = len(players) // 2
    pairs: list[Pair] = []
    for upper, lower in zip(players[:half], players[half:], strict=False):
        side = start.initial_colour if upper.number % 2 else _AGAINST[start.initial_colour]
        pairs.append((upper.player, lower.player) if side == "white" else (lower.player, upper.player))
    return pairs + [(seat.player, 0) for seat in players[2 * half :]]


FLOAT: dict[Float, int] = {None: 0, "down": 1, "up": 2}


def pair(start: PairingInput) -> list[Pair]:
    """Return the pairs (white, black) of a round in the board order of C.04.2. Raises `NoPairing`.

    Black 0: pairing-allocated bye. The pairs before any game are those of `opening_pairs`, because gacrux would take
    long. Compiled code is used for the matching if this machine has it.
    """
    pairs = opening_pairs(start) or _pairs(
        start, quick_classes() if compiled_matching.is_available() else plain_classes()
    )
    return board_order(start, pairs)


def pair_in_own_order(start: PairingInput) -> list[Pair]:
    """Return the pairs like `pair`, on boards in gacrux's own order, for decision edition 1.

    Only gacrux and networkx are used.
    """
    return _pairs(start, plain_classes())


def _pairs(start: PairingInput, classes: Classes) -> list[Pair]:
    """Return the pairs (white, black) in gacrux's order of boards. ``classes``: its cross table and pairing classes.

    gacrux numbers its competitors 1, 2, … without gaps. Players get such numbers and are translated back. Raises
    `NoPairing`.
    """
    from gacrux.gacruxexeptions import GacruxInvariantError, GacruxNoLegalPairing

    try:
        with _pause_collection():
            brackets = _dutch(start, classes).compute_pairing(False, 0)
    except GacruxNoLegalPairing as failed:
        raise NoPairing("no-legal-pairing", str(failed)) from failed
    except GacruxInvariantError as failed:
        raise NoPairing("engine-failed", str(failed)) from failed
    pairs = sorted((p for b in brackets for p in b["pairs"]), key=lambda p: int(p["board"]))
    players = [0, *(s.player for s in start.players)]
    return [(players[p["w"]], players[p["b"]]) for p in pairs]


@contextmanager
def _pause_collection() -> Iterator[None]:
    """Turn off garbage collection for a while: a large tournament makes a hundred thousand objects that all stay in use."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _dutch(start: PairingInput, classes: Classes) -> Any:
    places: dict[int, int] = {s.player: place for place, s in enumerate(start.players, 1)}
    more = start.below_nothing
    records = {place: _record(s, place, places, more) for place, s in enumerate(start.players, 1)}
    tournament = {
        "competitors": list(records),
        "records": records,
        "numRounds": start.rounds,
        "currentRound": start.round - 1,
        "teamTournament": False,
        "topColor": start.initial_colour[0],
        "prohibited": _prohibitions(start, places),
    }
    return _with_records(classes)(tournament, start.round, {"experimental": [], "verbose": 0})


@cache
def _with_records(classes: Classes) -> type[Any]:
    return _make_class(*classes)


def _make_class(table: type[Any], pairing: type[Any]) -> type[Any]:
    """Return gacrux's class ``pairing`` with our records in place of the calculation of its cross table class ``table``."""

    class Table(table):  # type: ignore[misc]  # gacrux has no types
        def compute_tiebreak(self, tournament: Any, rnd: int) -> Any:
            return tournament["records"]

        def assign_tpn(self, competitors: Any, size: int) -> None:
            for place, record in self.cmps.items():
                competitors[place]["tpn"] = record["number"]

    class Dutch(pairing):  # type: ignore[misc]
        def get_crosstable(self, experimental: Any, checkonly: bool, verbose: int) -> Any:
            return Table(experimental, checkonly, verbose)

    return Dutch


def _prohibitions(start: PairingInput, places: dict[int, int]) -> list[dict[str, Any]]:
    return [
        {"firstRound": 1, "lastRound": start.rounds, "competitors": [places[a], places[b]]}
        for a, b in sorted(start.forbidden)
        if a in places and b in places
    ]


def _record(seat: PlayerRecord, place: int, places: dict[int, int], more: int) -> dict[str, Any]:
    """Return a player in the order of gacrux's columns: PTS ACC ACC/X RFP NUM RIP COD CSQ FLTD TOP PTS/X.

    ``place``: the player's number in gacrux; ``places``: those of all players by ID. Points are half-points plus
    ``more``, which is the same for all players, because gacrux only compares points. NUM contains the opponents met. An
    entry 0 in it bars the player from the bye.
    """
    meetings: dict[Any, int] = {i: places[o] for i, o in enumerate(seat.met) if o in places}
    if seat.bye_barred:
        meetings["bye"] = 0
    last, before = seat.floats
    values: list[dict[Any, Any]] = [
        {"val": seat.score + more},
        {"val": seat.score + seat.virtual + more},
        {"val": seat.score + seat.virtual + more},
        {"val": "Y"},
        {"val": len(seat.met)} | meetings,
        {"val": 1},
        {"val": seat.colour_difference},
        {"val": seat.colours},
        {"val": FLOAT[last] + 4 * FLOAT[before]},
        {"val": seat.topscorer},
        {"val": seat.score + more},
    ]
    return {"orgrank": place, "number": seat.number, "present": True, "tiebreakDetails": values}
