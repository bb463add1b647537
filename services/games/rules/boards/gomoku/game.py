"""Free gomoku 五子棋: all that generic code asks of the game."""

from typing import cast

from services.games.rules.boards.fives_set_up import set_up_by
from services.games.rules.boards.gomoku.claims import CLAIMS
from services.games.rules.boards.gomoku.default_rules import default_rules
from services.games.rules.boards.gomoku.sheet_position import GomokuGame
from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.position import Position
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GomokuRules
from shared.core.terms import Seconds


def resignation_limit(rules: GomokuRules) -> Seconds:
    """The seconds within which a resignation is confirmed, or else void (000-D ㈢(1)); 0: it needs no confirmation."""
    return rules.resignation_confirmed


def colours_settled(position: Position) -> bool:
    """True once the seats hold the colours that they play with."""
    return cast(GomokuGame, position).colours_settled()


GOMOKU = BoardGame(
    name="gomoku",
    start=GomokuGame,
    set_up=set_up_by(GomokuGame),
    default_rules=default_rules,
    turn="000-B 2",
    resignation="000-D ㈢(1)",
    agreement="000-D ㈡",
    offering="000-D ㈡",
    reasons={"pushed_stone": "000-B 6"},
    steps=(*CLOCK_STEPS, Step("guess", say("guesses")), Step("confirm_resignation", say("confirms the resignation"))),
    claims=CLAIMS,
    colours_settled=colours_settled,
    resignation_limit=resignation_limit,
)
