"""Free gomoku 五子棋 (无禁手): no forbidden moves; five or more in a row wins.

A `Side` is a colour. Black, with the first move, sits at line 1. 000-B is the campus event's text, 000-D the network
game's.
"""

from typing import Self

from services.games.rules.boards.fifteen import ALL, CENTRE, DIRECTIONS, Point, Stones, name, place, point_of
from services.games.rules.boards.port.board_game import rules_of
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, illegal, other
from shared.core.events import Ground
from shared.core.rulebook.game_rules import GomokuRules
from shared.core.state.grounds import ground
from shared.core.terms import Side


def default_rules() -> GomokuRules:
    """Return the rules without a tournament's regulations: those of the set ``gomoku-campus``."""
    return rules_of("gomoku-campus", "gomoku", GomokuRules)


OPENING = "000-B 2"
FIVE = "000-B 5; 000-D ㈡(1)"
FULL = "000-D ㈡(2)"
TIME = "000-B 8"
CLOCKS = "000-E 3"
PLACING = "000-B 6"


class GomokuPosition:
    """A game of free gomoku up to here."""

    __slots__ = ("_five", "_free", "_rules", "_stones", "_turn")

    def __init__(self, rules: GomokuRules | None = None, start: tuple[Stones, Side] | None = None) -> None:
        """Begin a game.

        ``start``: the stones that are set up, and the side to move; rules for first stones then do not apply.
        """
        self._rules = default_rules() if rules is None else rules
        self._stones = Stones() if start is None else start[0].fork()
        self._turn: Side = "black" if start is None else start[1]
        self._free = start is not None
        self._five = start and self._stones.any_five(self._rules.overline_wins, self._rules.overline_wins)

    def fork(self) -> Self:
        copy = object.__new__(type(self))
        copy._rules, copy._free = self._rules, self._free
        copy._stones, copy._turn, copy._five = self._stones.fork(), self._turn, self._five
        return copy

    def to_move(self) -> Side:
        return self._turn

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
        self._stones.put(self._turn, point)
        row = self._stones.five(point, overline=self._rules.overline_wins)
        if row is not None and self._five is None:
            self._five = self._turn, tuple(row)
        self._turn = other(self._turn)
        return LegalMove(name(point))

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
            return End("five", self._five[0], FIVE)
        return End("full_board", None, FULL) if self._stones.full() else None

    def fours(self, side: Side) -> int:
        """Count unbroken rows of exactly four stones, blocked or not: the text does not define a 4连子."""
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
        return End("fours", None if black == white else "black" if black > white else "white", TIME)

    def five(self) -> list[str] | None:
        """Return the winning row by name, or None."""
        return None if self._five is None else [name(p) for p in self._five[1]]

    def can_win(self, side: Side) -> bool:
        """Return whether a side can still win: both can until the game ends."""
        end = self.end()
        return end is None or end.winner == side

    def text(self) -> str:
        return f"{self._stones.text()} {self._turn[0]}"
