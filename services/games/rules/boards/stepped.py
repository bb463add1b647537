"""What a game with steps around its position leaves to the position: in renju and prediction gomoku a position knows seats
and ends by itself, and the steps only lead to it."""

from typing import Generic, Protocol, TypeVar

from services.games.rules.boards.port import End
from shared.core.terms import Side


class Seated(Protocol):
    """A position that knows which seat has which stones."""

    def holder(self, colour: Side) -> Side: ...

    def end(self) -> End | None: ...

    def can_win(self, side: Side) -> bool: ...

    def text(self) -> str: ...


P = TypeVar("P", bound=Seated)


class Stepped(Generic[P]):
    """The part of `position.Position` that the position behind the steps answers."""

    __slots__ = ("_position",)

    def __init__(self, position: P) -> None:
        self._position = position

    def holder(self, colour: Side) -> Side:
        return self._position.holder(colour)

    def end(self) -> End | None:
        return self._position.end()

    def can_win(self, side: Side) -> bool:
        return self._position.can_win(side)

    def text(self) -> str:
        return self._position.text()
