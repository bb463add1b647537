"""Xiangqi: legal-move lists and judged repetitions, against python-chess's legal-move lists for chess."""

import random
from collections.abc import Iterator

import chess

from services.games.rules.boards.registry import default_rules
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import PAWN, move_of
from services.games.rules.boards.xiangqi.repetition import judge
from tests.bench.measure import Ratio, Work, compare_cpu

PERFT_4 = 3_290_240
CHESS_LISTS = 2_000
"""A repetition of a hundred plies may take as long as so many of python-chess's lists."""
CHASE = ("3aka3/9/c3b4/9/9/9/1R7/4B4/9/3AKA3 w", "b3a3 a7b7 a3b3 b7a7")
TOURS = 6
WAY_OUT = 12


def benchmarks() -> Iterator[Ratio]:
    boards, chess_boards = xiangqi_positions(), chess_positions()
    yield compare_cpu(
        "xiangqi legal-move lists", "lists/s", 0.3, lambda: lists(boards), lambda: chess_lists(chess_boards, 10)
    )
    yield compare_cpu(
        "xiangqi perft 4 from the start", "lists/s", 0.3, perft_4, lambda: chess_lists(chess_boards, 10), rounds=1
    )
    once = chess_floor(chess_boards)
    yield compare_cpu("a repetition of 100 plies, cycles of 4", "judged/s", 1.0, hundred_plies, once)
    rides = [tour(board, seed) for seed, board in enumerate(boards[:TOURS])]
    yield compare_cpu("a repetition of 96 plies, cycles of 48", "judged/s", 1.0, lambda: judged(rides), once)


def xiangqi_positions() -> list[Board]:
    """Positions of random games, with the same share of openings and endings as those of chess."""
    choose, found = random.Random(1), []
    while len(found) < 60:
        board, _ = fen.read(fen.START)
        for ply in range(60):
            moves = sorted(board.legal_moves())
            if not moves:
                break
            board.make(choose.choice(moves))
            if ply % 10 == 9:
                found.append(board.fork())
    return found


def chess_positions() -> list[chess.Board]:
    choose, found = random.Random(1), []
    while len(found) < 60:
        board = chess.Board()
        for ply in range(60):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(choose.choice(moves))
            if ply % 10 == 9:
                found.append(board.copy(stack=False))
    return found


def lists(boards: list[Board]) -> int:
    for _ in range(10):
        for board in boards:
            board.legal_moves()
    return 10 * len(boards)


def chess_lists(boards: list[chess.Board], times: int) -> int:
    for _ in range(times):
        for board in boards:
            list(board.legal_moves)
    return times * len(boards)


def chess_floor(boards: list[chess.Board]) -> Work:
    """One unit is `CHESS_LISTS` lists."""

    def work() -> int:
        chess_lists(boards, CHESS_LISTS // len(boards) + 1)
        return 1

    return work


def perft_4() -> int:
    """The number of lists made on the way to the known number of lines."""
    board, _ = fen.read(fen.START)
    lines, made = perft(board, 4)
    assert lines == PERFT_4
    return made


def perft(board: Board, depth: int) -> tuple[int, int]:
    moves = board.legal_moves()
    if depth == 1:
        return len(moves), 1
    lines, made = 0, 1
    for move in moves:
        board.make(move)
        more = perft(board, depth - 1)
        board.unmake()
        lines, made = lines + more[0], made + more[1]
    return lines, made


def hundred_plies() -> int:
    text, cycle = CHASE
    board, _ = fen.read(text)
    moves = [move_of(move) for move in cycle.split()] * 25
    assert judge(board, moves, default_rules("xiangqi")).outcome == "black_wins"
    return 1


def judged(rides: list[tuple[Board, list[int]]]) -> int:
    for board, moves in rides:
        assert judge(board, moves, default_rules("xiangqi")).outcome != "none"
    return len(rides)


def tour(start: Board, seed: int) -> tuple[Board, list[int]]:
    """Both sides move quietly out and the same way back, twice."""
    choose = random.Random(seed)
    while True:
        board, cycle = start.fork(), list[int]()
        while len(cycle) < 4 * WAY_OUT:
            moves = quiet(board) if len(cycle) < 2 * WAY_OUT else back(board, cycle)
            if not moves:
                break
            cycle.append(choose.choice(moves))
            board.make(cycle[-1])
        if len(cycle) == 4 * WAY_OUT and board.key() == start.key():
            return start, cycle * 2


def quiet(board: Board) -> list[int]:
    """The moves that can be taken back: no captures, no pawns."""
    moves = sorted(board.legal_moves())
    return [move for move in moves if not board.squares[move & 127] and board.squares[move >> 7] & 7 != PAWN]


def back(board: Board, cycle: list[int]) -> list[int]:
    """The side's own last move out that is not yet undone, turned round, if it is legal now."""
    done = len(cycle) - 2 * WAY_OUT
    out = cycle[2 * (WAY_OUT - done // 2) - 2 + done % 2]
    undone = (out & 127) << 7 | out >> 7
    return [undone] if undone in board.legal_moves() else []
