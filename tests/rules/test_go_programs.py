"""Go against other programs: GNU Go on which points are legal, sgfmill on captures and area."""

import random
import subprocess
from collections.abc import Iterator

import pytest
from sgfmill.boards import Board as OtherBoard

from services.games.rules.boards.go.area import count
from services.games.rules.boards.go.board import EMPTY, STONE, Board, Point, vertex, vertices
from services.games.rules.boards.go.legality import Game
from shared.core.terms import Side, other
from tests.programs import program
from tests.sampling import POSITIONS, at_least


class Gtp:
    """A program that speaks the Go Text Protocol."""

    def __init__(self, *command: str) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, *commands: str) -> list[str]:
        """The answers to some commands, sent at once."""
        pipe, answers = self._process, []
        assert pipe.stdin is not None and pipe.stdout is not None
        pipe.stdin.write("".join(f"{c}\n" for c in commands))
        pipe.stdin.flush()
        for command in commands:
            first, blank = pipe.stdout.readline(), pipe.stdout.readline()
            assert first.startswith("=") and blank == "\n", f"{command}: {first}"
            answers.append(first[1:].strip())
        return answers

    def close(self) -> None:
        self._process.communicate("quit\n")


@pytest.fixture
def gnugo() -> Iterator[Gtp]:
    gtp = Gtp(program("gnugo"), "--mode", "gtp", "--chinese-rules")
    yield gtp
    gtp.close()


def random_games(seed: int, size: int, positions: int) -> Iterator[tuple[Game, Side, Point | None]]:
    """Each position of random games with the side to move and the move it then makes; None begins the next game."""
    rng, seen = random.Random(seed), 0
    while seen < positions:
        game, side = Game(size), other("white")
        for _ in range(3 * size * size):
            faults = game.faults(side)
            barred = faults.ko | faults.suicide
            legal = [Point(n) for n, stone in enumerate(game.board.points) if stone == EMPTY and n not in barred]
            move = rng.choice(legal) if legal else None
            yield game, side, move
            seen += 1
            if move is None or seen >= positions:
                break
            game.play(side, move)
            side = other(side)


def legal(game: Game, side: Side) -> set[str]:
    faults = game.faults(side)
    barred, size = faults.ko | faults.suicide, game.board.size
    return {vertex(Point(n), size) for n, s in enumerate(game.board.points) if s == EMPTY and n not in barred}


def test_legal_points_are_those_of_gnu_go(gnugo: Gtp):
    """Ko and forbidden points, for the side to move; passes are left out, as GNU Go lifts no ko by them."""
    for size in (5, 9):
        gnugo(f"boardsize {size}")
        for game, side, move in random_games(20261121, size, POSITIONS // 2):
            if not any(game.board.points):
                gnugo("clear_board")
            told = set(gnugo(f"all_legal {side}")[0].split())
            assert legal(game, side) == told, game.board.position()
            if move is not None:
                gnugo(f"play {side} {vertex(move, size)}")


@pytest.mark.parametrize("size", [9, 13])
def test_captures_and_area_are_those_of_sgfmill(size: int):
    theirs, taken_at = OtherBoard(size), 0
    for game, side, move in random_games(7, size, POSITIONS // 2):
        if not any(game.board.points):
            theirs = OtherBoard(size)
        assert stones(game.board) == sorted((colour, point) for colour, point in theirs.list_occupied_points())
        area = count(game.board, frozenset())
        assert area.black - area.white == theirs.area_score()
        if move is not None:
            taken_at += bool(game.board.taken_by(side, move))
            theirs.play(*divmod(move, size), side[0])
    assert taken_at > at_least(500)


def stones(board: Board) -> list[tuple[str, tuple[int, int]]]:
    marks = {STONE["black"]: "b", STONE["white"]: "w"}
    return sorted((marks[s], divmod(n, board.size)) for n, s in enumerate(board.points) if s != EMPTY)


def test_the_faults_of_a_whole_board_are_those_of_its_points():
    """One reading a position, or one a point: the same."""
    for game, side, _ in random_games(3, 7, 1_500):
        faults, superko = game.faults(side), game.superko(side)
        for n, stone in enumerate(game.board.points):
            point = Point(n)
            if stone == EMPTY:
                one = game.fault(side, point) or ("superko" if game.repeats(side, point) else None)
                every = dict.fromkeys(faults.ko, "ko") | dict.fromkeys(faults.suicide, "suicide")
                every |= dict.fromkeys(superko, "superko")
                assert one == every.get(point), vertices(frozenset({point}), 7)
