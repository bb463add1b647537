"""The round of players of whom nobody has played: the order of starting numbers alone decides it."""

from services.pairing.rules.pairing_input import PairingInput
from shared.core.terms import PlayerId, Side

_AGAINST: dict[Side, Side] = {"white": "black", "black": "white"}


def opening_pairs(start: PairingInput) -> list[tuple[PlayerId, PlayerId]] | None:
    """(white, black), black 0 for the pairing-allocated bye; None where players differ in more than their numbers.

    They are one bracket, and its first candidate meets every criterion (C.04.3, 3.3): the upper half meets the lower, each
    the one of the same place there, and the last has the bye. Of a pair whose higher player has an odd number, that one has
    the initial colour (C.04.3, 5.2.5).
    """
    players = start.players
    histories = {(s.score, s.virtual, s.colours, s.met, s.floats, s.bye_barred, s.topscorer) for s in players}
    if start.forbidden or len(histories) != 1 or any(s.colours or s.met or s.bye_barred for s in players[:1]):
        return None
    half, pairs = len(players) // 2, []
    for upper, lower in zip(players[:half], players[half:], strict=False):
        side = start.initial_colour if upper.number % 2 else _AGAINST[start.initial_colour]
        pairs.append((upper.player, lower.player) if side == "white" else (lower.player, upper.player))
    return pairs + [(seat.player, PlayerId(0)) for seat in players[2 * half :]]
