"""The natural limit 自然限着: a draw may be claimed after a number of rounds without a capture (002-X 4.2.4, 23.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.games.rules.boards.xiangqi.board import Board
from shared.core.rulebook.game_rules import XiangqiRules


@dataclass(frozen=True, slots=True)
class Count:
    """A count: ``plies`` since the last capture, the claimant's ``own_checks`` among them, and the counted ``rounds``."""

    plies: int
    own_checks: int
    rounds: int

    def reaches(self, rounds: int) -> bool:
        return self.rounds >= rounds


def count(start: Board, moves: Sequence[int], claimant: int | None, rules: XiangqiRules) -> Count:
    """Count for a claim by side ``claimant`` after ``moves``, or for the arbiter if None, without a limit on checks.

    At most ``rules.own_checks_counted`` of the claimant's own checks count (23.3); each further one reduces the count
    by a round. ``start`` contributes the plies since a capture in its FEN, and no checks.
    """
    board = start.fork()
    own_checks = 0
    for move in moves:
        mover = board.turn
        board.make(move)
        if not board.quiet:
            own_checks = 0
        elif mover == claimant and board.is_in_check(board.turn):
            own_checks += 1
    above = max(0, own_checks - rules.own_checks_counted)
    return Count(board.quiet, own_checks, board.quiet // 2 - above)
