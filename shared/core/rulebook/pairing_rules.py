"""The regulations on pairing: the pairing system, its limits, and how matches are decided.

Standard library only.
"""

from dataclasses import dataclass
from typing import Literal

from shared.core.terms import Rounds


@dataclass(frozen=True, slots=True)
class PairingRules:
    """The pairing system and its limits.

    ``engine`` and ``edition`` choose the code that pairs. ``starting_numbers_until``: starting numbers may be corrected until
    this round is paired. ``by_hand``: a manual pairing outside the Swiss system is judged on its ``seats`` alone, or must also
    follow the stages, brackets and tables of its ``format``.

    ``both_absent``: if both sides lose a game of a match unplayed 双方弃权 and it needs a winner, it continues and ``lots``
    decide in the end, or neither side plays on (``both_out``). ``drawn_match``: a drawn one has the extra games that were
    ``announced`` and then lots, ``extra`` games until it is decided, or ``lots`` at once.
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
