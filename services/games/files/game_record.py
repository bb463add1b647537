"""A game as a file of another program has it, in formats without a standard of their own: XQF, DhtmlXQ, WXF."""

from dataclasses import dataclass, field
from typing import NamedTuple

from shared.core.messages import Message


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
