"""A Go game as SGF (FF[4], GM[1]), written and read by sgfmill."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sgfmill import sgf

from services.games.rules.go.board import Point, point_of, vertex
from services.games.rules.position import other
from shared.gamerules import GoRules
from shared.terms import Seconds, Side

_COLOURS: dict[Side, str] = {"black": "b", "white": "w"}
_SETUP = ("AB", "AW", "AE", "HA")


class UnreadableSgf(ValueError):
    """A file that holds no game that a score sheet can: says what and at which move."""


@dataclass(frozen=True, slots=True)
class SgfMove:
    """A vertex or ``PASS``, and the mover's seconds left where they are told."""

    move: str
    clock: Seconds | None = None


@dataclass(frozen=True, slots=True)
class SgfGame:
    """The main line of a file; Black has the first move, and sides alternate."""

    size: int
    moves: tuple[SgfMove, ...]


def written(moves: Sequence[SgfMove], rules: GoRules, headers: Mapping[str, str]) -> bytes:
    """The moves as SGF in UTF-8. ``headers`` by SGF property: PB, PW, EV, RO, DT, and RE as `result` writes it.

    What both sides call dead is no move of SGF; it stands as a comment where it was said.
    """
    game = sgf.Sgf_game(rules.size, encoding="UTF-8")
    root = game.get_root()
    root.set("KM", rules.komi_quarter_zi / 2)
    root.set("RU", "Chinese")
    for name, value in headers.items():
        root.set(name, " ".join(value.split()))
    side: Side = "black"
    for one in moves:
        node = game.get_last_node() if one.move.startswith("dead") else game.extend_main_sequence()
        if one.move.startswith("dead"):
            node.add_comment_text(f"{side}: {one.move}")
        else:
            point = None if one.move == "PASS" else point_of(one.move, rules.size)
            node.set_move(_COLOURS[side], None if point is None else divmod(point, rules.size))
            if one.clock is not None:
                node.set(f"{_COLOURS[side].upper()}L", float(one.clock))
        side = other(side)
    content: bytes = game.serialise()
    return content


def result(winner: Side | None) -> str:
    """The property RE of a game that is over; a draw has no winner."""
    return "0" if winner is None else f"{_COLOURS[winner].upper()}+"


def read(content: bytes) -> SgfGame:
    """The main line of an SGF file. Raises `UnreadableSgf`."""
    try:
        game = sgf.Sgf_game.from_bytes(content)
        size = game.get_size()
        nodes = game.get_main_sequence()
        if nodes[0].has_property("GM") and nodes[0].get_raw("GM").strip() != b"1":
            raise UnreadableSgf("this is no game of Go (GM is not 1)")
        return SgfGame(size, _moves(nodes, size))
    except UnreadableSgf:
        raise
    except (ValueError, KeyError, OverflowError, RecursionError) as problem:
        raise UnreadableSgf(f"not SGF: {problem}") from None


def _moves(nodes: Sequence[sgf.Tree_node], size: int) -> tuple[SgfMove, ...]:
    moves: list[SgfMove] = []
    side: Side = "black"
    for node in nodes:
        for setup in _SETUP:
            if node.has_property(setup):
                raise UnreadableSgf(f"after move {len(moves)}: {setup} sets up stones, which no score sheet has")
        colour, place = node.get_move()
        if colour is None:
            continue
        if colour != _COLOURS[side]:
            raise UnreadableSgf(f"move {len(moves) + 1}: {colour} moves out of turn")
        clock = f"{colour.upper()}L"
        left = Seconds(max(0, int(node.get(clock)))) if node.has_property(clock) else None
        moves.append(SgfMove("PASS" if place is None else vertex(Point(place[0] * size + place[1]), size), left))
        side = other(side)
    return tuple(moves)
