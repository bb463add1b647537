"""Go 围棋 as a `Position`: moves in GTP vertices, ``PASS``, and after two passes the dead stones listed by each side.

With a handicap 让子, Black's stones are on the board before the first move, which is White's. Two passes confirm the end
for both sides (双方已确认终局). Then each side, the first to pass first, writes ``dead`` and the stones that it considers dead
(``dead C3 D4``, or ``dead`` alone). Stones in both lists are removed. A stone in only one list is disputed and stays as
seki. The second list ends the game.
"""

from collections.abc import Sequence
from functools import partial

from services.games.rules.boards.go.area import count, winner
from services.games.rules.boards.go.board import EMPTY, Board, Point, handicap_points, point_of, vertex, vertices
from services.games.rules.boards.go.legality import Fault, Game
from services.games.rules.boards.port.board_game import rules_of
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, Position, illegal
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GoRules
from shared.core.state.grounds import ground
from shared.core.terms import Side, other

default_rules = partial(rules_of, "campus", "go", GoRules)
"""Returns the rules without a tournament's regulations: those of the set ``campus``."""
KO = "000-A 围棋, 行棋 4"
SUICIDE = "000-A 围棋, 行棋 5"
KOMI = "000-A 围棋, 贴子"
SEKI = "000-A 围棋, 终局 (1)"
NO_RESUMPTION = "000-A 围棋, 终局 (2)"
COLOURS = "000-A 围棋, 行棋 1"
PLACING = "000-A 围棋, 行棋 2"
GIVEN_UP = "000-E 围棋, 5(4)"
SUPERKO = "regulations: positional superko"

FAULTS: dict[Fault, str] = {"occupied": PLACING, "ko": KO, "suicide": SUICIDE, "superko": SUPERKO}


class GoPosition(Position):
    """A game of Go up to here. Black moves first, or White with a handicap. A `Side` is a colour."""

    __slots__ = ("_called", "_contested_to", "_game", "_passes", "_plies", "_rules", "_turn")

    def __init__(self, rules: GoRules | None = None, start: tuple[Board, Side] | None = None) -> None:
        """Begin a game.

        ``start``: the stones before the first move, and the side to move; default: the rules' handicap.
        """
        self._rules = default_rules() if rules is None else rules
        size = self._rules.size
        stones = handicap_points(self._rules.handicap, size) if start is None else ()
        self._game = Game(size, Board.of(size, stones) if start is None else start[0].fork())
        self._turn: Side = start[1] if start is not None else "white" if stones else "black"
        self._plies = 0
        self._passes = 0
        self._called: tuple[frozenset[Point], ...] = ()
        """The stones that each side has listed as dead."""
        self._contested_to: Side | None = None
        """The side that owns points touched by both, if the other has given up the contest."""

    def to_move(self) -> Side:
        return self._turn

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Play a stone or ``PASS``, or after two passes list ``dead`` stones."""
        word, *values = move.upper().split() or [""]
        if word == "DEAD":
            return self._call(values)
        if self._passes == 2:
            return IllegalMove(
                say("both sides have confirmed the end, so a move cannot resume the game"), NO_RESUMPTION
            )
        if values:
            return IllegalMove(say("a move must be one vertex, or PASS"), PLACING)
        if word == "PASS":
            self._game.pass_turn()
            self._passes += 1
            return self._end_turn("PASS")
        return self._place(word)

    def _place(self, word: str) -> LegalMove | IllegalMove:
        size = self._rules.size
        point = point_of(word, size)
        if point is None:
            return illegal(ground("no_vertex", size=size), PLACING)
        fault = self._game.fault(self._turn, point)
        if fault is None and self._rules.positional_superko and self._game.repeats(self._turn, point):
            fault = "superko"
        if fault is not None:
            return illegal(ground(fault, point=vertex(point, size)), FAULTS[fault])
        self._game.play(self._turn, point)
        self._passes = 0
        return self._end_turn(vertex(point, size))

    def confirmed(self) -> bool:
        """Return whether both sides have confirmed the end."""
        return self._passes == 2

    def confirm(self) -> None:
        """Confirm the end for both sides without passes. The side to move lists dead stones first."""
        self._passes = 2

    def groups(self, names: Sequence[str]) -> tuple[str, ...] | IllegalMove:
        """Return the vertices of all stones connected to the stones on ``names``, sorted.

        If one of these points is empty, return the reason.
        """
        size, stones = self._rules.size, set[Point]()
        for name in names:
            point = point_of(name, size)
            if point is None or self._game.board.points[point] == EMPTY:
                return IllegalMove(say("{name} is empty", name=name[:8]), SEKI)
            stones |= self._game.board.group(point).stones
        return tuple(vertices(frozenset(stones), size))

    def _call(self, names: list[str]) -> LegalMove | IllegalMove:
        """Record one side's list of dead stones. If one stone of a group is listed, its whole group is dead."""
        if self._passes < 2:
            return IllegalMove(
                say("dead stones can be listed only after both sides have passed or confirmed the end"), SEKI
            )
        if len(self._called) == 2:
            return IllegalMove(say("both sides have already listed the dead stones"), NO_RESUMPTION)
        dead = self.groups(names)
        if isinstance(dead, IllegalMove):
            return dead
        self._called += (self._points(dead),)
        return self._end_turn(" ".join(["dead", *dead]))

    def settle(self, names: Sequence[str], contested_to: Side) -> tuple[str, ...] | IllegalMove:
        """Settle the board after the opponent of ``contested_to`` has given up the contest (000-E 围棋, 5(4)).

        The chief arbiter lists the dead stones, each with its group. Every point that both sides touch belongs to
        ``contested_to``.
        """
        dead = self.groups(names)
        if isinstance(dead, IllegalMove):
            return IllegalMove(dead.reason, GIVEN_UP)
        self._called, self._contested_to = (self._points(dead),) * 2, contested_to
        return dead

    def _points(self, names: Sequence[str]) -> frozenset[Point]:
        points = (point_of(one, self._rules.size) for one in names)
        return frozenset(point for point in points if point is not None)

    def _end_turn(self, move: str) -> LegalMove:
        self._turn = other(self._turn)
        self._plies += 1
        return LegalMove(move)

    def end(self) -> End | None:
        """Return the end by counting, or None while dead stones are not listed.

        The count follows once both sides have passed and listed dead stones, or the chief arbiter has listed them.
        """
        if len(self._called) < 2:
            return None
        one, two = self._called
        area = count(self._game.board, one & two, disputed=one ^ two, contested_to=self._contested_to)
        article = KOMI if self._contested_to is None else f"{GIVEN_UP}; {KOMI}"
        return End("counted", winner(area.margin_quarters(self._rules.komi_quarter_zi)), article)

    def lost_turn(self, move: str) -> str | None:
        """Return the article by which this illegal move 着手无效 loses the turn 弃权一次, or None if it does not.

        Only a ko capture and a stone on a forbidden point lose the turn, and only if the ruleset says so.
        """
        point = point_of(move, self._rules.size)
        if point is None or not self._rules.loses_turn or self._passes == 2:
            return None
        fault = self._game.fault(self._turn, point)
        return FAULTS[fault] if fault in ("ko", "suicide") else None

    def lose_turn(self) -> None:
        """Skip the turn of the side to move. Unlike a pass, this does not confirm the end and cancels earlier passes."""
        self._game.pass_turn()
        self._passes = 0
        self._end_turn("")

    def colours_correctable(self) -> bool:
        """Return whether wrong colours may still be corrected (000-A 围棋, 行棋 1)."""
        return self._plies <= self._rules.colours_until

    def text(self) -> str:
        """Return the stones line by line from the top, ``X`` black, ``O`` white, and the side to move."""
        size, points = self._rules.size, self._game.board.points
        lines = ("".join(".XO"[points[row * size + n]] for n in range(size)) for row in reversed(range(size)))
        return f"{'/'.join(lines)} {self._turn[0]}"
