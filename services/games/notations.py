"""Moves of a score sheet in the notation that a reader asks for; the sheets themselves keep one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.registry import Variant
from services.games.rules.boards.xiangqi import notation as chinese
from services.games.rules.boards.xiangqi.geometry import move_of
from services.games.rules.boards.xiangqi.position import XiangqiPosition

Width = Literal["half", "full"]
WIDTHS: tuple[Width, Width] = ("half", "full")
"""Of the digits in Chinese notation: 马8进7 or 马８进７."""
_TRADITIONAL = str.maketrans("帅将马车进后", "帥將馬車進後")
_FULL = str.maketrans("123456789", "１２３４５６７８９")


def _as_kept(position: Any, move: str) -> str:
    return move


def _san(position: ChessPosition, move: str) -> str:
    return position.san(move) or move


def _simplify(position: XiangqiPosition, move: str) -> str:
    return chinese.write(position.board, move_of(move))


Notations = dict[str, Callable[[Any, str], str]]
NOTATIONS: dict[str, Notations] = {
    "chess": {"uci": _as_kept, "san": _san},
    "xiangqi": {
        "iccs": _as_kept,
        "chinese": _simplify,
        "traditional": lambda at, move: _simplify(at, move).translate(_TRADITIONAL),
    },
}
"""By game: each notation of its moves, that of the sheets first. Other games have one alone."""
ON_PAGES = {"chess": "san", "xiangqi": "chinese"}
"""By game: the notation that people read its moves in, which numbers the moves of both sides together."""


@dataclass(frozen=True, slots=True)
class MoveStyle:
    """The style in which a reader wants moves: one of the `NOTATIONS` of the game, None as the sheet keeps them."""

    notation: str | None = None
    width: Width = "half"

    def moves(self, variant: Variant | None, moves: Iterable[str]) -> list[str]:
        """A game's moves, all from its first on, in this style."""
        if variant is None or self.notation is None:
            return list(moves)
        write, position, texts = NOTATIONS[variant.name][self.notation], variant.start(), list[str]()
        for move in moves:
            text = write(position, move)
            texts.append(text.translate(_FULL) if self.width == "full" and write is not _as_kept else text)
            position.play(move)
        return texts
