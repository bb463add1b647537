"""The bracket before the last one by the Dutch rules of 2017 (C.04.3, C.7), with the bye that py4swiss forgets.

The result of the following bracket is considered before the downfloaters are chosen. If that bracket is the last, one
of its players may be left over, but only a player eligible for the bye (C.2). py4swiss leaves over any player.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from py4swiss.engines.dutch.bracket import BracketPairer, Brackets
    from py4swiss.engines.dutch.validity_matcher import ValidityMatcher

PairerOf = Callable[["Brackets", "ValidityMatcher", bool], "BracketPairer"]
"""Makes the pairer of the current bracket.

Arguments: all brackets, players still to be paired, whether White was drawn first.
"""
_MARGIN = 4
"""Bits that the matching needs in addition to those of the largest weight."""


def pairer(brackets: "Brackets", validity: "ValidityMatcher", white_first: bool) -> "BracketPairer":
    """Return the pairer of the current bracket, which also leaves the bye to an eligible player.

    ``brackets``: all brackets. ``validity``: checks who can still be paired. ``white_first``: the initial colour is White.
    """
    current = brackets.get_current_bracket()
    made = plain_pairer(brackets, validity, white_first)
    if len(brackets._brackets) - brackets._index == 2 and not current.penultimate_pairing_bracket:
        made._bracket_matcher = _matcher()(current, validity)
    return made


def plain_pairer(brackets: "Brackets", validity: "ValidityMatcher", white_first: bool) -> "BracketPairer":
    """Return py4swiss's own pairer of the current bracket, which does not check who is eligible for the bye."""
    from py4swiss.engines.dutch.bracket import BracketPairer

    return BracketPairer(brackets.get_current_bracket(), validity, white_first)


@cache
def _matcher() -> Any:
    """Return the matching class for the bracket before the last one.

    Imported late, because py4swiss does not have a build for every machine.
    """
    from py4swiss.engines.dutch.bracket.bracket_matcher import BracketMatcher
    from py4swiss.engines.dutch.criteria import QUALITY_CRITERIA
    from py4swiss.engines.dutch.criteria.quality import C7
    from py4swiss.engines.dutch.player import PlayerRole

    def room(bracket: Any) -> int:
        everybody = len(bracket.mdp_list) + len(bracket.resident_list) + len(bracket.lower_list)
        return (3 * everybody).bit_length()

    class Complete(C7):  # type: ignore[misc]  # py4swiss has no types
        """Criterion C.7 if the following bracket is the last.

        As many pairs as possible are made, and they include all players who are not eligible for the bye.
        """

        @classmethod
        def get_shift(cls, bracket: Any) -> int:
            shift: int = room(bracket) + bracket.score_difference_total_bits
            return shift

        @classmethod
        def get_weight(cls, player_1: Any, player_2: Any, zero: Any, bracket: Any) -> Any:
            differences = super().get_weight(player_1, player_2, zero, bracket)
            lower = (zero | int(player_2.role == PlayerRole.LOWER)) << bracket.score_difference_total_bits
            paired = zero | (1 + player_1.bye_received + player_2.bye_received)
            return differences - lower + (paired << bracket.score_difference_total_bits)

    criteria = tuple(Complete if criterion is C7 else criterion for criterion in QUALITY_CRITERIA)

    class Matcher(BracketMatcher):  # type: ignore[misc]
        """The matcher of py4swiss with `Complete` in place of criterion C.7."""

        def _get_max_weight(self) -> Any:
            weight = super()._get_max_weight()
            weight.shift_grow(room(self._bracket) + _MARGIN)
            weight >>= _MARGIN
            return weight

        def _get_weight(self, player_1: Any, player_2: Any) -> Any:
            weight = self._zero_weight & 0
            if not self._validity_matcher.is_allowed_pair(player_1, player_2):
                return weight
            for criterion in criteria:
                weight <<= criterion.get_shift(self._bracket)
                weight += criterion.get_weight(player_1, player_2, self._zero_weight, self._bracket)
            weight <<= 3 * self._bracket.bracket_bits + 1
            return weight

    return Matcher
