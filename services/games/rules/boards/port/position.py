"""The interface of a board game with score sheets: its positions, its automatic ends, and positions set up 摆局.

A `Side` is a seat of the pairing. In most games it always holds the stones of its name. If colours are swapped, guessed
or predicted, the position knows which seat holds which stones, and its methods use seats.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple, Protocol, Self

from shared.core.events import Ground
from shared.core.events.sheets import Step
from shared.core.language.messages import Message, say, term
from shared.core.rulebook.terminations import TERMINATIONS, Termination
from shared.core.state.grounds import words_of
from shared.core.terms import Seconds, Side, other

SIDES: tuple[Side, Side] = ("white", "black")


@dataclass(frozen=True, slots=True)
class End:
    """An end of the game by its position. ``winner`` None means a draw."""

    termination: Termination
    winner: Side | None
    article: str

    @property
    def words(self) -> Message:
        return TERMINATIONS[self.termination].words


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move in the notation of the sheets."""

    move: str


@dataclass(frozen=True, slots=True)
class LegalStep:
    """A legal step, with its values in the notation of the sheets."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """A move or step that is not possible here, with the reason and its article.

    ``ground``: set for a move that may be claimed to be illegal.
    """

    reason: Message
    article: str
    ground: Ground | None = None


class Position(Protocol):
    """A position of one game. ``play`` changes it in place; ``fork`` copies it.

    The methods with a body are those of a game in which each seat holds the pieces of its name, and all acts are moves.
    """

    __slots__ = ()

    def fork(self) -> Self:
        """Return an independent copy. Values without a copy method never change."""
        copy = object.__new__(type(self))
        for name in (name for kind in type(self).__mro__ for name in getattr(kind, "__slots__", ())):
            value = getattr(self, name)
            value = value.copy() if isinstance(value, dict) else value
            setattr(copy, name, value.fork() if hasattr(value, "fork") else value)
        return copy

    def to_move(self) -> Side: ...

    def holder(self, colour: Side) -> Side:
        """Return the seat that holds the pieces of this colour."""
        return colour

    def colours_settled(self) -> bool:
        """Return whether the guess, swap or prediction that gives the seats their colours is over."""
        return True

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a move, written in any notation of the game. An illegal one changes nothing."""

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Take a step of an opening or a phase that is not a move. An illegal one changes nothing."""
        return no_steps(step)

    def end(self) -> End | None:
        """Return the end that the position itself causes, or None."""

    def can_win(self, side: Side) -> bool:
        """Return whether ``side`` could still win by any sequence of legal moves.

        If a game does not define it more closely, both sides can win until the game ends.
        """
        end = self.end()
        return end is None or end.winner == side

    def no_draw(self) -> IllegalMove | None:
        """Return why no draw can be agreed in this position, or None."""
        return None

    def text(self) -> str:
        """Return the position in the game's own notation (chess: FEN)."""

    def facts(self) -> dict[str, str]:
        """Return additional facts by name: the seat with the black stones, an opening's name, a verdict."""
        return {}


def illegal(ground: Ground, article: str) -> IllegalMove:
    """Return the result of a move that breaks a rule. ``ground``: the reason, which a claim of the move can cite."""
    return IllegalMove(words_of(ground), article, ground)


def no_steps(step: Step) -> IllegalMove:
    """Return the result of a step that the game does not have: it is illegal."""
    detail = say("{step} is not a step of this game; it has only moves", step=step)
    return IllegalMove(detail, "house: the game's own steps")  # prose: ok: recorded in logs


def not_due(side: Side, due: Side, what: Message, article: str) -> IllegalMove:
    """Return the reason why a step is illegal if ``side`` takes it but the side ``due`` must take it.

    ``what``: the step in words.
    """
    return IllegalMove(
        say("only {due} may do this, not {side}: {what}", what=what, due=term(due), side=term(side)), article
    )


USUAL = "startpos"
"""The word for the usual position in every game (from UCI)."""


class SetUp(NamedTuple):
    """A position that games may begin from, and its ``text`` in logs, which can be read again."""

    position: Position
    text: str


class BadPosition(ValueError):
    """An error for a text that is not a position of the game; the message says what is wrong.

    ``impossible``: it can be read, but no game has such a position.
    """

    def __init__(self, reason: Message, impossible: bool = False) -> None:
        super().__init__(reason)
        self.impossible = impossible


@dataclass(frozen=True, slots=True)
class Seats:
    """The relation of seats and colours. ``swapped``: the seats hold each other's pieces."""

    swapped: bool = False

    def holder(self, colour: Side) -> Side:
        """Return the seat that holds the pieces of this colour; equally the colour of the pieces that this seat holds."""
        return other(colour) if self.swapped else colour

    def exchanged(self) -> "Seats":
        """Return the seats after exchanging their pieces."""
        return Seats(not self.swapped)

    def end(self, end: End) -> End:
        """Return the ``end`` with the seat that has won, instead of the winning colour."""
        return End(end.termination, end.winner and self.holder(end.winner), end.article)

    def text(self, text: str) -> str:
        """Return a position's text, with ``~`` if the seats hold each other's pieces."""
        return text + "~" * self.swapped


DIGITS_AT_MOST = 5
"""Maximum number of digits of a number of seconds."""
SHORTEST_SALT = 16
"""Minimum number of characters. With a shorter salt, the content could be found by trying all salts."""
_HASH = re.compile(r"[0-9a-f]{64}")


def seconds_of(text: str) -> Seconds | None:
    """Return the whole seconds in a step's value, or None if it is not a number of at most five digits."""
    if not (text.isascii() and text.isdigit() and len(text) <= DIGITS_AT_MOST):
        return None
    return Seconds(int(text))


def is_seal(value: str) -> bool:
    """Return whether this is a SHA-256 in 64 hexadecimal digits, lower case."""
    return bool(_HASH.fullmatch(value))


def opens(seal: str, salt: str, content: str) -> bool:
    """Return whether ``seal`` is the SHA-256 of ``salt`` and ``content``, so that they are what was sealed."""
    return sha256((salt + content).encode()).hexdigest() == seal
