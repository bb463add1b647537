"""The results of the hall as people write them: 1 – 0, ½ – ½, and + : − by forfeit."""

from typing import NamedTuple

from shared.core.outcomes import NOTATION, TYPED, UNPLAYED, Share

_SIGNS = {Share.WIN: "1", Share.DRAW: "½", Share.LOSS: "0", Share.WALKOVER: "+", Share.FORFEIT: "−"}
_KEYS = {value: key for key, value in TYPED.items()}


class ResultWords(NamedTuple):
    """A result as the hall reports it: its notation, the key that types it (none for what only a decision gives), and the marks
    as people write them.

    ``played``: at the board, not by forfeit."""

    value: str
    key: str
    marks: str
    played: bool


def result_words(value: str) -> ResultWords:
    """A result by its notation: ``+/-``. Raises KeyError for none."""
    white, black = NOTATION[value]
    return ResultWords(
        value, _KEYS.get(value, ""), written(_SIGNS[white], _SIGNS[black], white not in UNPLAYED), white not in UNPLAYED
    )


def written(white: str, black: str, played: bool) -> str:
    """Two marks beside each other, with a dash where the game was played and a colon where it was not."""
    return f"{white} {'–' if played else ':'} {black}"


RESULTS = tuple(map(result_words, TYPED.values()))
"""Those that its forms offer."""
