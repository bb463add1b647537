"""The records that adapters read, and the order of boards.

The types of the project are imported for the type checker only: at run time, an adapter does not need its modules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

if TYPE_CHECKING:
    from shared.core.terms import HalfPoints, PlayerId, Side

Float: TypeAlias = Literal["down", "up"] | None
Pair: TypeAlias = tuple[int, int]
"""White and black. Black 0: the pairing-allocated bye."""


class NoPairing(Exception):
    """The engine makes no pairing. ``code``: ``no-legal-pairing`` or ``engine-failed``."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code, detail)
        self.code, self.detail = code, detail


@dataclass(frozen=True, slots=True)
class PlayerRecord:
    """The record of a player to be seated, over the rounds before.

    ``number``: pairing number; its parity decides the first colour. ``score``: half-points. ``colours``: ``w`` or ``b``
    for each game played. ``met``: opponents of those games. ``floats``: of the last round and of the round before it.
    ``bye_barred``: not eligible for a pairing-allocated bye. ``topscorer``: more than half of the possible points before
    the last round. ``virtual``: half-points of an acceleration, added to the score for the pairing (C.04.7).
    """

    player: PlayerId
    number: int
    score: HalfPoints
    colours: str
    met: tuple[PlayerId, ...]
    floats: tuple[Float, Float]
    bye_barred: bool
    topscorer: bool
    virtual: HalfPoints = cast("HalfPoints", 0)

    @property
    def colour_difference(self) -> int:
        """Games with White minus games with Black (C.04.3, 1.6)."""
        return self.colours.count("w") - self.colours.count("b")


@dataclass(frozen=True, slots=True)
class PairingInput:
    """The complete input for an engine to pair a round.

    ``rounds``: number of rounds of the event. ``players``: those to be paired, by starting number. ``initial_colour``: of
    the first player in round 1. ``forbidden``: pairs who must not meet, the smaller ID first.
    """

    round: int
    rounds: int
    players: tuple[PlayerRecord, ...]
    initial_colour: Side
    forbidden: frozenset[tuple[PlayerId, PlayerId]] = frozenset()

    @property
    def below_nothing(self) -> int:
        """Half-points by which the lowest score is below 0 because of penalties, or 0.

        Engines only compare scores and accept none below 0.
        """
        return max([0, *(-min(seat.score, seat.score + seat.virtual) for seat in self.players)])


@dataclass(frozen=True, slots=True)
class MatchingInput:
    """A graph of ``nodes`` 0, 1, … to be matched. ``edges``: the smaller node, the other one, and the cost by criterion."""

    nodes: int
    edges: tuple[tuple[int, int, tuple[int, ...]], ...]


Record: TypeAlias = PairingInput | MatchingInput


def to_json(record: Record) -> dict[str, Any]:
    """Return an engine's input as a JSON object, which `from_json` reads."""
    plain = asdict(record)
    return plain | {"forbidden": sorted(plain["forbidden"])} if "forbidden" in plain else plain


def from_json(plain: Mapping[str, Any]) -> Record:
    """Return an engine's input from the JSON object that `to_json` made of it."""
    if "edges" in plain:
        return MatchingInput(plain["nodes"], tuple((a, b, tuple(cost)) for a, b, cost in plain["edges"]))
    seats = (seat | {"met": tuple(seat["met"]), "floats": tuple(seat["floats"])} for seat in plain["players"])
    players = tuple(PlayerRecord(**seat) for seat in seats)
    forbidden = frozenset(cast("tuple[PlayerId, PlayerId]", tuple(pair)) for pair in plain["forbidden"])
    return PairingInput(**{**plain, "players": players, "forbidden": forbidden})


def board_order(start: PairingInput, pairs: Iterable[Pair]) -> list[Pair]:
    """Return pairs (white, black) in the order of boards 1, 2, … (C.04.2, 3.6). Black 0: the pairing-allocated bye.

    ``start``: the players' records before the round. The order is by the score of the higher player, the sum of both
    scores and the pairing number of the higher player. Points of an acceleration do not count here. The bye is last. The
    higher player of a pair has the higher score or, if scores are equal, the smaller pairing number.
    """
    seats: dict[int, PlayerRecord] = {seat.player: seat for seat in start.players}

    def key(pair: Pair) -> tuple[bool, int, int, int]:
        both = sorted((seats[p] for p in pair if p), key=lambda seat: (-seat.score, seat.number))
        return len(both) == 1, -both[0].score, -sum(seat.score for seat in both), both[0].number

    return sorted(pairs, key=key)
