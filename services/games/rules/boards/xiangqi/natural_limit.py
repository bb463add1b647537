"""The natural limit 自然限着: so many rounds without a capture, and a draw may be claimed (002-X 4.2.4, 23.3)."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.games.rules.boards.xiangqi.board import Board
from shared.core.rulebook.game_rules import XiangqiRules


@dataclass(frozen=True, slots=True)
class Count:
    """``plies`` since the last capture; ``own_checks`` that the claimant gave in them; ``rounds`` as counted."""

    plies: int
    own_checks: int
    rounds: int

    def reaches(self, rounds: int) -> bool:
        return self.rounds >= rounds


def count(start: Board, moves: Sequence[int], claimant: int | None, rules: XiangqiRules) -> Count:
    """Count for a claim by side ``claimant`` after ``moves``: of its own checks at most
    ``rules.own_checks_counted`` count (23.3), each one above takes a round off. None: the arbiter counts unasked,
    and nobody's checks are capped.

    ``start`` brings the plies since a capture that its FEN names, and no checks.
    """
    board = start.fork()
    own_checks = 0
    for move in moves:
        mover = board.turn
        board.make(move)
        if not board.quiet:
            own_checks = 0
        elif mover == claimant and board.in_check(board.turn):
            own_checks += 1
    above = max(0, own_checks - rules.own_checks_counted)
    return Count(board.quiet, own_checks, board.quiet // 2 - above)
