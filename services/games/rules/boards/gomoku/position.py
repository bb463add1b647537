"""Free gomoku 五子棋 (无禁手): no forbidden moves; five or more in a row wins.

Black, with the first move, sits at line 1. The first hand is guessed before the first stone (000-B 3; 000-E 五子棋, 1).
000-B is the campus event's text, 000-D the network game's.
"""

from functools import partial

from services.games.rules.boards.fifteen import (
    ALL,
    CENTRE,
    DIRECTIONS,
    FivesPosition,
    Point,
    Stones,
    name,
    place,
    point_of,
)
from services.games.rules.boards.first_hand import ARTICLES, guess
from services.games.rules.boards.port.board_game import rules_of
from services.games.rules.boards.port.position import (
    End,
    IllegalMove,
    LegalMove,
    LegalStep,
    Seats,
    illegal,
    no_steps,
)
from shared.core.events import Ground
from shared.core.events.sheets import Step
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GomokuRules
from shared.core.state.grounds import ground
from shared.core.terms import Side, other

default_rules = partial(rules_of, "gomoku-campus", "gomoku", GomokuRules)
"""Returns the rules without a tournament's regulations: those of the set ``gomoku-campus``."""
OPENING = "000-B 2"
FIVE = "000-B 5; 000-D ㈡(1)"
FULL = "000-D ㈡(2)"
TIME = "000-B 8"
CLOCKS = "000-E 3"
PLACING = "000-B 6"


class GomokuPosition(FivesPosition):
    """A game of free gomoku up to here. Black's seat has the black stones and the first move, unless a guess changes it."""

    __slots__ = ("_free", "_guessed", "_placed", "_rules", "_seats", "_turn")

    def __init__(self, rules: GomokuRules | None = None, start: tuple[Stones, Side] | None = None) -> None:
        """Begin a game.

        ``start``: the stones that are set up, and the side to move; rules for first stones then do not apply.
        """
        self._rules = default_rules() if rules is None else rules
        self._stones = Stones() if start is None else start[0].fork()
        self._turn: Side = "black" if start is None else start[1]
        self._free = start is not None
        self._placed = self._guessed = False
        self._seats = Seats()
        self._five = start and self._stones.any_five(self._rules.overline_wins, self._rules.overline_wins)

    def holder(self, colour: Side) -> Side:
        return self._seats.holder(colour)

    def to_move(self) -> Side:
        return self.holder(self._turn)

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Place a stone on a point a1..o15."""
        point = point_of(move)
        if point is None:
            return illegal(ground("no_point"), PLACING)
        if self._stones.at(point) is not None:
            return illegal(ground("occupied", point=name(point)), PLACING)
        wrong = self._placing_fault(point)
        if wrong is not None:
            return illegal(wrong, OPENING)
        self._put(self._turn, point, self._rules.overline_wins)
        self._turn = other(self._turn)
        self._placed = True
        return LegalMove(name(point))

    def step(self, side: Side, step: Step, values: tuple[str, ...]) -> LegalStep | IllegalMove:
        """Take the step ``guess``, by which the seats get their colours, in the ruleset's form (`first_hand.guess`).

        Every other step is illegal, and so is a second guess, or one after the first stone.
        """
        if step != "guess":
            return no_steps(step)
        if self._placed or self._guessed:
            detail = say("the guess for colours can be made only once, before the first stone")
            return IllegalMove(detail, ARTICLES[self._rules.first_hand])
        guessed = guess(self._rules.first_hand, self._seats, side, values)
        if isinstance(guessed, IllegalMove):
            return guessed
        self._guessed, self._seats = True, guessed[1]
        return guessed[0]

    def colours_settled(self) -> bool:
        """Return whether the colours no longer depend on a guess.

        The guess was made, the first stone was placed without one, or the ruleset has none.
        """
        return self._guessed or self._placed or self._rules.first_hand == "as_paired"

    def _placing_fault(self, point: Point) -> Ground | None:
        """Return why one of the first two stones may not go here: a technical foul (技术犯规). None if it may."""
        if self._free:
            return None
        if self._stones.count == 0 and self._rules.centre_start and point != CENTRE:
            return ground("not_centre")
        if self._stones.count == 1 and self._rules.own_half and place(point)[1] <= place(CENTRE)[1]:
            return ground("not_own_half")
        return None

    def end(self) -> End | None:
        """Return the end by five in a row, or by a full board, or None."""
        if self._five is not None:
            return End("five", self.holder(self._five[0]), FIVE)
        return End("full_board", None, FULL) if self._stones.full() else None

    def fours(self, side: Side) -> int:
        """Count a colour's unbroken rows of exactly four stones, blocked or not: the text does not define a 4连子."""
        rows = {
            (step, tuple(self._stones.row(point, step)))
            for point in ALL
            for step in DIRECTIONS
            if self._stones.at(point) == side
        }
        return sum(len(row) == 4 for _, row in rows)

    def at_time(self) -> End:
        """Return the end if the game's time is up without a five: more fours win, equal fours are a draw."""
        black, white = self.fours("black"), self.fours("white")
        return End("fours", None if black == white else self.holder("black" if black > white else "white"), TIME)

    def text(self) -> str:
        """Return the board, the colour to move, and ``~`` if the seats hold each other's stones."""
        return self._seats.text(f"{self._stones.text()} {self._turn[0]}")

    def facts(self) -> dict[str, str]:
        return {"black": self.holder("black")}
