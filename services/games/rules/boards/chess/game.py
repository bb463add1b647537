"""Chess 国际象棋: everything that the game-independent code needs of it."""

from services.games.rules.boards.chess.claims import CLAIMS
from services.games.rules.boards.chess.position import COLOURS, INITIAL, WRONG_CLAIM, ChessPosition, default_rules
from services.games.rules.boards.chess.set_up import set_up
from services.games.rules.boards.port.board_game import (
    ADJOURNMENT,
    CLOCK_STEPS,
    BoardGame,
    Progress,
    ReversedColours,
    Step,
)
from services.games.rules.boards.port.position import SIDES
from shared.core.language.messages import Message, say
from shared.core.rulebook.game_rules import ChessRules

QUARTER = 4


def goes_on(rules: ChessRules, progress: Progress) -> bool | None:
    """Return whether a game begun with reversed colours 双方棋子颠倒 continues; None if the arbiter may decide either.

    ``progress``: the moves made and the seconds used so far. In the Chinese text the clocks decide (不合规则 5): once
    over a quarter of the first time limit is used, the game continues. Before that, the arbiter may order a new game.
    The text does not say whose time counts; here it is that of both sides together, against both limits. FIDE counts
    moves (Laws 7.3): before the tenth move of both sides there is a new game, from then on the game continues.
    """
    if rules.colours_until_moves is None:
        return None
    if rules.colours_until_moves:
        return progress.moves >= rules.colours_until_moves
    time = progress.time
    first = time.periods[0].seconds if time is not None and time.periods else 0
    return True if first and progress.seconds * QUARTER > first * len(SIDES) else None


def new_game(rules: ChessRules) -> Message:
    """Return the sentence that states the move before which a game begun with reversed colours is played again."""
    return say(
        "unless both sides have made {colours_until_moves} moves, a new game must be played",
        colours_until_moves=str(rules.colours_until_moves),
    )


CHESS = BoardGame(
    name="chess",
    start=lambda rules: ChessPosition(rules=rules),
    set_up=set_up,
    default_rules=default_rules,
    clock_fault="Laws 6.10.1; house: as 000-E 围棋 5(5)",  # prose: ok: recorded in logs
    increment_first="Laws, glossary: increment, added from the start before each move",
    turn="000-A 国际象棋, 违例 4; Laws 1.2",
    resignation="000-A 国际象棋, 对局结束 2; Laws 5.1.2",
    agreement="000-A 国际象棋, 对局结束 6; Laws 5.2.3",
    offering="000-A 国际象棋, 对局结束 7; Laws 9.1.2",
    sealing="000-A 国际象棋, 对局结束 5, 9; Laws, Guidelines I",
    announced_move=WRONG_CLAIM,
    reasons={
        "illegal_move": "000-A 国际象棋, 不合规则 1; Laws 7.5.1",
        "displaced_pieces": "000-A 国际象棋, 不合规则 2; Laws 7.4.1",
        "initial_position": INITIAL,
        "wrong_colours": COLOURS,
    },
    void=frozenset({"initial_position", "wrong_colours"}),
    steps=(
        *CLOCK_STEPS,
        *ADJOURNMENT,
        Step(
            "correct_colours", say("the colours are put right"), act="take moves back", from_start=True, permanent=True
        ),
    ),
    claims=CLAIMS,
    reversed_colours=ReversedColours("correct_colours", "wrong_colours", COLOURS, goes_on, new_game),
)
