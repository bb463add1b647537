"""Claims in xiangqi 象棋: the natural limit, a repetition, a position nobody can win, an illegal move.

Articles: 002-X is 象棋竞赛规则 of 1999; 000-A is the campus event's text, chapter 中国象棋规则.
"""

import re
from collections.abc import Sequence
from typing import cast

from services.games.rules.boards.port import End
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.board import Board
from services.games.rules.boards.xiangqi.drawn_material import DRAWN, drawn_material
from services.games.rules.boards.xiangqi.geometry import BLACK, COLOURS, RED, move_of
from services.games.rules.boards.xiangqi.natural_limit import count
from services.games.rules.boards.xiangqi.position import FACING, ILLEGAL, XiangqiPosition
from services.games.rules.boards.xiangqi.repetition import Judgement, explain, judge
from services.games.rules.boards.xiangqi.search_budget import Effort, TooMuch
from services.games.rules.play.claim_illegal_move import illegal_move
from services.games.rules.play.claim_port import Asked, Claims, Found, Ruled, no_move
from services.games.rules.play.claim_touch import touch
from shared.core.game_rules import XiangqiRules
from shared.core.terms import Ply, Refusal

LIMIT = "002-X 4.2.4, 23.3; 000-A 2, 和 4"
REPEATED = "002-X 24; 000-A 2.6, 和 3"
ONCE_MORE = "002-X 24.3, 4.1.7"
_ICCS = re.compile(r"[a-i][0-9]-?[a-i][0-9]", re.IGNORECASE)


def natural_limit(asked: Asked) -> Ruled | Refusal:
    """The natural limit 自然限着: drawn where it is reached; a player who claims it falsely is found, the arbiter who
    counts unasked finds nothing."""
    refusal = no_move(asked, LIMIT)
    if refusal is not None:
        return refusal
    rules = cast(XiangqiRules, asked.rules)
    claimant = None if asked.side is None else COLOURS.index(asked.side)
    counted = count(_start(), _moves(asked.moves), claimant, rules)
    checks = f"of {counted.own_checks} own checks at most {rules.own_checks_counted} count; " if asked.side else ""
    grounds = f"{counted.rounds} rounds without a capture; {checks}it takes {rules.natural_limit_rounds}"
    if counted.reached(rules.natural_limit_rounds):
        return Ruled(True, LIMIT, grounds, end=End("natural_limit", None, LIMIT))
    found = () if asked.side is None else (Found("false_natural_limit", asked.side, LIMIT),)
    return Ruled(False, LIMIT, grounds, found=found)


def repetition(asked: Asked) -> Ruled | Refusal:
    """A repetition judged by the 棋例: drawn, lost by one-sided perpetual check, or one side is told to vary, and loses
    when the cycle has come once more (24.1-24.3). Refusal ``cycle-too-long``: the arbiter judges it by himself."""
    try:
        return no_move(asked, REPEATED) or _repeated(asked, Effort())
    except TooMuch as problem:
        return Refusal("rule", "cycle-too-long", f"{problem}; the arbiter judges it", REPEATED, "claim")


def _repeated(asked: Asked, effort: Effort) -> Ruled:
    """Raises `TooMuch`."""
    rules, moves = cast(XiangqiRules, asked.rules), _moves(asked.moves)
    judgement = judge(_start(), moves, rules, effort=effort)
    grounds = "\n".join(explain(judgement))
    if judgement.outcome == "none":
        return Ruled(False, REPEATED, grounds)
    if judgement.outcome == "draw":
        return Ruled(True, judgement.article, grounds, end=End("repetition", None, judgement.article))
    winner = COLOURS[RED if judgement.outcome == "red_wins" else BLACK]
    if judgement.at_once:
        return Ruled(True, judgement.article, grounds, end=End("perpetual_check", winner, judgement.article))
    if _once_more(moves, asked.said.varying, judgement, rules, effort):
        return Ruled(True, ONCE_MORE, grounds, end=End("forbidden_repetition", winner, ONCE_MORE))
    return Ruled(True, judgement.article, grounds)


def _once_more(
    moves: Sequence[int], told: Sequence[Ply], judgement: Judgement, rules: XiangqiRules, effort: Effort
) -> bool:
    """Whether the side that loses was told to vary, and the position of then has come again since."""
    keys = _keys(moves)
    return any(
        keys[ply] in keys[ply + 1 :] and judge(_start(), moves[:ply], rules, effort=effort).outcome == judgement.outcome
        for ply in dict.fromkeys(told)
    )


def material(asked: Asked) -> Ruled | Refusal:
    """A position that nobody can win 双方均无可能取胜: what the board shows ends the game by itself; of what it does not
    show the arbiter is the judge."""
    refusal = no_move(asked, DRAWN)
    if refusal is not None:
        return refusal
    shown = drawn_material(cast(XiangqiPosition, asked.position).board)
    if not shown and not asked.stated:
        return Ruled(False, DRAWN, "a side has pieces that could win; no arbiter has found otherwise")
    grounds = "no piece left can win" if shown else "the arbiter finds that neither side can win"
    return Ruled(True, DRAWN, grounds, end=End("drawn_material", None, DRAWN))


def illegal(asked: Asked) -> Ruled | Refusal:
    """A move against the rules, facing generals 将帅对面 told from the others (4.1.2, 4.1.6)."""
    readable = bool(_ICCS.fullmatch(asked.move or ""))
    return illegal_move(asked, readable, "h2e2", ILLEGAL, {FACING: "facing_generals"})


def _start() -> Board:
    return fen.read(fen.START)[0]


def _moves(moves: Sequence[str]) -> list[int]:
    return [move_of(move) for move in moves]


def _keys(moves: Sequence[int]) -> list[bytes]:
    """What tells each position from the others, from the start on."""
    board = _start()
    keys = [board.key()]
    for move in moves:
        board.make(move)
        keys.append(board.key())
    return keys


CLAIMS: Claims = {
    "natural_limit": natural_limit,
    "repetition": repetition,
    "drawn_material": material,
    "illegal_move": illegal,
    "touch": touch,
}
