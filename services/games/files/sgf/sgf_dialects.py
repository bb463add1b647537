"""What the games of stones call themselves in SGF: Go (GM[1]), renju and gomoku (GM[4])."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from services.games.rules.boards import fifteen
from services.games.rules.boards.go.board import Point, handicap_points, point_of, vertex
from services.games.rules.boards.port.stone_list import parse
from shared.core.rulebook.game_rules import GoRules
from shared.core.terms import Side

COLOURS: dict[Side, str] = {"black": "b", "white": "w"}
"""As sgfmill names them."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """A game's dialect of SGF: its number GM and its board, and our names of points and passes.

    ``name`` of a row, counted from below, and a column, both from 0; ``place`` the other way. ``root``: what stands there;
    ``first`` has the first move; ``handicap``: where Black's stones stand before it, ``white``: where White's do.
    """

    number: int
    size: int
    name: Callable[[int, int], str]
    place: Callable[[str], tuple[int, int] | None]
    passing: str
    root: Mapping[str, object]
    first: Side = "black"
    handicap: tuple[tuple[int, int], ...] = ()
    white: tuple[tuple[int, int], ...] = ()

    def from_position(self, text: str) -> "Dialect":
        """That of a game which began from this position, as logs keep it."""
        stones = parse(text)
        black, white = (tuple(at for at in map(self.place, names) if at) for names in (stones.black, stones.white))
        first: Side = stones.to_move or "black"
        root = {name: value for name, value in self.root.items() if name != "HA"} | {"PL": COLOURS[first]}
        root |= {} if stones.handicap is None else {"HA": stones.handicap}
        root |= {} if stones.komi is None else {"KM": float(stones.komi)}
        return replace(self, root=root, first=first, handicap=black, white=white)


def go(rules: GoRules) -> Dialect:
    """The dialect of Go."""
    size = rules.size

    def name(row: int, column: int) -> str:
        return vertex(Point(row * size + column), size)

    def place(move: str) -> tuple[int, int] | None:
        point = point_of(move, size)
        return None if point is None else divmod(point, size)

    root: dict[str, object] = {"KM": rules.komi_quarter_zi / 2, "RU": "Chinese"}
    handicap = tuple(divmod(point, size) for point in handicap_points(rules.handicap, size))
    if not handicap:
        return Dialect(1, size, name, place, "PASS", root)
    return Dialect(1, size, name, place, "PASS", root | {"HA": len(handicap)}, "white", handicap)


def _place_of_five(move: str) -> tuple[int, int] | None:
    point = fifteen.point_of(move)
    if point is None:
        return None
    column, row = fifteen.place(point)
    return row, column


def fives(rules: object) -> Dialect:
    """The dialect of the games with five in a row."""
    return FIVES


FIVES = Dialect(
    number=4,
    size=fifteen.LINES,
    name=lambda row, column: fifteen.name(fifteen.ALL[row * fifteen.LINES + column]),
    place=_place_of_five,
    passing="pass",
    root={"GM": 4},
)
