"""The ends of a game at the board: a name in `Termination` and a row each. The articles are those of each game's rules.

Standard library only.
"""

from dataclasses import dataclass
from typing import Literal

from shared.core.language.messages import Message, say

Termination = Literal[
    "resignation",
    "agreement",
    "checkmate",
    "stalemate",
    "insufficient_material",
    "drawn_material",
    "threefold_repetition",
    "fifty_moves",
    "fivefold_repetition",
    "seventyfive_moves",
    "dead_position",
    "repetition",
    "perpetual_check",
    "forbidden_repetition",
    "natural_limit",
    "five",
    "fours",
    "forbidden_move",
    "full_board",
    "limit",
    "counted",
]


@dataclass(frozen=True, slots=True)
class TerminationRow:
    """The printed name of an end (``words``). ``stated``: an arbiter may state it, because the moves alone do not show it."""

    words: Message
    stated: bool = False


TERMINATIONS: dict[Termination, TerminationRow] = {
    "resignation": TerminationRow(say("resignation"), stated=True),
    "agreement": TerminationRow(say("agreement"), stated=True),
    "checkmate": TerminationRow(say("checkmate")),
    "stalemate": TerminationRow(say("stalemate")),
    "insufficient_material": TerminationRow(say("insufficient material")),
    "drawn_material": TerminationRow(say("drawn material")),
    "threefold_repetition": TerminationRow(say("threefold repetition")),
    "fifty_moves": TerminationRow(say("fifty moves")),
    "fivefold_repetition": TerminationRow(say("fivefold repetition")),
    "seventyfive_moves": TerminationRow(say("seventy-five moves")),
    "dead_position": TerminationRow(say("dead position"), stated=True),
    "repetition": TerminationRow(say("repetition")),
    "perpetual_check": TerminationRow(say("perpetual check")),
    "forbidden_repetition": TerminationRow(say("forbidden repetition")),
    "natural_limit": TerminationRow(say("natural limit")),
    "five": TerminationRow(say("five")),
    "fours": TerminationRow(say("fours")),
    "forbidden_move": TerminationRow(say("forbidden move")),
    "full_board": TerminationRow(say("full board")),
    "limit": TerminationRow(say("limit")),
    "counted": TerminationRow(say("counted")),
}
