"""A game in a file of another program: its moves, its result, all its other contents, and the text of the file."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.language.charset import Encoding, Undecided, decode, find_encoding
from shared.core.language.messages import Message, say
from shared.core.terms import Seconds, Side

_SPACE = re.compile(r"\s*")


class Spot(NamedTuple):
    """A place in a text: line and column, both from 1, in characters."""

    line: int
    column: int

    @property
    def members(self) -> dict[str, Any]:
        """The place as JSON has it."""
        return {"line": self.line, "column": self.column}

    def beside(self, why: Message) -> Message:
        """Return the reason with the place before it."""
        return say("line {line}, column {column}: {why}", line=self.line, column=self.column, why=why)


class BytePlace(NamedTuple):
    """A place in a binary file: the byte, from 0."""

    byte: int

    @property
    def members(self) -> dict[str, Any]:
        """The place as JSON has it."""
        return {"byte": self.byte}

    def beside(self, why: Message) -> Message:
        """Return the reason with the place before it."""
        return say("byte {byte}: {why}", byte=self.byte, why=why)


Place = Spot | BytePlace
G = TypeVar("G")


class Places:
    """Line and column of the characters of a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def of(self, at: int) -> Spot:
        """Return the place of the character ``at`` (from 0)."""
        line = bisect_right(self._starts, at)
        return Spot(line, at - self._starts[line - 1] + 1)


def check_length(count: int, place: "Place") -> None:
    """Raise `Unreadable` for the move after the last that a game may have."""
    if count > PLIES_AT_MOST:
        raise Unreadable(say("a game must not have more than {most} plies", most=PLIES_AT_MOST), place)


def after_space(text: str, at: int) -> int:
    """Return the index of the first character from ``at`` on that is not white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


class Unreadable(ValueError):
    """A rejected file: the reason and the place. ``spot`` is None if the reason concerns the file as a whole.

    ``before``: the moves before that place, from the first position ``setup``. If the rules refuse one of them, that is
    the first fault of the file.
    """

    def __init__(self, why: Message, spot: Place | None = None) -> None:
        super().__init__(str(why))
        self.why, self.spot = why, spot
        self.before: Sequence[FileMove] = ()
        self.setup: StatedFact | None = None


def choose(games: Iterable[G], number: int | None, spot_of: Callable[[G], Place]) -> G:
    """Return the game of this number (from 1) in a file, by default the only one. Raises `Unreadable`."""
    found: list[G] = []
    for game in games:
        found.append(game)
        if number is None and len(found) > 1:
            raise Unreadable(say("a second game begins here: choose one by its number"), spot_of(game))
    if not found:
        raise Unreadable(say("it contains no game"))
    if number is not None and not 1 <= number <= len(found):
        raise Unreadable(say("game {number} does not exist; number of games: {count}", number=number, count=len(found)))
    return found[(number or 1) - 1]


class FileMove(NamedTuple):
    """A move as written in the file, and the mover's seconds left if the file states them."""

    move: str
    clock: Seconds | None
    spot: Place


class StatedResult(NamedTuple):
    """The winner in the file, by the colour of the pieces, or None for a draw. ``text``: the result as written."""

    winner: Side | None
    text: str
    spot: Place


class StatedFact(NamedTuple):
    """A statement in a file about a fact that the tournament knows itself: the name in the file, and the value."""

    name: str
    value: str
    spot: Place


Annotations = Mapping[str, object]
"""The stored contents of a file other than its moves, as JSON values. May be empty."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """One game of a file.

    ``setup``: the first position as the format writes it, if it is not the game's own. ``facts`` are compared with the
    tournament's data. ``illegal``: the last of the moves cannot be made, and the text after it was not read.
    ``begins``: the place of its beginning. ``forfeit``: it was not played, and one side's absence or fault decided it.
    """

    moves: tuple[FileMove, ...]
    result: StatedResult | None = None
    setup: StatedFact | None = None
    facts: Sequence[StatedFact] = ()
    annotations: Annotations = field(default_factory=dict)
    illegal: bool = False
    begins: Place | None = None
    forfeit: bool = False


def encoding_of(charset: str | None) -> Encoding | None:
    """Return the encoding that a Content-Type names, or None without a name. Raises `Unreadable`."""
    encoding = None if charset is None else find_encoding(charset)
    if charset is not None and encoding is None:
        raise Unreadable(say("the charset {charset} of the Content-Type is unknown; use utf-8", charset=charset[:40]))
    return encoding


def decoded(content: bytes, told: Encoding | None) -> str:
    """Return the text of the bytes, as `charset.decode` finds it. Raises `Unreadable`."""
    try:
        return decode(content, told).text
    except Undecided as problem:
        raise Unreadable(problem.why, Spot(problem.line, problem.column)) from None
