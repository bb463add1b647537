"""Renju 连珠: all that generic code asks of the game."""

from typing import cast

from services.games.rules.boards.fives_set_up import set_up_by
from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.position import Position
from services.games.rules.boards.renju.claims import CLAIMS
from services.games.rules.boards.renju.default_rules import default_rules
from services.games.rules.boards.renju.sheet_position import RenjuGame
from shared.core.language.messages import say


def colours_settled(position: Position) -> bool:
    """True once the seats hold the colours that they play with."""
    return cast(RenjuGame, position).colours_settled()


RENJU = BoardGame(
    name="renju",
    passing="pass",
    start=RenjuGame,
    set_up=set_up_by(RenjuGame),
    default_rules=default_rules,
    turn="000-A 五子棋, A",
    resignation="004 3.1 (8) ②",
    agreement="004 3.1 (9)",
    offering="004 3.1 (9)",
    steps=(
        *CLOCK_STEPS,
        Step("guess", say("guesses")),
        Step("opening", say("names the opening")),
        Step("swap", say("swaps the colours"), is_ply=True),
        Step("keep", say("keeps the colours")),
        Step("offer_fifth", say("offers the fifth stones"), is_ply=True),
        Step("choose_fifth", say("keeps the fifth stone"), places=True),
    ),
    claims=CLAIMS,
    colours_settled=colours_settled,
)
