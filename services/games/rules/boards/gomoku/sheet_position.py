"""Free gomoku on a score sheet: the first hand is guessed before the first stone (000-B 3; 000-E 五子棋, 1)."""

from typing import Self

from services.games.rules.boards.fifteen import Stones
from services.games.rules.boards.first_hand import ARTICLES, guess
from services.games.rules.boards.gomoku.position import GomokuPosition
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, LegalStep, Seats, no_steps
from shared.core.events.sheets import Step
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GomokuRules
from shared.core.terms import Side


class GomokuGame:
    """A `GomokuPosition` by seats. Black's seat has the black stones and the first move, unless a guess changes it."""

    __slots__ = ("_guessed", "_placed", "_position", "_rules", "_seats")

    def __init__(self, rules: GomokuRules, start: tuple[Stones, Side] | None = None) -> None:
        self._rules = rules
        self._position = GomokuPosition(rules, start)
        self._placed = self._guessed = False
        self._seats = Seats()

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy._position, copy._placed, copy._rules = self._position.fork(), self._placed, self._rules
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
        """Take the step ``guess``: find the first hand in the regulations' way (`first_hand.guess`)."""
        if step != "guess":
            return no_steps(step)
        if self._placed or self._guessed:
            detail = say("the first hand is guessed for once, before the first stone")
            return IllegalMove(detail, ARTICLES[self._rules.first_hand])
        guessed = guess(self._rules.first_hand, self._seats, side, values)
        if isinstance(guessed, IllegalMove):
            return guessed
        self._guessed, self._seats = True, guessed[1]
        return guessed[0]

    def colours_settled(self) -> bool:
        """Return whether the first hand is guessed, or the first stone placed without a guess."""
        return self._guessed or self._placed or self._rules.first_hand == "as_paired"

    def end(self) -> End | None:
        end = self._position.end()
        return end and self._seats.end(end)

    def at_time(self) -> End:
        """Return the end if the game's time is up (000-B 8)."""
        return self._seats.end(self._position.at_time())

    def can_win(self, side: Side) -> bool:
        return self._position.can_win(self.holder(side))

    def text(self) -> str:
        """Return the board, the colour to move, and ``~`` if the seats hold each other's stones."""
        return self._seats.text(self._position.text())

    def facts(self) -> dict[str, str]:
        return {"black": self.holder("black")}
