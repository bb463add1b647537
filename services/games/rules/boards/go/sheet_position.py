"""Go on a score sheet: stones and passes are moves; ending the game and listing dead stones are steps.

Both sides confirm the end, each by a pass or by ``confirm_end``. Then each lists its ``dead`` stones. The second side
may instead ``dispute`` some stones of the first list, and agree to the rest. Disputed groups are shared like seki, and
the game never resumes (000-A 围棋, 终局). Wrong colours can be corrected early in the game (行棋 1).

The side to move may ``give_up`` the contest on the board, and its move with it. All clocks then stop. The chief arbiter
will ``settle`` the dead stones, and every point that both sides touch belongs to the opponent (000-E 围棋, 5(4)).
"""

from services.games.rules.boards.go.board import Board
from services.games.rules.boards.go.position import COLOURS, GIVEN_UP, KO, NO_RESUMPTION, PLACING, SEKI, GoPosition
from services.games.rules.boards.port.position import (
    End,
    IllegalMove,
    LegalMove,
    LegalStep,
    Seats,
    no_steps,
    not_due,
)
from shared.core.events.sheets import Step
from shared.core.language.messages import say, term
from shared.core.rulebook.game_rules import GoRules
from shared.core.terms import Side, other

CONFIRMING = "000-A 围棋, 终局 (1)"


def _refuse_stopped(side: Side) -> IllegalMove:
    detail = say(
        "{side} has given up the contest (step give_up), so play has stopped: the chief arbiter must list the dead "
        "stones by the step settle",
        side=term(side),
    )
    return IllegalMove(detail, GIVEN_UP)


class GoGame(GoPosition):
    """A `GoPosition` for a score sheet."""

    __slots__ = ("_agreed", "_given_up", "_listed", "_seats")

    def __init__(self, rules: GoRules, start: tuple[Board, Side] | None = None) -> None:
        super().__init__(rules, start)
        self._agreed: frozenset[Side] = frozenset()
        """Sides that have confirmed the end since the last move."""
        self._listed: tuple[str, ...] | None = None
        """The stones that the first side listed as dead, with their groups."""
        self._given_up: Side | None = None
        """The seat that has given up the contest."""
        self._seats = Seats()

    def holder(self, colour: Side) -> Side:
        return self._seats.holder(colour)

    def to_move(self) -> Side:
        return self.holder(super().to_move())

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a vertex or ``PASS``. Placing a stone withdraws both sides' agreement to end the game."""
        if move.upper().startswith("DEAD"):
            return IllegalMove(say("send the dead stones as a step, not as a move"), PLACING)
        if self._given_up is not None:
            return _refuse_stopped(self._given_up)
        played = super().play(move)
        if isinstance(played, LegalMove) and played.move != "PASS":
            self._agreed = frozenset()
        return played

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if step == "settle":
            return self._settle(values)
        if self._given_up is not None:
            return _refuse_stopped(self._given_up)
        taken = {
            "give_up": self._give_up,
            "confirm_end": self._confirm,
            "dead": self._list_dead,
            "dispute": self._dispute,
            "correct_colours": self._correct,
            "lose_turn": self._lose_turn,
        }.get(step)
        return no_steps(step) if taken is None else taken(side, values)

    def _lose_turn(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Skip the turn after a void move (行棋 4, 5). This step results from a claim and cannot be commanded."""
        if values or side != self.to_move():
            return not_due(side, self.to_move(), say("losing the turn"), KO)
        self.lose_turn()
        self._agreed = frozenset()
        return LegalStep(())

    def _correct(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Exchange the stones of the two seats, or return why not.

        It is possible up to and including the move that the ruleset states.
        """
        if values or not self.colours_correctable():
            return IllegalMove(
                say("it is too late to put the colours right") if not values else say("this step must not have values"),
                COLOURS,
            )
        self._seats = self._seats.exchanged()
        return LegalStep(())

    def _give_up(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if values:
            return IllegalMove(say("the step give_up must not have values"), GIVEN_UP)
        if self.confirmed():
            return IllegalMove(
                say("both sides have confirmed the end, so the contest on the board can no longer be given up"),
                NO_RESUMPTION,
            )
        if side != self.to_move():
            return not_due(side, self.to_move(), say("giving up the contest"), GIVEN_UP)
        self._given_up = side
        return LegalStep(())

    def _settle(self, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Record the dead stones of both sides as the chief arbiter lists them, after a side has given up the contest.

        That side took the step ``give_up``; until then the result is the reason why the board is not settled.
        """
        if self._given_up is None or self.end() is not None:
            detail = say(
                "settle requires that a side has given up the contest (step give_up); otherwise each side must list the "
                "dead stones by the step dead"
            )
            return IllegalMove(detail, GIVEN_UP)
        dead = self.settle(values, self.holder(other(self._given_up)))
        return dead if isinstance(dead, IllegalMove) else LegalStep(dead)

    def _confirm(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if values:
            return IllegalMove(say("the step confirm_end must not have values"), CONFIRMING)
        if side in self._agreed or self.confirmed():
            return IllegalMove(say("{side} has confirmed the end already", side=term(side)), NO_RESUMPTION)
        self._agreed |= {side}
        if len(self._agreed) == 2:
            self.confirm()
        return LegalStep(())

    def _list_dead(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        due = self.to_move()
        if self.confirmed() and side != due:
            return not_due(side, due, say("naming dead stones"), SEKI)
        call = super().play(" ".join(["dead", *values]))
        if isinstance(call, IllegalMove):
            return call
        self._listed = tuple(call.move.split()[1:])
        return LegalStep(self._listed)

    def _dispute(self, side: Side, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        if self._listed is None or self.end() is not None:
            detail = say("dead stones can be disputed only after one side has listed them and before both have")
            return IllegalMove(detail, SEKI)
        if side != self.to_move():
            return not_due(side, self.to_move(), say("disputing"), SEKI)
        disputed = self.groups(values)
        if isinstance(disputed, IllegalMove):
            return disputed
        foreign = sorted(set(disputed) - set(self._listed))
        if foreign or not disputed:
            what = (
                say("{foreign} was not listed as dead", foreign=foreign[0]) if foreign else say("name what is disputed")
            )
            return IllegalMove(what, SEKI)
        super().play(" ".join(["dead", *(one for one in self._listed if one not in disputed)]))
        return LegalStep(disputed)

    def end(self) -> End | None:
        end = super().end()
        return end and self._seats.end(end)

    def text(self) -> str:
        """Return the board, the colour to move, and ``~`` if the seats hold each other's stones."""
        return self._seats.text(super().text())

    def facts(self) -> dict[str, str]:
        gave_up: dict[str, str] = {} if self._given_up is None else {"given_up": self._given_up}
        return {"black": self.holder("black")} | gave_up
