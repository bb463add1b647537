"""The typed facts of infractions: what an article asks of a report, and for which values of it the infraction is one.

Standard library only.
"""

from dataclasses import dataclass
from typing import Literal

FactName = Literal[
    "seconds_left",
    "missed_in_a_row",
    "opponent_passed",
    "opponent_moved",
    "consent",
    "own_time",
    "repeated",
    "grave",
    "by",
]
FactType = Literal["seconds", "count", "boolean", "player"]
Fact = bool | int | str
"""A fact's value: true or false, seconds or a count from 0 on, the number of an entry or `OUTSIDER`."""
OUTSIDER = "outsider"

FACTS: dict[FactName, FactType] = {
    "seconds_left": "seconds",
    "missed_in_a_row": "count",
    "opponent_passed": "boolean",
    "opponent_moved": "boolean",
    "consent": "boolean",
    "own_time": "boolean",
    "repeated": "boolean",
    "grave": "boolean",
    "by": "player",
}
"""The facts that reports may name, and the type of each."""


@dataclass(frozen=True, slots=True)
class FactRule:
    """A fact that an infraction's article asks for.

    ``required``: a report without it is refused. The infraction is none where the fact is not as it ``holds`` (true or
    false) or is below ``least``; None: any value will do, the fact is kept with the ruling. A ``player`` is the one accused.
    ``either``: it is none only where all facts so marked are told and speak against it. ``otherwise``: what is allowed then.
    """

    name: FactName
    article: str
    required: bool = True
    holds: bool | None = None
    least: int | None = None
    either: bool = False
    otherwise: str = ""
