"""What regulations say about each game: one frozen class a game, no defaults, every value from a regulations file.

Standard library only.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class XiangqiRules:
    """Xiangqi 象棋. ``natural_limit_rounds``: rounds without a capture after which a draw may be claimed (自然限着);
    ``own_checks_counted``: how many of the claimant's own checks count at most."""

    natural_limit_rounds: int
    own_checks_counted: int


@dataclass(frozen=True, slots=True)
class GoRules:
    """Go 围棋. ``komi_quarter_zi``: 贴子 in quarters of a stone (3 3/4 子 = 15)."""

    komi_quarter_zi: int
    positional_superko: bool


@dataclass(frozen=True, slots=True)
class RenjuRules:
    """Renju 连珠."""

    professional: bool


@dataclass(frozen=True, slots=True)
class GomokuRules:
    """Free gomoku 五子棋 (无禁手)."""

    centre_start: bool


@dataclass(frozen=True, slots=True)
class PredictionRules:
    """Prediction gomoku 预判."""

    share_of_time: int


@dataclass(frozen=True, slots=True)
class TwentyoneRules:
    """Twenty-one 21点."""

    dealer_stands: int
