"""The acts that regulations may allow players. Standard library only."""

from dataclasses import dataclass
from typing import Literal

PlayerAct = Literal["see", "check_in", "call", "report", "claim", "half_bye"]
"""An act that regulations may allow players: see their own board, check in, call an arbiter, state the result of their own
game, make claims, and take a half-point bye."""


@dataclass(frozen=True, slots=True)
class PlayerRules:
    """The acts that players may do themselves by their own tokens, with the article.

    A log contains them only if they differ from these defaults.
    """

    allowed_acts: tuple[PlayerAct, ...] = ("see", "check_in", "call", "claim")
    article: str = "default: results and byes are entered by officials"
