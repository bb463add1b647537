"""A position that is set up 摆局 before the first move, told in the game's own notation."""

from typing import NamedTuple

from services.games.rules.boards.port.position import Position
from shared.core.language.messages import Message

USUAL = "startpos"
"""The word for the usual position, in every game (UCI's)."""
LONGEST_POSITION = 2_000
"""Characters: a full board of Go, each stone by its name."""


class SetUp(NamedTuple):
    """A position that games may begin from, and its ``text`` as logs keep it, which reads the same again."""

    position: Position
    text: str


class BadPosition(ValueError):
    """A text that is no position of the game; the message says what is wrong. ``impossible``: it can be read, and no game
    has such a position."""

    def __init__(self, reason: Message, impossible: bool = False) -> None:
        super().__init__(reason)
        self.impossible = impossible
