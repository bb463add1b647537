"""The regulations on pairing, and the announced stages of a competition. Standard library only."""

from dataclasses import dataclass
from typing import Literal

from shared.core.rulebook.formats import Format
from shared.core.terms import Rounds, TimeControl


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


@dataclass(frozen=True, slots=True)
class StageRule:
    """A stage of a competition, by its ``name``. Fields that its format does not use keep their defaults.

    ``rounds``: for freely paired formats. ``qualifiers``: the number of qualified players or teams, in each of its ``groups``
    if it has groups, in a knock-out the remaining ones (0: it is the last stage). ``games``, ``best``, ``extra`` and ``places``
    as in the tournament's conditions. ``time``: None for the time of the whole competition.
    """

    name: str
    format: Format
    rounds: int = 0
    groups: int = 0
    qualifiers: int = 0
    games: int = 1
    best: bool = False
    extra: int = 0
    places: bool = False
    time: TimeControl | None = None
