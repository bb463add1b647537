"""The stages of a competition as they are announced: each with its own format, length of matches and time.

Standard library only.
"""

from dataclasses import dataclass

from shared.core.rulebook.formats import Format
from shared.core.terms import TimeControl


@dataclass(frozen=True, slots=True)
class StageRule:
    """A stage of a competition, by its ``name``. What its format does not use keeps its default.

    ``rounds`` of what is paired freely; ``qualifiers``: so many go on from it, from each of its ``groups`` where it has
    groups, in a knock-out those who are left; 0: it is the last. ``games``, ``best``, ``extra`` and ``places`` as in
    the tournament's conditions. ``time`` None: that of the whole competition.
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
