"""Renju 连珠: all that generic code asks of the game."""

from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.renju.claims import CLAIMS
from services.games.rules.boards.renju.default_rules import default_rules
from services.games.rules.boards.renju.sheet_position import RenjuGame

RENJU = BoardGame(
    name="renju",
    passing="pass",
    start=RenjuGame,
    default_rules=default_rules,
    first="black",
    turn="000-A 五子棋, A",
    resignation="004 3.1 (8) ②",
    agreement="004 3.1 (9)",
    offering="004 3.1 (9)",
    steps=(
        *CLOCK_STEPS,
        Step("guess", "guesses 猜先"),
        Step("opening", "names the opening"),
        Step("swap", "swaps the colours 交换", is_ply=True),
        Step("keep", "keeps the colours"),
        Step("offer_fifth", "offers the fifth stones", is_ply=True),
        Step("choose_fifth", "keeps the fifth stone", places=True),
    ),
    claims=CLAIMS,
)
