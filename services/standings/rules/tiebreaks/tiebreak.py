"""The row of a tie-break, and the set of those that one kind of competitors is ranked by: codes by a grammar."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Generic, Literal, TypeVar

from services.standings.rules.tiebreaks.code import Code, modifiers_of, parse, shapes, spelled
from services.standings.rules.tiebreaks.value import Value
from shared.core.language.messages import Message, in_turn, say
from shared.core.terms import PlayerId

Edition = Literal["2024", "2026"]
"""The editions of FIDE C.07 that a table may follow."""

F = TypeVar("F")
Compute = Callable[[F, PlayerId, Edition], Value]
"""The value of one competitor in a field; a team's number stands where a player is named."""
GroupCompute = Callable[[F, Sequence[PlayerId]], dict[PlayerId, Value]]
"""The values of all who are tied."""

LONGEST = 40
"""Characters of a code that a refusal repeats."""


Encounter = Literal["direct", "extended"]
"""Direct encounter in one score; extended: of teams, by match points, then by game points (C.07 13.3)."""


class Dependence(Enum):
    """The players whose records a value is made of: when one of them changes, the value is computed again."""

    OWN = "of those it is computed for, with the rulings on them"
    OPPONENTS = "these, and those of their opponents"


@dataclass(frozen=True, slots=True)
class Row(Generic[F]):
    """A tie-break with all its modifiers.

    ``base`` is FIDE's code (C.07) where it has one; ``counts`` says what it is made of, ``article`` where that stands.
    ``modifiers``: letters of those that it takes; ``scores``: those of teams that it can be asked of. ``listed``: the ends
    of the codes that lists and columns offer; others of the grammar are taken too. ``depends_on`` None: not known, so
    computed anew whatever changes. ``of_games``: its parts are single games of a team's players, not matches.
    ``encounter``: its value is a place by what those who are tied made against each other.
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
    """One that gives each competitor a value; ``make``: its function of a code."""

    make: Callable[[Code], Compute[F]] = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Grouped(Row[F]):
    """One that depends on who is tied, and gives values to a group of equals together; ``make``: its function of a code."""

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
    """A set of tie-breaks by their codes; ``codes`` are those that lists offer, in the order of the columns.

    Raises ValueError for a base that stands there twice.
    """

    def __init__(self, rows: Iterable[Row[F]]) -> None:
        self._rows: dict[str, Row[F]] = {}
        for row in rows:
            if row.base in self._rows:
                raise ValueError(f"tie-break {row.base} is declared twice")
            self._rows[row.base] = row
        self._by_capitals = {base.upper(): base for base in self._rows}
        self._found: dict[str, TieBreak[F] | GroupTieBreak[F]] = {}
        self.codes: tuple[str, ...] = tuple(row.base + end for row in self._rows.values() for end in row.listed)
        self.titles: Mapping[str, Message] = _Told(self.codes, self._title)
        """What people call each code."""
        self.meanings: Mapping[str, Message] = _Told(self.codes, self._meaning)
        """What each code counts, in a sentence."""

    @property
    def rows(self) -> tuple[Row[F], ...]:
        """Every row, in the order of the columns."""
        return tuple(self._rows.values())

    # ------------------------------------------------------------ one code

    def find(self, code: str) -> "TieBreak[F] | GroupTieBreak[F] | Message":
        """The tie-break of a code, or why there is none."""
        if code not in self._found:
            parsed = self._parsed(code.upper(), code)
            if isinstance(parsed, Message):
                return parsed
            written = spelled(parsed)
            if written != code:
                return say("{code} is written {written}", code=repr(code[:LONGEST]), written=written)
            row = self._rows[parsed.base]
            self._found[code] = (
                TieBreak(row, parsed, row.make(parsed))
                if isinstance(row, Single)
                else GroupTieBreak(row, parsed, _grouped(row).make(parsed))
            )
        return self._found[code]

    def __getitem__(self, code: str) -> "TieBreak[F] | GroupTieBreak[F]":
        """The tie-break of a code. Raises KeyError where there is none."""
        found = self._found.get(code) or self.find(code)
        if isinstance(found, Message):
            raise KeyError(str(found))
        return found

    def __contains__(self, code: str) -> bool:
        return code in self._found or not isinstance(self.find(code), Message)

    def single(self, code: str) -> Compute[F] | None:
        """The function of one that gives each competitor a value; None for one that depends on who is tied."""
        found = self[code]
        return found.compute if isinstance(found, TieBreak) else None

    def grouped(self, code: str) -> GroupCompute[F] | None:
        """The function of one that depends on who is tied; None for one that gives each competitor a value."""
        found = self[code]
        return found.compute if isinstance(found, GroupTieBreak) else None

    def depends_on(self, code: str) -> Dependence | None:
        """The players whose records a tie-break's values are made of; None: not known."""
        return self[code].row.depends_on

    def encounter(self, code: str) -> Encounter | None:
        """The kind of direct encounter that a code is, whose value is a place among the tied; None: it is none."""
        return self[code].row.encounter

    def article(self, code: str) -> str:
        """The articles of a code: its own, and those of its modifiers."""
        found = self[code]
        more = [modifier.article for modifier, _ in modifiers_of(found.code)]
        return ", ".join(dict.fromkeys([found.row.article, *more]))

    def spelling(self, text: str) -> str:
        """A code that somebody typed in any letters and order, as it is written; the text itself where it is none."""
        parsed = self._parsed(text.upper(), text)
        return text if isinstance(parsed, Message) else spelled(parsed)

    # ------------------------------------------------------------ an order

    def unknown(self, codes: Iterable[str]) -> list[str]:
        """Those that are none of this set, or stand there a second time."""
        seen: set[str] = set()
        wrong = []
        for code in codes:
            if code in seen or code not in self:
                wrong.append(code)
            seen.add(code)
        return wrong

    def fault(self, codes: Sequence[str], n: int) -> Message | None:
        """What is wrong with the ``n``-th code of an order, from 0: it is none, or stood there before."""
        if codes[n] in codes[:n]:
            return say("{code} stands there twice", code=codes[n][:LONGEST])
        found = self.find(codes[n])
        return found if isinstance(found, Message) else None

    # ------------------------------------------------------------ inside

    def _parsed(self, code: str, typed: str) -> Code | Message:
        """What a code in capitals says, or why it is none, which repeats it as it was typed."""
        shown = repr(typed[:LONGEST])
        base = next((b for b in _heads(code) if b in self._by_capitals), None)
        if base is None:
            return say("unknown tie-break {code}; available: {known}", code=shown, known=tuple(self._rows))
        row = self._rows[self._by_capitals[base]]
        parsed = parse(row.base, code[len(base) :])
        if isinstance(parsed, Message):
            return say("{code}: {why}", code=shown, why=parsed)
        if parsed.score and parsed.score not in row.scores:
            why = say("{base} takes no :{score} here", base=row.base, score=parsed.score)
            return say("{code}: {why}", code=shown, why=why)
        for modifier, _ in modifiers_of(parsed):
            if modifier.letter not in row.modifiers:
                takes = shapes(row.modifiers) or (say("none"),)
                why = say(
                    "{base} takes no /{letter}; it takes {takes}", base=row.base, letter=modifier.letter, takes=takes
                )
                return say("{code}: {why}", code=shown, why=why)
        return parsed

    def _changes(self, code: Code) -> tuple[Message, ...]:
        scores = {"MP": say("match points 场分"), "GP": say("game points 局分")}
        changes = [modifier.words(number) for modifier, number in modifiers_of(code)]
        return (*changes, *([scores[code.score]] if code.score else []))

    def _title(self, code: str) -> Message:
        found = self[code]
        changes = self._changes(found.code)
        return say("{tiebreak}, {changes}", tiebreak=found.row.title, changes=changes) if changes else found.row.title

    def _meaning(self, code: str) -> Message:
        found = self[code]
        return in_turn([found.row.counts, *self._changes(found.code)])


class _Told(Mapping[str, Message]):
    """Messages by code: of those that lists offer, and of any other of the grammar."""

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
    """What a code can begin with, the longest first: DE/A is a base of its own."""
    ends = [n for n, letter in enumerate(code) if letter in ":/"]
    yield from (code[:end] for end in reversed([*ends[:3], len(code)] if len(ends) > 3 else [*ends, len(code)]))
