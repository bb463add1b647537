"""Chess on a score sheet, by seats. Seats hold each other's pieces if the colours were reversed."""

from typing import Self

import chess

from services.games.rules.boards.chess.position import COLOURS, ChessPosition
from services.games.rules.boards.port.position import End, IllegalMove, LegalStep, Seats, no_steps
from shared.core.events.sheets import Step
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import ChessRules
from shared.core.terms import Side


class ChessGame(ChessPosition):
    """A `ChessPosition` by seats."""

    __slots__ = ("_seats",)

    def __init__(self, board: chess.Board | None = None, rules: ChessRules | None = None) -> None:
        super().__init__(board, rules)
        self._seats = Seats()

    def fork(self) -> Self:
        copy = super().fork()
        copy._seats = self._seats
        return copy

    def holder(self, colour: Side) -> Side:
        return self._seats.holder(colour)

    def to_move(self) -> Side:
        return self.holder(super().to_move())

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Take the step ``correct_colours``: the seats have held each other's pieces since the first move.

        The rule is 不合规则 5 and Laws 7.3. Whether the game may continue like that is decided elsewhere.
        """
        if step != "correct_colours":
            return no_steps(step)
        if values:
            return IllegalMove(say("it names nothing"), COLOURS)
        self._seats = self._seats.exchanged()
        return LegalStep(())

    def end(self) -> End | None:
        end = super().end()
        return end and self._seats.end(end)

    def can_win(self, side: Side) -> bool:
        return super().can_win(self.holder(side))

    def men(self) -> dict[str, Side]:
        return {square: self.holder(colour) for square, colour in super().men().items()}

    def facts(self) -> dict[str, str]:
        """Return ``{"black": "white"}`` if the players have swapped pieces, else an empty dict.

        A FEN cannot express this.
        """
        return {"black": "white"} if self._seats.swapped else {}
