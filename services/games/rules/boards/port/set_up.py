"""A position that is set up 摆局 before the first move, in the game's own notation."""

from typing import NamedTuple

from services.games.rules.boards.port.position import Position
from shared.core.language.messages import Message

USUAL = "startpos"
"""The word for the usual position in every game (from UCI)."""
LONGEST_POSITION = 2_000
"""Maximum number of characters: a full board of Go, each stone by its name."""


class SetUp(NamedTuple):
    """A position that games may begin from, and its ``text`` in logs, which can be read again."""

    position: Position
    text: str


class BadPosition(ValueError):
    """An error for a text that is not a position of the game; the message says what is wrong.

    ``impossible``: it can be read, but no game has such a position.
    """

    def __init__(self, reason: Message, impossible: bool = False) -> None:
        super().__init__(reason)
        self.impossible = impossible
