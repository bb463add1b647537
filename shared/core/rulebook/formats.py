"""The formats of competition, one row each: the name, and what every service must know about it.

The games of each format are planned by pairing (`services/pairing/rules/formats/registry.py`), which has a row of the
same name. Standard library only, like all code that replays a log.
"""

from dataclasses import dataclass
from typing import Literal

Format = Literal[
    "swiss", "round_robin", "double_round_robin", "groups", "knockout", "double_knockout", "match", "manual", "teams"
]


@dataclass(frozen=True, slots=True)
class FormatTraits:
    """The properties of a competition format. They decide which conditions may be announced with it.

    ``schedule``: opponents depend on the earlier rounds (``free``), on a ``table`` or a ``bracket`` fixed at the first
    pairing, or are decided outside this program (``elsewhere``). ``cycles``: how often two sides meet. ``finals``: True for
    groups whose best sides qualify for finals (002-X 11.3). ``places``: True if losers may play on for every place.
    """

    schedule: Literal["free", "table", "bracket", "elsewhere"]
    cycles: int = 1
    finals: bool = False
    places: bool = False

    @property
    def paired_freely(self) -> bool:
        """Return whether opponents are chosen round by round, so that late entries, byes and forbidden pairs are possible."""
        return self.schedule == "free"

    @property
    def rounds_announced(self) -> bool:
        """Return whether the number of rounds is announced; else it depends on the entries."""
        return self.schedule in ("free", "elsewhere")

    @property
    def drawn_up(self) -> bool:
        """Return whether a table or a bracket, drawn up at the first pairing, fixes the opponents."""
        return self.schedule in ("table", "bracket")

    @property
    def rests(self) -> bool:
        """Return whether a bye gives no points, because the table gives one to every side in turn."""
        return self.schedule == "table"

    @property
    def winner_needed(self) -> bool:
        """Return whether a match continues until it has a winner, with extra games and lots if necessary (000-B 4, 9)."""
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
"""``teams`` is the HTTP name of a Swiss tournament of teams, which events store as ``swiss``."""
