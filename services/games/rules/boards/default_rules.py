"""The rules that games are decided by where no tournament's regulations are before the desk: those that the house's own
regulations have for each game, with their articles, and for chess the Laws. Twenty-one is played in no tournament: its
rules stand in ``books.toml``.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import TypeVar

from shared.core.game_rules import (
    ChessRules,
    GomokuRules,
    GoRules,
    PredictionRules,
    RenjuRules,
    TwentyoneRules,
    XiangqiRules,
)
from shared.regulations import load

T = TypeVar("T")


def chess() -> ChessRules:
    return _had(load("fide-2024").game.chess)


def go() -> GoRules:
    return _had(load("campus").game.go)


def renju() -> RenjuRules:
    return _had(load("campus").game.renju)


def gomoku() -> GomokuRules:
    return _had(load("gomoku-campus").game.gomoku)


def prediction() -> PredictionRules:
    return _had(load("campus").game.prediction)


@cache
def twentyone() -> TwentyoneRules:
    table = tomllib.loads(files(__package__).joinpath("books.toml").read_text(encoding="utf-8"))
    return TwentyoneRules(**table["twentyone"])


def xiangqi() -> XiangqiRules:
    return _had(load("xiangqi-1999").game.xiangqi)


def _had(rules: T | None) -> T:
    assert rules is not None, "these regulations are for this game"
    return rules
