"""Counting by area 数子法: stones and the points that only they surround. Points touched by both sides are shared (双活)."""

from dataclasses import dataclass

from services.games.rules.boards.go.board import BLACK, EMPTY, WHITE, Board, Point, neighbours
from shared.core.terms import Side


@dataclass(frozen=True, slots=True)
class Area:
    """The points of each side, and ``neutral`` ones, half of which go to each."""

    black: int
    white: int
    neutral: int

    def black_quarters(self) -> int:
        """Return Black's count in quarters of a 子, with half of the neutral points."""
        return 4 * self.black + 2 * self.neutral

    def margin_quarters(self, komi: int) -> int:
        """Return Black's margin above half of the board plus komi (贴子), in quarters of a 子. Below 0 White wins."""
        return self.black_quarters() - 2 * (self.black + self.white + self.neutral) - komi


def count(
    board: Board, dead: frozenset[Point], disputed: frozenset[Point] = frozenset(), contested_to: Side | None = None
) -> Area:
    """Count a finished board after removing the ``dead`` stones.

    ``disputed``: stones that one side alone listed as dead; they are not removed. An empty region is neutral if it
    borders stones of both colours, as in seki, or contains a disputed point (000-A 围棋, 终局 (1)). ``contested_to``:
    the side that receives all neutral points because the opponent gave up the contest for them (000-E 围棋, 5(4)); None
    if they stay neutral.
    """
    cleared = board.fork()
    cleared.remove(dead - disputed)
    black, white = cleared.points.count(BLACK), cleared.points.count(WHITE)
    neutral, seen = 0, set[Point]()
    for n, stone in enumerate(cleared.points):
        if stone != EMPTY or n in seen:
            continue
        region = cleared.group(Point(n)).stones
        seen |= region
        owners = {cleared.points[near] for point in region for near in neighbours(board.size)[point]} - {EMPTY}
        if owners == {BLACK} and not region & disputed:
            black += len(region)
        elif owners == {WHITE} and not region & disputed:
            white += len(region)
        else:
            neutral += len(region)
    match contested_to:
        case "black":
            return Area(black + neutral, white, 0)
        case "white":
            return Area(black, white + neutral, 0)
    return Area(black, white, neutral)


def winner(margin: int) -> Side | None:
    """Return the winner by Black's ``margin``: Black above 0, White below 0, None for a draw."""
    return None if margin == 0 else "black" if margin > 0 else "white"
