"""The order of boards in a round."""

from collections.abc import Iterable

from services.pairing.rules.pairing_input import PairingInput
from shared.core.terms import PlayerId

Pair = tuple[PlayerId, PlayerId]


def board_order(start: PairingInput, pairs: Iterable[Pair]) -> list[Pair]:
    """Return pairs (white, black) in the order of boards 1, 2, … (C.04.2, 3.6). Black 0: the pairing-allocated bye.

    The order is by the score of the higher player, the sum of both scores and the starting number of the higher player,
    without the points of an acceleration. The bye is last. The player with the higher score is the higher player; if
    scores are equal, the one with the smaller number.
    """
    seats = {seat.player: seat for seat in start.players}

    def key(pair: Pair) -> tuple[bool, int, int, int]:
        both = sorted((seats[p] for p in pair if p), key=lambda seat: (-seat.score, seat.number))
        return len(both) == 1, -both[0].score, -sum(seat.score for seat in both), both[0].number

    return sorted(pairs, key=key)
