"""Positions of xiangqi as FEN, and the handicaps 让子 by their names.

The handicaps are our own choice, because no available rule text has them. Red 红 gives them, from the usual position,
and moves first; in 让先 Black does. Left and right are the giver's. A name without a side means the left piece.
"""

from types import MappingProxyType

from services.games.rules.boards.port.position import BadPosition, SetUp
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import BLACK, POINT_OF
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import XiangqiRules

_LEFT_RIGHT = {"马": ("b0", "h0"), "车": ("a0", "i0"), "炮": ("b2", "h2"), "相": ("c0", "g0"), "仕": ("d0", "f0")}
HANDICAPS = MappingProxyType(
    {"让先": ()}
    | {f"让{word}{man}": (left,) for man, (left, _) in _LEFT_RIGHT.items() for word in ("单", "左")}
    | {f"让右{man}": (right,) for man, (_, right) in _LEFT_RIGHT.items()}
    | {f"让双{man}": both for man, both in _LEFT_RIGHT.items()}
)
"""By name, the points from which Red's pieces are removed."""
_SIMPLIFIED = str.maketrans("讓單雙馬車砲", "让单双马车炮")


def set_up(rules: XiangqiRules, text: str) -> SetUp | None:
    """Return the position of a FEN or of a handicap's name, or None for the usual one. Raises `BadPosition`."""
    if len(text.split()) < 2 and not text.strip().translate(_SIMPLIFIED).startswith("让"):
        raise BadPosition(say("FEN must state the side to move: w, r or b"))
    position = XiangqiPosition(*board_of(text))
    return None if position.text() == fen.START else SetUp(position, position.text())


def board_of(text: str) -> tuple[Board, int]:
    """Return the board of a FEN (`fen.read`) or a handicap's name, and the number of the next move.

    Raises `BadPosition`.
    """
    name = text.strip().translate(_SIMPLIFIED)
    return (_handicap(name), 1) if name.startswith("让") else fen.read(text)


def _handicap(name: str) -> Board:
    if name not in HANDICAPS:
        raise BadPosition(say("unknown handicap {name}; available: {names}", name=name[:20], names=tuple(HANDICAPS)))
    board = fen.read(fen.START)[0]
    squares = board.squares.copy()
    for point in HANDICAPS[name]:
        squares[POINT_OF[point]] = 0
    return Board(squares, board.turn if HANDICAPS[name] else BLACK)
