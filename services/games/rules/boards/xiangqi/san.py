"""Moves in the short notation that XBoard writes for xiangqi: a man's letter, none for a pawn, where it comes from as far as
others could go there too, and where it arrives by ICCS: ``Che2``, ``Rxb0``, ``exe6``, ``Kf0``, ``Rc8+``."""

import re
from typing import Final

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import NAMES

_SAN: Final = re.compile(r"([KAEBHNRC])?([a-i])?([0-9])?x?([a-i][0-9])[+#]?")
_KINDS: Final = {"K": 1, "A": 2, "E": 3, "B": 3, "H": 4, "N": 4, "R": 5, "C": 6, None: 7}


def moves_named(board: Board, text: str) -> list[int] | None:
    """The legal moves that the text could name; None for a text of another kind."""
    match = _SAN.fullmatch(text)
    if match is None:
        return None
    letter, file, rank, end = match.groups()
    return [
        move
        for move in board.legal_moves()
        if board.squares[move >> 7] & 7 == _KINDS[letter]
        and NAMES[move & 127] == end
        and file in (None, NAMES[move >> 7][0])
        and rank in (None, NAMES[move >> 7][1])
    ]
