"""The formats of competition, one row each: its name, and what every service has to know of it.

Who meets whom is planned by pairing (`services/pairing/rules/formats/registry.py`), which has a row of the same name.
Standard library only, like everything the fold is made of.
"""

from dataclasses import dataclass
from typing import Literal

Format = Literal[
    "swiss", "round_robin", "double_round_robin", "groups", "knockout", "double_knockout", "match", "manual", "teams"
]


@dataclass(frozen=True, slots=True)
class FormatTraits:
    """What a format of competition is like, and with it what may be announced of it.

    ``schedule``: who meets follows from the rounds before (``free``), from a ``table`` drawn up at the first pairing,
    from a ``bracket``, or is settled ``elsewhere``. ``cycles``: how often two meet. ``finals``: a competition in
    groups, of which the best go on (002-X 11.3). ``places``: those who lost may play on for every place.
    """

    schedule: Literal["free", "table", "bracket", "elsewhere"]
    cycles: int = 1
    finals: bool = False
    places: bool = False

    @property
    def paired_freely(self) -> bool:
        """No table says who meets: there are late entries, byes to ask for, and pairs that may not meet."""
        return self.schedule == "free"

    @property
    def rounds_announced(self) -> bool:
        """It is played over as many rounds as announced; else they follow from the entries."""
        return self.schedule in ("free", "elsewhere")

    @property
    def drawn_up(self) -> bool:
        """A table or a bracket, drawn up at the first pairing, says who meets."""
        return self.schedule in ("table", "bracket")

    @property
    def rests(self) -> bool:
        """A bye gives nothing: everybody has it in turn."""
        return self.schedule == "table"

    @property
    def winner_needed(self) -> bool:
        """A match goes on until somebody has won it, by extra games and lots if need be (000-B 4, 9)."""
        return self.schedule == "bracket"


FORMATS: dict[Format, FormatTraits] = {
    "swiss": FormatTraits("free"),
    "round_robin": FormatTraits("table"),
    "double_round_robin": FormatTraits("table", cycles=2),
    "groups": FormatTraits("table", finals=True),
    "knockout": FormatTraits("bracket", places=True),
    "double_knockout": FormatTraits("bracket"),
    "match": FormatTraits("bracket"),
    "manual": FormatTraits("free"),
    "teams": FormatTraits("elsewhere"),
}
"""``teams`` is announced over HTTP for a Swiss of teams, and written down as ``swiss``."""
