"""A game as a file of another program has it, in formats without a standard of their own: XQF, DhtmlXQ, WXF."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from services.games.files.game_file import Places
from services.games.rules.boards.port.set_up import BadPosition
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.geometry import LETTERS, NAMES
from shared.core.messages import Message, message_of, say

_MEN = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
"""The pieces of a set in the order in which XQF and DhtmlXQ have their points."""


class RecordMove(NamedTuple):
    """A move as the sheets read it, and where it stands in the file: ``line 3, column 5``, or the byte from 0."""

    move: str
    spot: Message


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One game. ``position``: the one that it begins from, as FEN; ``facts``: what the file says beside the moves, by the
    file's own names; ``remarks``: texts on the position after so many plies; ``variations``: how many there are."""

    moves: tuple[RecordMove, ...]
    position: str
    facts: dict[str, str] = field(default_factory=dict)
    remarks: tuple[tuple[int, str], ...] = ()
    variations: int = 0


class UnreadableRecord(ValueError):
    """A file that holds no game: what is wrong, and where."""

    def __init__(self, why: Message, spot: Message) -> None:
        super().__init__(why)
        self.why, self.spot = why, spot


def spot_of(places: Places, at: int) -> Message:
    """Line and column of a character, in words."""
    line, column = places.of(at)
    return say("line {line}, column {column}", line=line, column=column)


def squares_of(points: Iterable[int | None], spot: Message) -> list[int]:
    """The 90 squares with the 32 pieces of a set on their points, None: off the board. Raises `UnreadableRecord` at ``spot``."""
    squares = [0] * len(NAMES)
    for man, point in zip(_MEN, points, strict=True):
        if point is None:
            continue
        if squares[point]:
            raise UnreadableRecord(say("two pieces stand on {name}", name=NAMES[point]), spot)
        squares[point] = LETTERS.index(man)
    try:
        fen.check_kings(squares)
    except BadPosition as problem:
        raise UnreadableRecord(message_of(problem), spot) from None
    return squares
