"""Moves as XBoard writes them: ``Che2``, ``Rxb0``, ``exe6``."""

import re
from typing import Final

from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import NAMES

_SAN: Final = re.compile(r"([KAEBHNRC])?([a-i])?([0-9])?x?([a-i][0-9])[+#]?")
_SAN_KINDS: Final = {"K": 1, "A": 2, "E": 3, "B": 3, "H": 4, "N": 4, "R": 5, "C": 6, None: 7}


def moves_named(board: Board, text: str) -> list[int] | None:
    """Return the legal moves that a text of XBoard (``Che2``, ``Rxb0``, ``exe6``) could name, or None for another text.

    It has a man's letter (none for a pawn), as much of its origin as is needed, and its destination in ICCS.
    """
    match = _SAN.fullmatch(text)
    if match is None:
        return None
    letter, file, rank, end = match.groups()
    return [
        move
        for move in board.legal_moves()
        if board.squares[move >> 7] & 7 == _SAN_KINDS[letter]
        and NAMES[move & 127] == end
        and file in (None, NAMES[move >> 7][0])
        and rank in (None, NAMES[move >> 7][1])
    ]
