"""The row of a tie-break, and the closed set of those that one kind of competitors is ranked by."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Literal, TypeVar

from services.standings.rules.tiebreaks.value import Value
from shared.core.terms import PlayerId

Edition = Literal["2024", "2026"]
"""The editions of FIDE C.07 that a table may follow."""

F = TypeVar("F")
Compute = Callable[[F, PlayerId, Edition], Value]
"""The value of one competitor in a field; a team's number stands where a player is named."""
GroupCompute = Callable[[F, Sequence[PlayerId]], dict[PlayerId, Value]]
"""The values of all who are tied."""


class Dependence(Enum):
    """The players whose records a value is made of: when one of them changes, the value is computed again."""

    OWN = "of those it is computed for, with the rulings on them"
    OPPONENTS = "these, and those of their opponents"


@dataclass(frozen=True, slots=True)
class TieBreak(Generic[F]):
    """A tie-break that gives each competitor a value.

    ``code`` is FIDE's (C.07) where it has one; ``depends_on`` None: not known, so computed anew whatever changes.
    """

    code: str
    title: str
    compute: Compute[F]
    depends_on: Dependence | None = None


@dataclass(frozen=True, slots=True)
class GroupTieBreak(Generic[F]):
    """A tie-break that depends on who is tied: it gives values to a group of equals together."""

    code: str
    title: str
    compute: GroupCompute[F]
    depends_on: Dependence | None = None


class TieBreaks(Generic[F]):
    """A closed set of tie-breaks, by code; ``codes`` are in the order in which columns are shown.

    ``single`` give each competitor a value, ``grouped`` those who are tied. Raises ValueError for a code that
    stands there twice.
    """

    def __init__(self, rows: Iterable[TieBreak[F] | GroupTieBreak[F]]) -> None:
        self.single: dict[str, TieBreak[F]] = {}
        self.grouped: dict[str, GroupTieBreak[F]] = {}
        titles: dict[str, str] = {}
        for row in rows:
            if row.code in titles:
                raise ValueError(f"tie-break {row.code} is declared twice")
            titles[row.code] = row.title
            if isinstance(row, TieBreak):
                self.single[row.code] = row
            else:
                self.grouped[row.code] = row
        self.titles: Mapping[str, str] = titles
        self.codes: tuple[str, ...] = tuple(titles)

    def depends_on(self, code: str) -> Dependence | None:
        """The players whose records a tie-break's values are made of; None: not known."""
        return (self.single[code] if code in self.single else self.grouped[code]).depends_on

    def unknown(self, codes: Iterable[str]) -> list[str]:
        """Those that are none of this set, or stand there a second time."""
        seen: set[str] = set()
        wrong = []
        for code in codes:
            if code not in self.titles or code in seen:
                wrong.append(code)
            seen.add(code)
        return wrong
