"""The rules that games are decided by where no tournament's regulations are before the desk: those that the house's own
regulations have for each game, with their articles, and for chess the Laws. Twenty-one is played in no tournament: its
rules stand in ``books.toml``.
"""

from dataclasses import dataclass
from functools import cache
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
from shared.regulations.typed_toml import read_toml

T = TypeVar("T", bound=BoardRules)


@dataclass(frozen=True, slots=True)
class Books:
    """The rules of the games that no regulations have: a table of ``books.toml`` each."""

    twentyone: TwentyoneRules


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
    return read_toml(__package__, "books.toml", Books).twentyone


def xiangqi() -> XiangqiRules:
    return _rules("xiangqi-1999", "xiangqi", XiangqiRules)


def _rules(regulations: str, game: str, of: type[T]) -> T:
    rules = load(regulations).game.rules[game]
    assert isinstance(rules, of)
    return rules
