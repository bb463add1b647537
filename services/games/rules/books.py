"""The rules that games are decided by where no tournament's regulations are before the desk."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from shared.gamerules import (
    ChessRules,
    GomokuRules,
    GoRules,
    PieceWorth,
    PredictionRules,
    RenjuRules,
    TwentyoneRules,
    XiangqiRules,
)


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("books.toml").read_text(encoding="utf-8"))


def chess() -> ChessRules:
    return ChessRules(**_tables()["chess"])


def go() -> GoRules:
    return GoRules(**_tables()["go"])


def renju() -> RenjuRules:
    return RenjuRules(**_tables()["renju"])


def gomoku() -> GomokuRules:
    return GomokuRules(**_tables()["gomoku"])


def prediction() -> PredictionRules:
    return PredictionRules(**_tables()["prediction"])


def twentyone() -> TwentyoneRules:
    return TwentyoneRules(**_tables()["twentyone"])


def xiangqi() -> XiangqiRules:
    values = _tables()["xiangqi"]
    return XiangqiRules(**values | {"worth": PieceWorth(**values["worth"])})
