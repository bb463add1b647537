"""The interface of a board game with score sheets: its positions and its automatic ends.

A `Side` is a seat of the pairing. In most games it always holds the stones of its name. If colours are swapped, guessed
or predicted, the position knows which seat holds which stones, and its methods use seats.
"""

from dataclasses import dataclass
from typing import Protocol, Self

from shared.core.events import Ground
from shared.core.events.sheets import Step
from shared.core.language.messages import Message, say, term
from shared.core.rulebook.terminations import TERMINATIONS, Termination
from shared.core.state.grounds import words_of
from shared.core.terms import Side

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
    """A position of one game. ``play`` changes it in place; ``fork`` copies it."""

    def fork(self) -> Self: ...

    def to_move(self) -> Side: ...

    def holder(self, colour: Side) -> Side:
        """Return the seat that holds the pieces of this colour."""

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a move, written in any notation of the game. An illegal one changes nothing."""

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Take a step of an opening or a phase that is not a move. An illegal one changes nothing."""

    def end(self) -> End | None:
        """Return the end that the position itself causes, or None."""

    def can_win(self, side: Side) -> bool:
        """Return whether ``side`` could still win by any sequence of legal moves."""

    def text(self) -> str:
        """Return the position in the game's own notation (chess: FEN)."""

    def facts(self) -> dict[str, str]:
        """Return additional facts by name: the seat with the black stones, an opening's name, a verdict."""


def other(side: Side) -> Side:
    return "black" if side == "white" else "white"


def illegal(ground: Ground, article: str) -> IllegalMove:
    """Return a move that breaks a rule of the game."""
    return IllegalMove(words_of(ground), article, ground)


def no_steps(step: Step) -> IllegalMove:
    """Return the answer of a game without steps."""
    return IllegalMove(
        say("{step} is not a step of this game; it has only moves", step=step), "house: the game's own steps"
    )


def not_due(side: Side, due: Side, what: Message, article: str) -> IllegalMove:
    """Return the answer to a step by the wrong side."""
    return IllegalMove(say("{what} is {due}'s to do, not {side}'s", what=what, due=term(due), side=term(side)), article)
