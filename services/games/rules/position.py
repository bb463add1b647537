"""The port that a board game implements to have score sheets: its positions and how it ends by itself."""

from dataclasses import dataclass
from typing import Protocol, Self

from shared.terms import Side

SIDES: tuple[Side, Side] = ("white", "black")


@dataclass(frozen=True, slots=True)
class End:
    """How a position ends the game: ``winner`` None for a draw."""

    termination: str
    winner: Side | None
    article: str


@dataclass(frozen=True, slots=True)
class Written:
    """A legal move in the notation that the sheets keep."""

    move: str


@dataclass(frozen=True, slots=True)
class Illegal:
    """Why a move cannot be played here."""

    reason: str
    article: str


class Position(Protocol):
    """A position of one game. ``play`` changes it in place; ``fork`` copies it."""

    def fork(self) -> Self: ...

    def to_move(self) -> Side: ...

    def play(self, move: str) -> Written | Illegal:
        """Play a move, written in any notation that the game reads; an illegal one changes nothing."""

    def end(self) -> End | None:
        """The end that the position itself makes, if it does."""

    def can_win(self, side: Side) -> bool:
        """Whether any sequence of legal moves could still let ``side`` win."""

    def text(self) -> str:
        """The position in the game's own notation (chess: FEN)."""


def other(side: Side) -> Side:
    return "black" if side == "white" else "white"


def side_of(ply: int) -> Side:
    """Who makes the ``ply``-th move; White has the first."""
    return "white" if ply % 2 else "black"
