"""Legal moves and Chinese notation against two independent programs: pyffish and cchess.

pyffish crashes on an illegal move, so it is only ever given positions, never moves.
"""

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cchess
import pyffish

from services.games.rules.boards.xiangqi import fen, notation
from services.games.rules.boards.xiangqi.geometry import move_name, move_of
from tests.sampling import POSITIONS

WORKERS = 2
LONGEST = 160


def games(seed: int, positions: int):
    """Positions of random games, each with its board; a few plies more capture where they can, so that endings come."""
    choose = random.Random(seed)
    while True:
        board, _ = fen.read(fen.START)
        for _ in range(LONGEST):
            yield board
            positions -= 1
            moves = sorted(board.legal_moves())
            if not positions:
                return
            if not moves:
                break
            captures = [move for move in moves if board.squares[move & 127]]
            board.make(choose.choice(captures if captures and choose.random() < 0.3 else moves))


def of_pyffish(move: str) -> str:
    """pyffish counts the ranks from 1."""
    parts = move.replace("10", ":")
    return "".join(str(9 if mark == ":" else int(mark) - 1) if mark in "123456789:" else mark for mark in parts)


def compare(seed: int, positions: int) -> list[str]:
    """The positions where pyffish has other legal moves."""
    differ = []
    for board in games(seed, positions):
        text = fen.write(board, 1)
        theirs = sorted(of_pyffish(move) for move in pyffish.legal_moves("xiangqi", text, []))
        if theirs != sorted(move_name(move) for move in board.legal_moves()):
            differ.append(text)
    return differ


def test_legal_moves_are_pyffishs():
    with ProcessPoolExecutor(WORKERS, mp_context=get_context("spawn")) as pool:
        found = pool.map(compare, range(WORKERS), [POSITIONS // WORKERS] * WORKERS)
        assert [text for texts in found for text in texts] == []


def test_legal_moves_and_their_chinese_are_cchesss():
    """cchess lists moves that leave the king in check until it is asked about them."""
    for board in games(7, 400):
        text = fen.write(board, 1)
        theirs = cchess.ChessBoard(text)
        legal = {
            f"{'abcdefghi'[origin[0]]}{origin[1]}{'abcdefghi'[end[0]]}{end[1]}": (origin, end)
            for origin, end in theirs.create_moves()
            if not theirs.is_checked_move(origin, end)
        }
        assert sorted(legal) == sorted(move_name(move) for move in board.legal_moves()), text
        name, (origin, end) = min(legal.items()) if legal else ("", (None, None))
        if name:
            said = theirs.copy().move(origin, end).to_text()
            read = notation.read(board, said)
            assert read == move_of(name) or name in getattr(read, "candidates", ()), (text, said, name)
