"""The dearest questions and files of each kind that our limits let in."""

import random
from collections.abc import Callable
from typing import NamedTuple

import chess

from services.games.files.pgn.pgn_games import TOKENS_AT_MOST as PGN_TOKENS
from services.games.files.sgf.sgf_tree import TOKENS_AT_MOST as SGF_TOKENS
from services.games.rules.boards.go.board import EMPTY, LARGEST, Point, vertex
from services.games.rules.boards.go.legality import Game
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import move_name
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.terms import Side
from tests.bench.reading import file_of
from tests.bench.xiangqi import CHASE, tour, xiangqi_positions
from tests.rules.test_xiangqi_files import ubb, xqf_file

_QUIET = 120
"""Plies without a capture or move of a pawn, after which one is played."""
_FIFTEEN = "abcdefghijklmno"
Question = dict[str, object]


def long_chess() -> list[chess.Move]:
    """Return as many plies as a score sheet holds: no position occurs three times, and a capture or move of a pawn now and then.

    Without these, the game would end by the rule of 75 moves (Laws 9.6.2).
    """
    chance, board, seen = random.Random(1), chess.Board(), dict[object, int]()

    def goes_on(move: chess.Move) -> bool:
        if board.is_zeroing(move) and board.halfmove_clock < _QUIET:
            return False
        board.push(move)
        fits = seen.get(board._transposition_key(), 0) < 2 and not board.is_check() and any(board.legal_moves)
        board.pop()
        return fits

    while board.ply() < PLIES_AT_MOST:
        moves = list(board.legal_moves)
        chance.shuffle(moves)
        moves.sort(key=board.is_zeroing, reverse=True)
        board.push(next(move for move in moves if goes_on(move)))
        seen[board._transposition_key()] = seen.get(board._transposition_key(), 0) + 1
    return board.move_stack


def long_pgn() -> str:
    """That game with a clock and a comment behind each move."""
    board, words = chess.Board(), list[str]()
    for move in long_chess():
        words.append(f"{board.fullmove_number}{'.' if board.turn else '...'} {board.san(move)} {{[%clk 1:00:00] ok}}")
        board.push(move)
    return '[Result "*"]\n\n' + "\n".join(words) + " *\n"


def long_go() -> list[tuple[str, str]]:
    """Random legal moves on the largest board, with captures from the middle of the game to its end."""
    chance, game, moves = random.Random(3), Game(LARGEST), list[tuple[str, str]]()
    sides: tuple[Side, Side] = ("black", "white")
    while len(moves) < PLIES_AT_MOST:
        side = sides[len(moves) % 2]
        free = [Point(n) for n, stone in enumerate(game.board.points) if stone == EMPTY]
        chance.shuffle(free)
        point = next((p for p in free if game.fault(side, p) is None and not game.repeats(side, p)), None)
        if point is None:
            game.pass_turn()
        else:
            game.play(side, point)
        moves.append((side[0], "PASS" if point is None else vertex(point, LARGEST)))
    return moves


def long_xiangqi() -> list[str]:
    """Random legal moves, as many as a sheet holds."""
    chance, moves = random.Random(2), list[str]()
    board, _ = fen.read(fen.START)
    while len(moves) < PLIES_AT_MOST:
        moves_here = chance.sample(sorted(board.legal_moves()), len(board.legal_moves()))
        move = next(move for move in moves_here if _goes_on(board.fork(), move))
        board.make(move)
        moves.append(move_name(move))
    return moves


def _goes_on(board: Board, move: int) -> bool:
    board.make(move)
    return bool(board.legal_moves())


def _xiangqi_tour() -> Question:
    start, moves = tour(xiangqi_positions()[0], 0)
    return _ask("xiangqi", "repetition", fen=fen.write(start, 1), moves=[move_name(move) for move in moves])


def _xiangqi_chase() -> Question:
    text, cycle = CHASE
    return _ask("xiangqi", "repetition", fen=text, moves=cycle.split() * (PLIES_AT_MOST // 4))


def _every_second_point() -> list[str]:
    return [f"{letter}{y + 1}" for x, letter in enumerate(_FIFTEEN) for y in range(15) if (x + y) % 2]


def _ask(game: str, ask: str, **fields: object) -> Question:
    return {"game": game, "ask": ask} | fields


QUESTIONS: dict[str, Callable[[], Question]] = {
    "chess replayed": lambda: _ask("chess", "replay", moves=[move.uci() for move in long_chess()]),
    "xiangqi replayed": lambda: _ask("xiangqi", "replay", moves=long_xiangqi()),
    "xiangqi, natural limit": lambda: _ask(
        "xiangqi", "natural_limit", moves=long_xiangqi(), claimant="red", limit_rounds=60
    ),
    "xiangqi, cycle of 48": _xiangqi_tour,
    "xiangqi, chase of 5,000": _xiangqi_chase,
    "go replayed": lambda: _ask("go", "replay", size=LARGEST, moves=long_go()),
    "go, legality": lambda: _ask("go", "legality", size=LARGEST, moves=long_go()),
    "go, area": lambda: _ask("go", "area", size=LARGEST, moves=long_go()),
    "renju, forbidden": lambda: _ask("renju", "forbidden", black=_every_second_point(), white=[]),
}
"""What makes a question to the judge."""
PGN, SGF = "application/x-chess-pgn", "application/x-go-sgf"


class File(NamedTuple):
    """A game file, and the number of the game in it that is meant."""

    game: str
    regulations: str
    media: str
    make: Callable[[], str | bytes]
    number: int = 1


FILES = {
    "PGN of 5,000 plies": File("chess", "fide-2026", PGN, long_pgn),
    "PGN of 500 games": File("chess", "fide-2026", PGN, lambda: file_of(500), 500),
    "PGN of marks": File("chess", "fide-2026", PGN, lambda: "1. e4 " + "$1\n" * (PGN_TOKENS - 9) + "*"),
    "PGN of tags": File("chess", "fide-2026", PGN, lambda: "".join(f'[T{n} "v"]\n' for n in range(70_000)) + "1. e4 *"),
    "SGF of values": File("go", "go-campus", SGF, lambda: f"(;SZ[19];B[aa]LB{'[aa:a]' * (SGF_TOKENS - 9)})"),
    "SGF of variations": File(
        "go", "go-campus", SGF, lambda: f"(;SZ[19];B[aa](;W[ab]){'(;W[bb])' * (SGF_TOKENS // 3 - 9)})"
    ),
    "SGF of a remark": File("go", "go-campus", SGF, lambda: "(;SZ[19];B[aa]C[" + r"\]" * 520_000 + "])"),
    "DhtmlXQ": File("xiangqi", "campus", "text/x-dhtmlxq", lambda: ubb(movelist="77477062", comment1="x" * 1_000_000)),
    "XQF": File("xiangqi", "campus", "application/x-xqf", lambda: xqf_file(18, [(72, 42), (79, 67)], "x" * 1_000_000)),
    "WXF": File("xiangqi", "campus", "text/x-wxf", lambda: "1. C2.5 H8+7 2. H2+3\n" + " " * 1_000_000),
    "RIF": File("gomoku", "gomoku-free", "application/x-rif", lambda: _rif(9_000), 9_000),
}
"""Each of a mebibyte, or as large as one may be."""


def _rif(count: int) -> str:
    game = '<game id="1" bresult="1"><move>h8 a15 i8 a1 j8 o1 k8 o15 l8</move><info>good</info></game>\n'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<database><games>{game * count}</games></database>'
