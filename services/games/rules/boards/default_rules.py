"""The rules that games are decided by where no tournament's regulations are before the desk: those that the house's own
regulations have for each game, with their articles, and for chess the Laws. Twenty-one is played in no tournament: its
rules stand in ``books.toml``.
"""

import tomllib
from functools import cache
from importlib.resources import files
from typing import TypeVar

from shared.core.game_rules import (
    BoardRules,
    ChessRules,
    GomokuRules,
    GoRules,
    PredictionRules,
    RenjuRules,
    TwentyoneRules,
    XiangqiRules,
)
from shared.regulations import load

T = TypeVar("T", bound=BoardRules)


def chess() -> ChessRules:
    return _rules("fide-2024", "chess", ChessRules)


def go() -> GoRules:
    return _rules("campus", "go", GoRules)


def renju() -> RenjuRules:
    return _rules("campus", "renju", RenjuRules)


def gomoku() -> GomokuRules:
    return _rules("gomoku-campus", "gomoku", GomokuRules)


def prediction() -> PredictionRules:
    return _rules("campus", "prediction", PredictionRules)


@cache
def twentyone() -> TwentyoneRules:
    table = tomllib.loads(files(__package__).joinpath("books.toml").read_text(encoding="utf-8"))
    return TwentyoneRules(**table["twentyone"])


def xiangqi() -> XiangqiRules:
    return _rules("xiangqi-1999", "xiangqi", XiangqiRules)


def _rules(regulations: str, game: str, of: type[T]) -> T:
    rules = load(regulations).game.rules[game]
    assert isinstance(rules, of)
    return rules
