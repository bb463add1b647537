"""What regulations say about pairing: what pairs, within which limits, and how matches are decided.

Standard library only.
"""

from dataclasses import dataclass
from typing import Literal

from shared.core.terms import Rounds


@dataclass(frozen=True, slots=True)
class PairingRules:
    """The choice of what pairs, and its limits.

    ``engine`` and ``edition`` choose the code that pairs; ``starting_numbers_until``
    is the last round before whose pairing starting numbers may be corrected. ``by_hand``: whether a pairing by hand
    outside the Swiss is judged on its ``seats`` alone, or bound by the stages, brackets and tables of its ``format``.

    Of a match that needs a winner: where both sides lose a game unplayed 双方弃权 it goes on, by ``lots`` in the end, or
    neither plays on (``both_out``). A drawn one (``drawn_match``) has the extra games that were ``announced`` and then lots,
    ``extra`` games until it is decided, or ``lots`` at once.
    """

    system: Literal["dutch", "campus"]
    engine: Literal["gacrux", "py4swiss", "rustworkx"]
    edition: str
    starting_numbers_until: Rounds
    max_colour_difference: int
    max_same_colour: int
    by_hand: Literal["seats", "format"] = "seats"
    both_absent: Literal["lots", "both_out"] = "lots"
    drawn_match: Literal["announced", "extra", "lots"] = "announced"
