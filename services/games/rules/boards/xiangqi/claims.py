"""Claims in xiangqi 象棋: the natural limit, a repetition, a drawn position, an illegal move, touched pieces 摸子.

Articles: 002-X is 象棋竞赛规则 of 1999; 000-A is the campus event's text, chapter 中国象棋规则.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from services.games.rules.boards.port.claim import Claim, ClaimFinding, ClaimInput, ClaimVerdict, illegal_move, no_move
from services.games.rules.boards.port.position import End
from services.games.rules.boards.port.search_budget import Effort, TooMuch
from services.games.rules.boards.port.touch_move import Articles, Due, decide_touch, due_after
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.geometry import BLACK, COLOURS, RED, move_of
from services.games.rules.boards.xiangqi.position import DRAWN, FACING, ILLEGAL, XiangqiPosition, drawn_material
from services.games.rules.boards.xiangqi.repetition import PERPETUAL_CHECK, THREE_CHECKS, Judgement, explain, judge
from services.games.rules.boards.xiangqi.turning_points import turning_points, verdict_grounds
from shared.core.language.messages import message_of, say
from shared.core.rulebook.game_rules import XiangqiRules
from shared.core.state.grounds import ground
from shared.core.terms import Ply, Refusal

LIMIT = "002-X 4.2.4, 23.3; 000-A 2, 和 4"
REPEATED = "002-X 24; 000-A 2.6, 和 3"
ONCE_MORE = "002-X 24.3, 4.1.7"
ARTICLES = Articles(
    own="002-X 5.1; 000-A 3.1",
    opponents="002-X 5.2; 000-A 3.2",
    own_first="002-X 5.3; 000-A 3.3",
    opponents_first="002-X 5.4, 5.5; 000-A 3.4, 3.5",
    unmovable="002-X 9.1.5; 000-A 4.4",
    uncapturable="002-X 9.1.6; 000-A 4.5",
    accident="002-X 5.6; 000-A 3.6",
)
_ICCS = re.compile(r"[a-i][0-9]-?[a-i][0-9]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Count:
    """The moves counted for a draw claim: the ``plies`` since the last capture, and the claimant's ``own_checks`` in them.

    ``rounds``: the number of 回合 (two plies each), without those own checks that exceed the counted maximum.
    """

    plies: int
    own_checks: int
    rounds: int

    def reaches(self, rounds: int) -> bool:
        return self.rounds >= rounds


def count(start: Board, moves: Sequence[int], claimant: int | None, rules: XiangqiRules) -> Count:
    """Count the moves for a claim of the natural limit by side ``claimant`` after ``moves``.

    At most ``rules.own_checks_counted`` of the claimant's own checks count (23.3); each further one reduces the count
    by a round. If ``claimant`` is None, the arbiter counts, and all checks count. ``start`` contributes the plies since
    a capture in its FEN, and no checks.
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


def natural_limit(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim of the natural limit 自然限着: a draw if it is reached.

    A false claim of a player causes a finding. A count by the arbiter without a claim does not.
    """
    refusal = no_move(claim, LIMIT)
    if refusal is not None:
        return refusal
    rules = cast(XiangqiRules, claim.rules)
    claimant = None if claim.side is None else COLOURS.index(claim.side)
    tally = count(_start(claim), _moves(claim.moves), claimant, rules)
    counted = {"checks": tally.own_checks, "counted": rules.own_checks_counted} if claim.side else {}
    code = "natural_limit_checks" if claim.side else "natural_limit"
    grounds = (ground(code, rounds=tally.rounds, limit=rules.natural_limit_rounds, **counted),)
    if tally.reaches(rules.natural_limit_rounds):
        return ClaimVerdict(True, LIMIT, grounds, end=End("natural_limit", None, LIMIT))
    findings = () if claim.side is None else (ClaimFinding("false_natural_limit", claim.side, LIMIT),)
    return ClaimVerdict(False, LIMIT, grounds, findings=findings)


def repetition(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a repetition by the 棋例: a draw, a loss by one-sided perpetual check, or an order to vary (24.1-24.3).

    A side that is ordered to vary loses if it repeats the cycle once more. Refusal ``cycle-too-long``: the search takes too
    long, and the arbiter must decide instead of the program.
    """
    try:
        return no_move(claim, REPEATED) or _repetition(claim, Effort())
    except TooMuch as problem:
        detail = say("{problem}; the arbiter judges it", problem=message_of(problem))
        return Refusal("rule", "cycle-too-long", detail, REPEATED, "claim")


def _repetition(claim: ClaimInput, effort: Effort) -> ClaimVerdict:
    """Return the verdict on a repetition. Raises `TooMuch`."""
    rules, moves = cast(XiangqiRules, claim.rules), _moves(claim.moves)
    judgement = judge(_start(claim), moves, rules, effort=effort)
    grounds, article = explain(judgement), judgement.article
    if judgement.outcome == "none":
        return ClaimVerdict(False, REPEATED, grounds)
    once_more = not judgement.at_once and _has_come_again(_start(claim), moves, claim.varying, judgement, rules, effort)
    if once_more:
        article = ONCE_MORE
    if claim.decisions >= 2:
        points = turning_points(_start(claim), moves, rules, judgement)
        grounds += verdict_grounds(judgement, points)
        article = ", ".join(dict.fromkeys((article, *(one.article for one in points or ()))))
    end = _end(judgement, article) if judgement.at_once or once_more else None
    return ClaimVerdict(True, article, grounds, end=end)


def _end(judgement: Judgement, article: str) -> End:
    if judgement.outcome == "draw":
        return End("repetition", None, article)
    winner = RED if judgement.outcome == "red_wins" else BLACK
    by_checks = judgement.article in (PERPETUAL_CHECK, THREE_CHECKS)
    return End("perpetual_check" if by_checks else "forbidden_repetition", COLOURS[winner], article)


def _has_come_again(
    start: Board,
    moves: Sequence[int],
    warnings: Sequence[Ply],
    judgement: Judgement,
    rules: XiangqiRules,
    effort: Effort,
) -> bool:
    """Return whether the losing side was ordered to vary, and the position of that time has occurred again since.

    ``warnings``: the plies of such orders. An order counts only if the judgement at its ply had the same outcome.
    """
    keys = _keys(start.fork(), moves)
    return any(
        keys[ply] in keys[ply + 1 :]
        and judge(start.fork(), moves[:ply], rules, effort=effort).outcome == judgement.outcome
        for ply in dict.fromkeys(warnings)
    )


def material(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim that neither side can win 双方均无可能取胜.

    Such a position on the board ends the game automatically. In all others the arbiter decides.
    """
    refusal = no_move(claim, DRAWN)
    if refusal is not None:
        return refusal
    on_board = drawn_material(cast(XiangqiPosition, claim.position).board)
    if not on_board and not claim.stated:
        return ClaimVerdict(False, DRAWN, (ground("could_win"),))
    grounds = ground("no_piece_can_win" if on_board else "neither_can_win")
    return ClaimVerdict(True, DRAWN, (grounds,), end=End("drawn_material", None, DRAWN))


def illegal(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim of an illegal move; facing generals 将帅对面 are a separate kind (4.1.2, 4.1.6)."""
    readable = bool(_ICCS.fullmatch(claim.move or ""))
    return illegal_move(claim, readable, "h2e2", ILLEGAL, {FACING: "facing_generals"})


def _start(claim: ClaimInput) -> Board:
    return cast(XiangqiPosition, claim.position).start()


def _moves(moves: Sequence[str]) -> list[int]:
    return [move_of(move) for move in moves]


def _keys(board: Board, moves: Sequence[int]) -> list[bytes]:
    """Return a key of each position, from the start on."""
    keys = [board.key()]
    for move in moves:
        board.make(move)
        keys.append(board.key())
    return keys


def due(position: XiangqiPosition, touched: Sequence[str]) -> Due:
    """Return the moves of which one must follow after the side to move touched pieces on ``touched``, in this order."""
    return due_after(position, touched, ARTICLES)


def touch(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim of touched pieces 摸子 (002-X 5)."""
    return decide_touch(claim, cast(XiangqiPosition, claim.position), ARTICLES, due)


CLAIMS = (
    Claim("natural_limit", natural_limit, costs_time=True),
    Claim("repetition", repetition, varies=True),
    Claim("drawn_material", material),
    Claim("illegal_move", illegal, accuses=True),
    Claim("touch", touch, touches=True, accuses=True),
)
