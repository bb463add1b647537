"""Free gomoku on a score sheet: who moves first is guessed for before the first stone (000-B 3)."""

from typing import Self

from services.games.rules.boards.gomoku.position import FIRST_HAND, GomokuPosition, guessed_first
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, LegalStep, no_steps, not_due
from services.games.rules.boards.port.seats import Seats
from shared.core.events.sheets import Step
from shared.core.game_rules import GomokuRules
from shared.core.terms import Side

MOST_STONES = 225
"""As many as the board has points."""


class GomokuGame:
    """`GomokuPosition` by seats: Black's seat has the black stones and the first move, unless his guess was wrong."""

    __slots__ = ("_guessed", "_placed", "_position", "_seats")

    def __init__(self, rules: GomokuRules) -> None:
        self._position = GomokuPosition(rules)
        self._placed = self._guessed = False
        self._seats = Seats()

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy._position, copy._placed = self._position.fork(), self._placed
        copy._guessed, copy._seats = self._guessed, self._seats
        return copy

    def holder(self, colour: Side) -> Side:
        return self._seats.holder(colour)

    def to_move(self) -> Side:
        return self.holder(self._position.to_move())

    def play(self, move: str) -> LegalMove | IllegalMove:
        played = self._position.play(move)
        self._placed |= isinstance(played, LegalMove)
        return played

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """``guess``: Black's ``odd`` or ``even``, and the number of stones that White had grabbed."""
        if step != "guess":
            return no_steps(step)
        if self._placed or self._guessed:
            return IllegalMove("the first hand is guessed for once, before the first stone", FIRST_HAND)
        if side != "black":
            return not_due(side, "black", "guessing", FIRST_HAND)
        match values:
            case ["odd" | "even" as guess, number] if _is_stone_count(number):
                self._guessed, self._seats = True, Seats(guessed_first(int(number), guess) == "white")
                return LegalStep((guess, str(int(number))))
        return IllegalMove("a guess is odd or even, and the number of stones grabbed, from 1", FIRST_HAND)

    def end(self) -> End | None:
        end = self._position.end()
        return end and self._seats.end(end)

    def at_time(self) -> End:
        """The end when the game's time is up (000-B 8)."""
        return self._seats.end(self._position.at_time())

    def can_win(self, side: Side) -> bool:
        return self._position.can_win(self.holder(side))

    def text(self) -> str:
        """The board, the colour to move, and ``~`` where the seats hold each other's stones."""
        return self._seats.text(self._position.text())

    def facts(self) -> dict[str, str]:
        return {"black": self.holder("black")}


def _is_stone_count(number: str) -> bool:
    return number.isascii() and number.isdigit() and len(number) <= 3 and 1 <= int(number) <= MOST_STONES
