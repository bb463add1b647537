"""Reading alone of a PGN file of 500 games, each of them whole, against python-chess's own reading of it."""

import io
import random
from collections.abc import Iterator

import chess
import chess.pgn

from services.games.files.game_file import Places
from services.games.files.pgn.pgn_games import games
from services.games.files.pgn.pgn_reader import CHESS, read_game
from tests.bench.measure import Ratio, compare_cpu

GAMES, PLIES = 500, 80


def benchmarks() -> Iterator[Ratio]:
    text = file_of(GAMES)
    yield compare_cpu(
        f"a file of {GAMES} games read, to python-chess", "games/s", 0.3, lambda: ours(text), lambda: theirs(text), 3
    )


def file_of(count: int) -> str:
    """That many games of random moves."""
    chance = random.Random(1)
    return "".join(f'[Event "x"]\n[Result "*"]\n\n{_moves(chance)} *\n\n' for _ in range(count))


def _moves(chance: random.Random) -> str:
    board, words = chess.Board(), list[str]()
    while len(words) < PLIES and not board.is_game_over():
        move = chance.choice(list(board.legal_moves))
        words.append((f"{board.fullmove_number}. " if board.turn else "") + board.san(move))
        board.push(move)
    return " ".join(words)


def ours(text: str) -> int:
    places = Places(text)
    return sum(bool(read_game(game, CHESS, places).moves) for game in games(text, places))


def theirs(text: str) -> int:
    file, count = io.StringIO(text), 0
    while chess.pgn.read_game(file) is not None:
        count += 1
    return count
