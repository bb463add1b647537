"""The results of the hall as its forms offer them."""

from typing import NamedTuple

from shared.core.outcomes import NOTATION, TYPED, UNPLAYED

_MARKS = {
    "1-0": "1 – 0",
    "1/2-1/2": "½ – ½",
    "0-1": "0 – 1",
    "+/-": "+ : −",
    "-/+": "− : +",
    "-/-": "− : −",
}


class ResultWords(NamedTuple):
    """A result that the hall reports: its notation, the key that types it, and the marks as people write them.

    ``played``: at the board, not by forfeit."""

    value: str
    key: str
    marks: str
    played: bool


RESULTS = tuple(
    ResultWords(value, key, _MARKS[value], NOTATION[value][0] not in UNPLAYED) for key, value in TYPED.items()
)
