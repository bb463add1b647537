"""Renju 连珠 as a `Position`. A `Side` is a seat; after a swap the seats hold each other's stones.

Moves are a point (``h8``), ``opening 花月`` if the opening is agreed, ``swap``, ``f6 g7`` (the offered fifth stones),
then the one that White keeps, and ``pass``. Each is one ply (000-C 2).
"""

from dataclasses import dataclass
from functools import partial

from services.games.rules.boards.fifteen import FivesPosition, Point, Stones, name, point_of
from services.games.rules.boards.port.board_game import rules_of
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove, Seats, illegal
from services.games.rules.boards.renju.forbidden import ARTICLES, Forbidden, kinds, reading
from services.games.rules.boards.renju.openings import Opening, opening_of
from services.games.rules.boards.renju.phases import FIFTH, SWAP, Phase, Step, announced
from shared.core.language.messages import Message, say, together
from shared.core.rulebook.game_rules import RenjuRules
from shared.core.state.grounds import ground
from shared.core.terms import Ply, Side, other

default_rules = partial(rules_of, "campus", "renju", RenjuRules)
"""Returns the rules without a tournament's regulations: those of the set ``campus``."""
FIVE = "000-A 五子棋, B, G"
DRAW = "000-A 五子棋, E"
PLACING = "000-A 五子棋, A"
PASSING = "000-C 2"
CLAIM = "000-A 五子棋, H; 004 3.2 (6)"
OVERLINE_CLAIM = "000-A 五子棋, I"
LOSES = "000-E 2"
NOT_PLAYED = "004 1.4: 禁手不能落子"


@dataclass(frozen=True, slots=True)
class Foul:
    """A forbidden stone that Black has played, at this ply."""

    ply: Ply
    point: Point
    kind: Forbidden


class RenjuPosition(FivesPosition):
    """A game of renju up to here. It ends automatically with a five or a full board. White claims forbidden stones."""

    __slots__ = ("_colour", "_fouls", "_phase", "_plies", "_rules", "_seats")

    def __init__(self, rules: RenjuRules | None = None, start: tuple[Stones, Side] | None = None) -> None:
        """Begin a game. ``start``: the stones that are set up, and the side to move; the opening is then over."""
        self._rules = default_rules() if rules is None else rules
        self._stones = Stones() if start is None else start[0].fork()
        self._phase = Phase(announced(self._rules)) if start is None else Phase(over=True)
        self._colour: Side = "black" if start is None else start[1]
        self._seats = Seats()
        self._plies = 0
        self._fouls: tuple[Foul, ...] = ()
        self._five = start and self._stones.any_five(not self._rules.overline_forbidden, True)

    def holder(self, colour: Side) -> Side:
        return self._seats.holder(colour)

    def swap_over(self) -> bool:
        """Return whether no swap 三手交换 is possible any more."""
        return self._phase.swap_over(self._rules)

    def to_move(self) -> Side:
        return self.holder(self._colour)

    def waits_for(self) -> Step:
        """Return the step that the opening waits for."""
        return self._phase.step(self._rules)

    def play(self, move: str) -> LegalMove | IllegalMove:
        """Take the next step of the opening, place a stone, or pass."""
        words = move.lower().split()
        if not words:
            return IllegalMove(say("a move must be a point, or a step of the opening"), PLACING)
        if words[0] == "opening":
            return self._agree("".join(words[1:]))
        if words == ["swap"]:
            return self._swap()
        if words == ["pass"]:
            return self._pass()
        points = []
        for word in words:
            point = point_of(word)
            if point is None:
                return IllegalMove(say("{word} is not a point from a1 to o15", word=word[:20]), PLACING)
            if self._stones.at(point) is not None:
                return IllegalMove(say("{name} is occupied by a stone", name=name(point)), PLACING)
            points.append(point)
        return self._points(points)

    def _points(self, points: list[Point]) -> LegalMove | IllegalMove:
        step = self._phase.step(self._rules)
        if step == "offer":
            return self._advance(self._phase.offer(points, self._rules), " ".join(map(name, points)))
        if len(points) > 1:
            return IllegalMove(say("only one stone may be placed at a time"), PLACING)
        point = points[0]
        if step == "agree":
            return IllegalMove(say("Black must name the opening first"), self._phase.article(self._rules))
        if step == "choose":
            if point not in self._phase.offered:
                detail = say("{offered} are offered", offered=together(map(name, self._phase.offered)))
                return IllegalMove(detail, FIFTH)
            return self._stone("black", point)
        return self._stone(self._colour, point)

    def _stone(self, colour: Side, point: Point) -> LegalMove | IllegalMove:
        phase: Phase | Message = self._phase
        if self._phase.step(self._rules) != "play":
            phase = self._phase.place(point, self._rules)
        if isinstance(phase, Message):
            return IllegalMove(phase, self._phase.article(self._rules))
        kind = reading(self._stones, colour, point, kinds(self._rules)) if colour == "black" else None
        if self._rules.forbidden == "illegal" and kind is not None and kind != "five":
            detail = say("{name} is forbidden to Black (禁手)", name=name(point))
            return IllegalMove(detail, f"{NOT_PLAYED}; {ARTICLES[kind]}")
        self._put(colour, point, colour == "white" or not self._rules.overline_forbidden)
        self._plies += 1
        if kind is not None and kind != "five":
            self._fouls += (Foul(Ply(self._plies), point, kind),)
        self._phase = phase
        self._turn(after=colour)
        return LegalMove(name(point))

    def _agree(self, opening: str) -> LegalMove | IllegalMove:
        if self._phase.step(self._rules) != "agree":
            return IllegalMove(say("name an agreed opening before the first stone"), PLACING)
        phase = self._phase.agree(opening, self._rules)
        return self._advance(phase, f"opening {phase.agreed.name}" if isinstance(phase, Phase) and phase.agreed else "")

    def _swap(self) -> LegalMove | IllegalMove:
        if self._phase.step(self._rules) != "swap":
            return IllegalMove(say("White must swap after Black's second stone and before White's first stone"), SWAP)
        self._seats = self._seats.exchanged()
        return self._advance(self._phase.swap(), "swap")

    def _pass(self) -> LegalMove | IllegalMove:
        if self._phase.step(self._rules) != "play" or not self._rules.pass_allowed:
            return IllegalMove(say("passing is not allowed here"), PASSING)
        self._plies += 1
        self._colour = other(self._colour)
        return LegalMove("pass")

    def _advance(self, phase: Phase | Message, move: str) -> LegalMove | IllegalMove:
        if isinstance(phase, Message):
            return IllegalMove(phase, self._phase.article(self._rules))
        self._phase = phase
        self._plies += 1
        self._colour = phase.colour(self._rules)
        return LegalMove(move)

    def _turn(self, after: Side) -> None:
        self._colour = other(after) if self._phase.step(self._rules) == "play" else self._phase.colour(self._rules)

    def end(self) -> End | None:
        """Return the end by a five, a full board, or a forbidden stone if the rules make it lose at once, or None."""
        if self._five is not None:
            return End("five", self.holder(self._five[0]), FIVE)
        if self._fouls and self._rules.forbidden == "loses":
            return End("forbidden_move", self.holder("white"), f"{LOSES}; {ARTICLES[self._fouls[0].kind]}")
        return End("full_board", None, DRAW) if self._stones.full() else None

    def claimable(self) -> tuple[Foul, ...]:
        """Return the forbidden stones that White may claim now.

        That is the last stone played and, if the rules allow it at any time, every overline until the game ends.
        """
        if self.end() is not None:
            return ()
        late = self._rules.overline_any_time
        return tuple(f for f in self._fouls if f.ply == self._plies or (late and f.kind == "overline"))

    def claim(self, point: str) -> End | IllegalMove:
        """Decide White's claim of a forbidden stone: Black loses if it was forbidden and the claim is in time.

        Otherwise, return the reason why the claim fails.
        """
        end = self.end()
        if end is not None:
            return illegal(ground("has_ended"), OVERLINE_CLAIM)
        target = point_of(point)
        for foul in self.claimable():
            if foul.point == target:
                article = OVERLINE_CLAIM if foul.kind == "overline" else CLAIM
                return End("forbidden_move", self.holder("white"), f"{article}; {ARTICLES[foul.kind]}")
        if any(foul.point == target for foul in self._fouls):
            return illegal(ground("answered", point=point), CLAIM)
        return illegal(ground("not_forbidden", point=point), CLAIM)

    def opening(self) -> Opening | None:
        """Return the named opening of the first three stones, or None."""
        placed = self._phase.placed
        return opening_of(placed[1], placed[2]) if len(placed) > 2 else None

    def text(self) -> str:
        """Return the board, the colour to move, and ``~`` if the seats have swapped."""
        return self._seats.text(f"{self._stones.text()} {self._colour[0]}")
