"""Xiangqi 中国象棋: everything that the game-independent code needs of it."""

from functools import partial

from services.games.rules.boards.port.board_game import ADJOURNMENT, CLOCK_STEPS, BoardGame, rules_of
from services.games.rules.boards.xiangqi.claims import CLAIMS
from services.games.rules.boards.xiangqi.position import XiangqiPosition
from services.games.rules.boards.xiangqi.set_up import set_up
from shared.core.rulebook.game_rules import XiangqiRules

default_rules = partial(rules_of, "xiangqi-1999", "xiangqi", XiangqiRules)
"""Returns the rules without a tournament's regulations: those of the set ``xiangqi-1999``."""

XIANGQI = BoardGame(
    name="xiangqi",
    start=lambda rules: XiangqiPosition(),
    set_up=set_up,
    default_rules=default_rules,
    clock_fault="002-X 22.4",
    turn="002-X 2.1; 000-A 7.4",
    resignation="002-X 4.1.9; 000-A 2.8",
    agreement="002-X 4.2.2; 000-A 2, 和 2",
    offering="002-X 23.1",
    sealing="000-E 4(四)",
    reasons={"wrong_order": "002-X 5.8; 000-A 3.8"},
    steps=(*ADJOURNMENT, *CLOCK_STEPS),
    claims=CLAIMS,
)
