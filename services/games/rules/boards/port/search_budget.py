"""The search limit of one judgement: a constructed cycle can be so long and full of checks that its analysis takes minutes."""

from shared.core.language.messages import say

MOVES_AT_MOST = 8_000
"""Maximum number of moves tried on the board.

A cycle from a real game takes hundreds, one of forty-eight plies in the middle of a game two thousand.
"""


class TooMuch(Exception):
    """Raised if the analysis of a cycle would take more than `MOVES_AT_MOST`."""

    def __init__(self) -> None:
        super().__init__(
            say(
                "this cycle is too long to analyse: more than {moves} moves would have to be tried on the board",
                moves=MOVES_AT_MOST,
            )
        )


class Effort:
    """The remaining part of `MOVES_AT_MOST`, shared by judgements of one request.

    ``reasons``: a second budget of the same size, for the reasons of their verdicts.
    """

    __slots__ = ("_left", "_reasons")

    def __init__(self) -> None:
        self._left = MOVES_AT_MOST
        self._reasons: Effort | None = None

    @property
    def reasons(self) -> "Effort":
        self._reasons = self._reasons or Effort()
        return self._reasons

    def spend(self) -> None:
        """Count one tried move. Raises `TooMuch` if the budget is used up."""
        if not self._left:
            raise TooMuch
        self._left -= 1
