"""The looking ahead that one judgement may take: a cycle can be made so long and so full of checks that naming its
moves would take minutes."""

from shared.core.language.messages import say

MOVES_AT_MOST = 8_000
"""Moves tried on the board. A cycle of games that were played takes hundreds, one of forty-eight plies in the middle of a
game two thousand."""


class TooMuch(Exception):
    """Naming the moves of a cycle would take more than `MOVES_AT_MOST`."""

    def __init__(self) -> None:
        super().__init__(
            say("naming the moves of this cycle takes more than {moves} moves tried on the board", moves=MOVES_AT_MOST)
        )


class Effort:
    """The effort that is left of `MOVES_AT_MOST`; judgements that are asked for together share one. ``reasons``: as much again,
    for what their verdicts turn on."""

    __slots__ = ("_left", "_reasons")

    def __init__(self) -> None:
        self._left = MOVES_AT_MOST
        self._reasons: Effort | None = None

    @property
    def reasons(self) -> "Effort":
        self._reasons = self._reasons or Effort()
        return self._reasons

    def spend(self) -> None:
        """Try a move. Raises `TooMuch` when none is left."""
        if not self._left:
            raise TooMuch
        self._left -= 1
