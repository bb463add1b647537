"""Score sheets of stones as SGF (FF[4]), written and read by sgfmill: Go (GM[1]), renju and gomoku (GM[4])."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sgfmill import sgf

from services.games.rules.boards import fifteen
from services.games.rules.boards.go.board import Point, handicap_points, point_of, vertex
from services.games.rules.boards.port.position import other
from services.games.rules.boards.port.stone_list import parse
from shared.core.game_rules import GoRules
from shared.core.single_line import single_line
from shared.core.terms import Seconds, Side

_COLOURS: dict[Side, str] = {"black": "b", "white": "w"}
_SETUP = ("AB", "AW", "AE", "HA")
_HANDICAP = ("AB", "HA")


class UnreadableSgf(ValueError):
    """A file that holds no game that a score sheet can: says what and at which move."""


@dataclass(frozen=True, slots=True)
class SgfMove:
    """A point or a pass as the sheet names it, and the mover's seconds left where they are told."""

    move: str
    clock: Seconds | None = None


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
        root = {name: value for name, value in self.root.items() if name != "HA"} | {"PL": _COLOURS[first]}
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


def _name_of_five(row: int, column: int) -> str:
    return fifteen.name(fifteen.ALL[row * fifteen.LINES + column])


def _place_of_five(move: str) -> tuple[int, int] | None:
    point = fifteen.point_of(move)
    if point is None:
        return None
    column, row = fifteen.place(point)
    return row, column


def fives(rules: object) -> Dialect:
    """The dialect of the games with five in a row."""
    return FIVES


FIVES = Dialect(4, fifteen.LINES, _name_of_five, _place_of_five, "pass", {"GM": 4})


def write(
    moves: Sequence[SgfMove], game: Dialect, headers: Mapping[str, str], notes: Mapping[int, Sequence[str]]
) -> bytes:
    """The moves, side after side, as SGF in UTF-8. ``headers`` by SGF property: PB, PW, EV, RO, GC, DT, and RE as `result`
    writes it; ``notes``, by the number of moves before them, stand as comments.
    """
    file = sgf.Sgf_game(game.size, encoding="UTF-8")
    root = file.get_root()
    for name, value in [*game.root.items(), *((name, single_line(value)) for name, value in headers.items())]:
        root.set(name, value)
    if game.handicap or game.white:
        root.set_setup_stones(game.handicap, game.white)
    _comment(root, notes.get(0, ()))
    side = game.first
    for n, one in enumerate(moves, 1):
        node = file.extend_main_sequence()
        node.set_move(_COLOURS[side], game.place(one.move))
        if one.clock is not None:
            node.set(f"{_COLOURS[side].upper()}L", float(one.clock))
        _comment(node, notes.get(n, ()))
        side = other(side)
    content: bytes = file.serialise()
    return content


def _comment(node: sgf.Tree_node, notes: Sequence[str]) -> None:
    if notes:
        node.set("C", "\n".join(notes))


def result(winner: Side | None) -> str:
    """The property RE of a game that is over; a draw has no winner."""
    return "0" if winner is None else f"{_COLOURS[winner].upper()}+"


def read(content: bytes, game: Dialect) -> tuple[SgfMove, ...]:
    """The main line of an SGF file, in which sides alternate. Raises `UnreadableSgf`."""
    try:
        file = sgf.Sgf_game.from_bytes(content)
        nodes = file.get_main_sequence()
        number = nodes[0].get_raw("GM").strip() if nodes[0].has_property("GM") else b"%d" % game.number
        if number != b"%d" % game.number:
            raise UnreadableSgf(
                f"this is another game: GM is {number[:9].decode('ascii', 'replace')}, not {game.number}"
            )
        if file.get_size() != game.size:
            raise UnreadableSgf(f"the board has {file.get_size()} lines, not {game.size}")
        if game.handicap:
            _check_handicap(nodes[0], game)
        return _moves(nodes, game)
    except UnreadableSgf:
        raise
    except (ValueError, KeyError, OverflowError, RecursionError) as problem:
        raise UnreadableSgf(f"not SGF: {problem}") from None


def _check_handicap(root: sgf.Tree_node, game: Dialect) -> None:
    """Raises `UnreadableSgf` where the stones before the first move are not those of the handicap."""
    if sorted(root.get_setup_stones()[0]) != sorted(game.handicap):
        raise UnreadableSgf(
            f"before move 1: AB is to set up the {len(game.handicap)} handicap stones of the regulations"
        )


def _moves(nodes: Sequence[sgf.Tree_node], game: Dialect) -> tuple[SgfMove, ...]:
    moves: list[SgfMove] = []
    side = game.first
    for n, node in enumerate(nodes):
        for setup in _SETUP:
            if node.has_property(setup) and not (n == 0 and game.handicap and setup in _HANDICAP):
                raise UnreadableSgf(f"after move {len(moves)}: {setup} sets up stones, which no score sheet has")
        colour, place = node.get_move()
        if colour is None:
            continue
        if colour != _COLOURS[side]:
            raise UnreadableSgf(f"move {len(moves) + 1}: {colour} moves out of turn")
        clock = f"{colour.upper()}L"
        left = Seconds(max(0, int(node.get(clock)))) if node.has_property(clock) else None
        moves.append(SgfMove(game.passing if place is None else game.name(*place), left))
        side = other(side)
    return tuple(moves)
