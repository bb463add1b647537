"""Positions as FEN: ranks from Black's side down, ``K A B N R C P``, lower case for Black, ``w`` for Red to move.

``E`` for the elephant, ``H`` for the horse and ``r`` for Red, as in other programs, are read too.
"""

from typing import Final

from services.games.rules.boards.port.position import BadPosition
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import (
    ADVISOR,
    BLACK,
    CANNON,
    CHARIOT,
    ELEPHANT,
    HORSE,
    KING,
    LETTERS,
    NAMES,
    PAWN,
    POINTS,
    RED,
    is_at_home,
    is_in_palace,
)
from shared.core.language.messages import say

START: Final = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
"""The initial position (002-X 1.3)."""

_HOW_MANY: Final = {KING: 1, ADVISOR: 2, ELEPHANT: 2, HORSE: 2, CHARIOT: 2, CANNON: 2, PAWN: 5}
_ADVISOR_POINTS: Final = frozenset(
    point for point in POINTS if (point // 9 % 7, point % 9) in {(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)}
)
_ELEPHANT_FILES: Final = {0: (2, 6), 2: (0, 4, 8), 4: (2, 6)}


_LETTERS_TOO: Final = str.maketrans("EHeh", "BNbn")


def read(text: str) -> tuple[Board, int]:
    """Return a playable board, and the number of the next move.

    Raises BadPosition like `parse`, for pieces on impossible points or beyond the set, and for a position whose side to move
    could take the king.
    """
    board, number = parse(text)
    for man in range(1, 16):
        if man & 7:
            _check_men(man, [point for point in POINTS if board.squares[point] == man])
    if board.kings_face():
        raise BadPosition(say("the kings face each other 将帅对面"), impossible=True)
    if board.is_in_check(1 - board.turn):
        raise BadPosition(say("the side to move could take the king"), impossible=True)
    return board, number


def parse(text: str) -> tuple[Board, int]:
    """Return the board, and the number of the next move. Both counters may be omitted.

    Raises BadPosition for a text of another form, or without exactly one king on each side.
    """
    fields = text.split()
    if len(fields) not in (1, 2, 4, 6):
        raise BadPosition(say("FEN must have 1, 2, 4 or 6 fields, not {fields}", fields=len(fields)))
    squares = _squares(fields[0])
    turn = fields[1] if len(fields) > 1 else "w"
    if turn not in ("w", "r", "b"):
        raise BadPosition(say("the side to move must be w, r or b, not {turn}", turn=turn))
    counters = fields[4:] or ["0", "1"]
    if not all(counter.isascii() and counter.isdigit() and len(counter) < 6 for counter in counters):
        raise BadPosition(say("the counters must be two whole numbers, not {counters}", counters=" ".join(counters)))
    return Board(squares, BLACK if turn == "b" else RED, int(counters[0])), max(1, int(counters[1]))


def write(board: Board, number: int) -> str:
    """Return the FEN of a board before move ``number``."""
    ranks = ("".join(LETTERS[man] for man in board.squares[rank * 9 : rank * 9 + 9]) for rank in range(9, -1, -1))
    placed = "/".join(ranks)
    for empty in range(9, 0, -1):
        placed = placed.replace("." * empty, str(empty))
    return f"{placed} {'wb'[board.turn]} - - {board.quiet} {number}"


def _squares(placed: str) -> list[int]:
    ranks = placed.split("/")
    if len(ranks) != 10:
        raise BadPosition(say("a position must have ten ranks, not {ranks}", ranks=len(ranks)))
    squares: list[int] = []
    for rank, text in zip(range(9, -1, -1), ranks, strict=True):
        row = [man for letter in text.translate(_LETTERS_TOO) for man in _men(letter, rank)]
        if len(row) != 9:
            raise BadPosition(
                say("rank {rank} has {row} points, not 9: {of_text}", rank=rank, row=len(row), of_text=text)
            )
        squares[:0] = row
    check_kings(squares)
    return squares


def check_kings(squares: list[int]) -> None:
    """Raise BadPosition if either side does not have exactly one king."""
    for king in (KING, KING | 8):
        if squares.count(king) != 1:
            raise BadPosition(
                say(
                    "the position has {count} {letters}; it must have exactly one",
                    count=squares.count(king),
                    letters=LETTERS[king],
                )
            )


def _men(letter: str, rank: int) -> list[int]:
    if letter in "123456789":
        return [0] * int(letter)
    if letter == "." or letter not in LETTERS:
        raise BadPosition(say("{letter} on rank {rank} is not a piece", letter=letter, rank=rank))
    return [LETTERS.index(letter)]


def _check_men(man: int, points: list[int]) -> None:
    kind, side = man & 7, man >> 3
    if len(points) > _HOW_MANY[kind]:
        detail = say(
            "the position has {points} {letters}; a set has only {how_many}",
            points=len(points),
            letters=LETTERS[man],
            how_many=_HOW_MANY[kind],
        )
        raise BadPosition(detail, impossible=True)
    for point in points:
        if not may_stand(kind, side, point):
            wrong = say("{letters} cannot be on {names}", letters=LETTERS[man], names=NAMES[point])
            raise BadPosition(wrong, impossible=True)


def may_stand(kind: int, side: int, point: int) -> bool:
    """Return whether a piece of this kind and side can ever reach this point."""
    rank, file = point // 9, point % 9
    home = rank if side == RED else 9 - rank
    if kind == KING:
        return is_in_palace(point, side)
    if kind == ADVISOR:
        return is_in_palace(point, side) and point in _ADVISOR_POINTS
    if kind == ELEPHANT:
        return file in _ELEPHANT_FILES.get(home, ())
    if kind == PAWN:
        return home >= 3 and (not is_at_home(point, side) or file % 2 == 0)
    return True
