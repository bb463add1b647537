"""Every game behind the port keeps the port's promises, whatever is tried on it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.go.position import GoPosition
from services.games.rules.boards.gomoku.position import GomokuPosition
from services.games.rules.boards.port.position import SIDES, IllegalMove, LegalMove, Position
from services.games.rules.boards.prediction.position import PredictionPosition
from services.games.rules.boards.registry import GAMES as PLAYED
from services.games.rules.boards.registry import default_rules
from services.games.rules.boards.renju.position import RenjuPosition
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from tests.tiers import examples

GAMES: dict[str, Callable[[], Position]] = {
    "chess": ChessPosition,
    "go": lambda: GoPosition(replace(default_rules("go"), size=5, positional_superko=True)),
    "renju": RenjuPosition,
    "renju, agreed": lambda: RenjuPosition(replace(default_rules("renju"), opening="agreed", professional=True)),
    "renju, strict": lambda: RenjuPosition(replace(default_rules("renju"), forbidden="loses", symmetric_fifths=False)),
    "gomoku": GomokuPosition,
    "prediction": PredictionPosition,
    "xiangqi": XiangqiPosition,
}
XIANGQI_MOVES = ["h2e2", "h9g7", "炮二平五", "馬８進７", "e2e6", "兵三进一"]
CHESS_MOVES = ["e4", "e5", "e2e4", "Nf3", "g8f6", "Qh5", "Qxf7", "O-O", "a7a8q", "0000"]
POINTS = st.builds("{}{}".format, st.sampled_from("fghijFG"), st.integers(6, 10))
VERTICES = st.builds("{}{}".format, st.sampled_from("ABCDE"), st.integers(1, 5))
STEPS = st.sampled_from(["pass", "PASS", "swap", "opening 花月", "opening 彗星", "dead", "dead A1 B2", "h8", "h8 h9"])
SEALED = st.sampled_from(["白子42手 黑子43手", "和 和", "白子8手 白子10手", "黑子7手 和"])
MOVES = st.lists(
    st.one_of(POINTS, VERTICES, STEPS, SEALED, st.sampled_from(CHESS_MOVES + XIANGQI_MOVES), st.text(max_size=5)),
    max_size=60,
)


def test_no_game_is_left_out():
    assert {name.partition(",")[0] for name in GAMES} == set(PLAYED)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(60), deadline=None)
@given(MOVES)
@example(["h8", "h9", "i9", "swap", "h7", "g6 j10", "j10", "a1", "pass"])
@example(["h8", "h9", "i9", "h7", "白子42手 黑子43手", "g6", "pass"])
@example(["opening 花月", "h8", "h9", "i9", "a1", "g6 j10", "g6"])
@example(["C3", "A1", "PASS", "PASS", "dead A1", "dead", "B2"])
def test_what_was_written_plays_the_same_game_again(game, moves):
    position, kept = GAMES[game](), []
    for move in moves:
        before, fork = position.text(), position.fork()
        answer = position.play(move)
        if isinstance(answer, IllegalMove):
            assert answer.reason and answer.article
            assert position.text() == before, "an illegal move changes nothing"
        else:
            kept.append(answer.move)
        assert fork.text() == before, "a fork is its own"
        assert fork.play(move) == answer
        if position.end() is not None:
            break
    again = GAMES[game]()
    assert [again.play(move) for move in kept] == [LegalMove(move) for move in kept]
    assert (again.text(), again.to_move(), again.end()) == (position.text(), position.to_move(), position.end())


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=examples(30), deadline=None)
@given(MOVES)
def test_an_end_has_its_article_and_only_its_winner_can_win(game, moves):
    position = GAMES[game]()
    for move in moves:
        position.play(move)
        end = position.end()
        if end is not None:
            assert end.termination and end.article
            assert game == "chess" or [s for s in SIDES if position.can_win(s)] == [s for s in SIDES if s == end.winner]
            return
    assert position.to_move() in SIDES
