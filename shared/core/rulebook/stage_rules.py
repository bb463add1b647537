"""The announced stages of a competition, each with its own format, length of matches and time.

Standard library only.
"""

from dataclasses import dataclass

from shared.core.rulebook.formats import Format
from shared.core.terms import TimeControl


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
