"""The row of a tie-break, and a set of tie-breaks for one kind of competitors, whose codes follow a grammar."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, Literal, TypeVar

from services.standings.rules.tiebreaks.code import Code, modifiers_of, parse, shapes, spell
from services.standings.rules.tiebreaks.value import Value
from shared.core.language.messages import Message, in_turn, say
from shared.core.terms import PlayerId

Edition = Literal["2024", "2026"]
"""The editions of FIDE C.07 that a table may follow."""

F = TypeVar("F")
Compute = Callable[[F, PlayerId, Edition], Value]
"""Computes the value of one competitor in a field. For teams, the team's number takes the place of the player ID."""
GroupCompute = Callable[[F, Sequence[PlayerId]], dict[PlayerId, Value]]
"""Computes the values of all competitors of a tied group."""

LONGEST = 40
"""Maximum number of characters of a code that a refusal repeats."""


Encounter = Literal["direct", "extended"]
"""Direct encounter in one score, or extended: teams by match points, then by game points (C.07 13.3)."""


class Dependence(Enum):
    """The players whose records a value depends on. When one of these records changes, the value is recomputed."""

    OWN = "of those it is computed for, with the rulings on them"
    OPPONENTS = "these, and those of their opponents"


@dataclass(frozen=True, slots=True)
class Row(Generic[F]):
    """A tie-break with all its modifiers.

    ``base`` is FIDE's code (C.07) if there is one. ``counts`` explains the value, ``article`` cites its rule.
    ``modifiers``: letters of the accepted modifiers. ``scores``: the scores of teams that a code may select.

    ``listed``: the endings of the codes offered in lists and columns; all others of the grammar are accepted too.
    ``depends_on``: None if unknown, so that the value is recomputed after every change. ``of_games``: whether the parts
    are single games of a team's players, not matches. ``encounter``: set if the value is a place by the points made
    against tied sides.
    """

    base: str
    title: Message
    article: str
    counts: Message
    modifiers: str = ""
    scores: tuple[str, ...] = ()
    listed: tuple[str, ...] = ("",)
    depends_on: Dependence | None = None
    of_games: Callable[[Code], bool] = lambda code: False
    encounter: Encounter | None = None


@dataclass(frozen=True, slots=True)
class Single(Row[F]):
    """A tie-break that gives each competitor a value. ``make``: makes its function from a code."""

    make: Callable[[Code], Compute[F]] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Grouped(Row[F]):
    """A tie-break that gives values to a whole tied group together. ``make``: makes its function from a code."""

    make: Callable[[Code], GroupCompute[F]] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class TieBreak(Generic[F]):
    """A tie-break of one code that gives each competitor a value."""

    row: Row[F]
    code: Code
    compute: Compute[F]


@dataclass(frozen=True, slots=True)
class GroupTieBreak(Generic[F]):
    """A tie-break of one code that gives values to a group of equals together."""

    row: Row[F]
    code: Code
    compute: GroupCompute[F]


class TieBreaks(Generic[F]):
    """A set of tie-breaks by their codes. ``codes`` are those offered in lists, in the order of the columns.

    Raises ValueError for a base that is declared twice.
    """

    def __init__(self, rows: Iterable[Row[F]]) -> None:
        self._rows: dict[str, Row[F]] = {}
        for row in rows:
            if row.base in self._rows:
                raise ValueError(f"tie-break {row.base} is declared twice")
            self._rows[row.base] = row
        self._by_capitals = {base.upper(): base for base in self._rows}
        self._tiebreaks: dict[str, TieBreak[F] | GroupTieBreak[F]] = {}
        self.codes: tuple[str, ...] = tuple(row.base + end for row in self._rows.values() for end in row.listed)
        self.titles: Mapping[str, Message] = _MessagesByCode(self.codes, self._title)
        """The title of each code."""
        self.meanings: Mapping[str, Message] = _MessagesByCode(self.codes, self._meaning)
        """A sentence about each code's value."""

    @property
    def rows(self) -> tuple[Row[F], ...]:
        """Every row, in the order of the columns."""
        return tuple(self._rows.values())

    # ------------------------------------------------------------ one code

    def find(self, code: str) -> "TieBreak[F] | GroupTieBreak[F] | Message":
        """Return the tie-break of a code, or the reason why the code is invalid."""
        if code not in self._tiebreaks:
            parsed = self._parse_code(code.upper(), code)
            if isinstance(parsed, Message):
                return parsed
            written = spell(parsed)
            if written != code:
                return say("{code} is written {written}", code=repr(code[:LONGEST]), written=written)
            row = self._rows[parsed.base]
            self._tiebreaks[code] = (
                TieBreak(row, parsed, row.make(parsed))
                if isinstance(row, Single)
                else GroupTieBreak(row, parsed, _grouped(row).make(parsed))
            )
        return self._tiebreaks[code]

    def __getitem__(self, code: str) -> "TieBreak[F] | GroupTieBreak[F]":
        """Return the tie-break of a code. Raises KeyError if the code is invalid."""
        tiebreak = self._tiebreaks.get(code) or self.find(code)
        if isinstance(tiebreak, Message):
            raise KeyError(str(tiebreak))
        return tiebreak

    def __contains__(self, code: str) -> bool:
        return code in self._tiebreaks or not isinstance(self.find(code), Message)

    def single(self, code: str) -> Compute[F] | None:
        """Return the function of a tie-break that gives each competitor a value, or None if it depends on the tied group."""
        tiebreak = self[code]
        return tiebreak.compute if isinstance(tiebreak, TieBreak) else None

    def grouped(self, code: str) -> GroupCompute[F] | None:
        """Return the function of a tie-break that depends on the tied group, or None if it gives each competitor a value."""
        tiebreak = self[code]
        return tiebreak.compute if isinstance(tiebreak, GroupTieBreak) else None

    def depends_on(self, code: str) -> Dependence | None:
        """Return the players whose records a tie-break's values depend on, or None if unknown."""
        return self[code].row.depends_on

    def encounter(self, code: str) -> Encounter | None:
        """Return the kind of direct encounter of a code, whose value is a place among the tied, or None for other codes."""
        return self[code].row.encounter

    def article(self, code: str) -> str:
        """Return the articles that define a tie-break code, separated by commas: that of its base, and of each modifier."""
        tiebreak = self[code]
        more = [modifier.article for modifier, _ in modifiers_of(tiebreak.code)]
        return ", ".join(dict.fromkeys([tiebreak.row.article, *more]))

    def spelling(self, text: str) -> str:
        """Return the canonical spelling of a code typed in any case and order, or the text itself if it is invalid."""
        parsed = self._parse_code(text.upper(), text)
        return text if isinstance(parsed, Message) else spell(parsed)

    # ------------------------------------------------------------ an order

    def invalid_codes(self, codes: Iterable[str]) -> list[str]:
        """Return the codes that are not in this set or are listed twice."""
        seen: set[str] = set()
        wrong = []
        for code in codes:
            if code in seen or code not in self:
                wrong.append(code)
            seen.add(code)
        return wrong

    def fault(self, codes: Sequence[str], n: int) -> Message | None:
        """Return why the code at position ``n`` (from 0) is invalid or repeated, or None if it is valid."""
        if codes[n] in codes[:n]:
            return say("{code} is listed twice", code=codes[n][:LONGEST])
        tiebreak = self.find(codes[n])
        return tiebreak if isinstance(tiebreak, Message) else None

    # ------------------------------------------------------------ inside

    def _parse_code(self, code: str, typed: str) -> Code | Message:
        """Parse a code in capitals, or return why it is invalid. The reason repeats the code as ``typed``."""
        shown = repr(typed[:LONGEST])
        base = next((b for b in _heads(code) if b in self._by_capitals), None)
        if base is None:
            return say("unknown tie-break {code}; available: {known}", code=shown, known=tuple(self._rows))
        row = self._rows[self._by_capitals[base]]
        parsed = parse(row.base, code[len(base) :])
        if isinstance(parsed, Message):
            return say("{code}: {why}", code=shown, why=parsed)
        if parsed.score and parsed.score not in row.scores:
            why = say("{base} cannot have :{score} in this tournament", base=row.base, score=parsed.score)
            return say("{code}: {why}", code=shown, why=why)
        for modifier, _ in modifiers_of(parsed):
            if modifier.letter not in row.modifiers:
                takes = shapes(row.modifiers) or (say("none"),)
                why = say(
                    "{base} cannot have /{letter}; possible: {takes}",
                    base=row.base,
                    letter=modifier.letter,
                    takes=takes,
                )
                return say("{code}: {why}", code=shown, why=why)
        return parsed

    def _changes(self, code: Code) -> tuple[Message, ...]:
        scores = {"MP": say("match points 场分"), "GP": say("game points 局分")}
        changes = [modifier.words(number) for modifier, number in modifiers_of(code)]
        return (*changes, *([scores[code.score]] if code.score else []))

    def _title(self, code: str) -> Message:
        tiebreak = self[code]
        changes = self._changes(tiebreak.code)
        return (
            say("{tiebreak}, {changes}", tiebreak=tiebreak.row.title, changes=changes)
            if changes
            else tiebreak.row.title
        )

    def _meaning(self, code: str) -> Message:
        tiebreak = self[code]
        return in_turn([tiebreak.row.counts, *self._changes(tiebreak.code)])


class _MessagesByCode(Mapping[str, Message]):
    """A mapping from tie-break code to message. Iterates over the codes offered in lists; looks up any valid code."""

    def __init__(self, codes: tuple[str, ...], tell: Callable[[str], Message]) -> None:
        self._codes, self._tell = codes, tell

    def __getitem__(self, code: str) -> Message:
        return self._tell(code)

    def __iter__(self) -> Iterator[str]:
        return iter(self._codes)

    def __len__(self) -> int:
        return len(self._codes)


def _grouped(row: Row[F]) -> Grouped[F]:
    assert isinstance(row, Grouped), "a row is of one kind or the other"
    return row


def _heads(code: str) -> Iterator[str]:
    """Yield the possible bases of a code, the longest first: DE/A is a base of its own."""
    ends = [n for n, letter in enumerate(code) if letter in ":/"]
    yield from (code[:end] for end in reversed([*ends[:3], len(code)] if len(ends) > 3 else [*ends, len(code)]))
