"""The port that a board game implements to have score sheets: its positions and how it ends by itself.

A `Side` is a seat of the pairing. In most games it holds the stones of its name all along; where colours are swapped,
guessed or predicted, the position knows which seat holds which stones, and speaks of seats.
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
    """An end of the game that the position makes: ``winner`` None for a draw."""

    termination: Termination
    winner: Side | None
    article: str

    @property
    def words(self) -> Message:
        return TERMINATIONS[self.termination].words


@dataclass(frozen=True, slots=True)
class LegalMove:
    """A legal move in the notation that the sheets keep."""

    move: str


@dataclass(frozen=True, slots=True)
class LegalStep:
    """A step that may be taken, with what it names as the sheets keep it."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IllegalMove:
    """A move that cannot be played here, or a step that cannot be taken, with the reason and its article; ``ground``: that
    of a move which may be claimed to be illegal."""

    reason: Message
    article: str
    ground: Ground | None = None


class Position(Protocol):
    """A position of one game. ``play`` changes it in place; ``fork`` copies it."""

    def fork(self) -> Self: ...

    def to_move(self) -> Side: ...

    def holder(self, colour: Side) -> Side:
        """The seat that holds the pieces of this colour."""

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a move, written in any notation that the game reads; an illegal one changes nothing."""

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Take a step of an opening or a phase that is no move; one that cannot be taken changes nothing."""

    def end(self) -> End | None:
        """The end that the position itself makes, if it does."""

    def can_win(self, side: Side) -> bool:
        """Whether any sequence of legal moves could still let ``side`` win."""

    def text(self) -> str:
        """The position in the game's own notation (chess: FEN)."""

    def facts(self) -> dict[str, str]:
        """Facts for a reader beside it, by name: the seat with the black stones, an opening's name, a verdict."""


def other(side: Side) -> Side:
    return "black" if side == "white" else "white"


def illegal(ground: Ground, article: str) -> IllegalMove:
    """A move that breaks a rule of the game."""
    return IllegalMove(words_of(ground), article, ground)


def no_steps(step: Step) -> IllegalMove:
    """The answer of a game that is played by moves alone."""
    return IllegalMove(
        say("{step} is not a step of this game; it has only moves", step=step), "house: the game's own steps"
    )


def not_due(side: Side, due: Side, what: Message, article: str) -> IllegalMove:
    """The answer to the wrong side's step."""
    return IllegalMove(say("{what} is {due}'s to do, not {side}'s", what=what, due=term(due), side=term(side)), article)
