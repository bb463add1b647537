"""FIDE Dutch as it was until 2026-01-31 (C.04.3 of 2017), by py4swiss."""

from typing import TYPE_CHECKING, Any

from ..record import Float, NoPairing, Pair, PairingInput, PlayerRecord, board_order
from . import last_brackets

if TYPE_CHECKING:
    from py4swiss.engines.common import ColorPreference
    from py4swiss.engines.dutch.player import Player

PINS = (
    "py4swiss==0.3.1",
    "annotated-types==0.8.0",
    "pydantic==2.14.3",
    "pydantic-core==2.50.4",
    "typing-extensions==4.16.0",
    "typing-inspection==0.4.5",
)
_TENTHS = 5
"""Tenths of a point in a half-point."""
_FLOATS: dict[Float, int] = {None: 0, "down": -1, "up": 1}


def pair(start: PairingInput) -> list[Pair]:
    """Return the pairs (white, black) of a round in the board order of C.04.2. Raises `NoPairing`.

    Black 0: the pairing-allocated bye.
    """
    return _pairs(start, last_brackets.pairer)


def pair_without_looking_ahead(start: PairingInput) -> list[Pair]:
    """Return the pairs like `pair`, but by py4swiss alone.

    In the last bracket, the bye may then go to a player who is not eligible for it (C.2).
    """
    return _pairs(start, last_brackets.plain_pairer)


def _pairs(start: PairingInput, pairer_of: last_brackets.PairerOf) -> list[Pair]:
    from py4swiss.engines.dutch.bracket import Brackets
    from py4swiss.engines.dutch.engine import Engine
    from py4swiss.engines.dutch.validity_matcher import ValidityMatcher

    players = sorted((_player(seat, start.below_nothing) for seat in start.players), reverse=True)
    matcher = ValidityMatcher(players, {(int(a), int(b)) for a, b in start.forbidden})
    if not matcher.is_valid_matching():
        raise NoPairing("no-legal-pairing")
    brackets, pairs = Brackets(players, start.round), list[Any]()
    while not brackets.is_finished():
        made = Engine._get_bracket_pairs(pairer_of(brackets, matcher, start.initial_colour == "white"))
        if made is None:
            brackets.collapse()
        else:
            brackets.apply_bracket_pairings(made)
            pairs += made
    return board_order(start, [(w.id, 0 if w == b else b.id) for w, b in pairs])


def _player(seat: PlayerRecord, more: int) -> "Player":
    """Return a player in the form of py4swiss, with ``more`` half-points added, as for all players."""
    from py4swiss.engines.common import Float as TheirFloat
    from py4swiss.engines.dutch.player import Player

    last, before = (TheirFloat(_FLOATS[one]) for one in seat.floats)
    return Player(
        id=seat.player,
        number=seat.number,
        points=(seat.score + more) * _TENTHS,
        points_with_acceleration=(seat.score + seat.virtual + more) * _TENTHS,
        color_preference=_preference(seat.colours),
        color_difference=seat.colour_difference,
        color_double=len(seat.colours) > 1 and seat.colours[-1] == seat.colours[-2],
        float_1=last,
        float_2=before,
        opponents=set(seat.met),
        colors=[colour == "w" for colour in seat.colours],
        bye_received=seat.bye_barred,
        top_scorer=seat.topscorer,
    )


def _preference(colours: str) -> "ColorPreference":
    """Return the colour preference (C.04.3 of 2017, A.6).

    ``colours``: ``w`` or ``b`` for each game. The preference is absolute if the colour difference exceeds one or the last
    two colours were equal, strong if the difference is one, mild if it is 0, and none before the first game.
    """
    from py4swiss.engines.common import ColorPreference, ColorPreferenceSide, ColorPreferenceStrength

    difference = colours.count("w") - colours.count("b")
    if not colours:
        return ColorPreference(side=ColorPreferenceSide.NONE, strength=ColorPreferenceStrength.NONE)
    if abs(difference) > 1:
        black, strength = difference > 0, ColorPreferenceStrength.ABSOLUTE
    elif colours[-2:] in ("ww", "bb"):
        black, strength = colours[-1] == "w", ColorPreferenceStrength.ABSOLUTE
    elif difference:
        black, strength = difference > 0, ColorPreferenceStrength.STRONG
    else:
        black, strength = colours[-1] == "w", ColorPreferenceStrength.MILD
    return ColorPreference(side=ColorPreferenceSide.BLACK if black else ColorPreferenceSide.WHITE, strength=strength)
