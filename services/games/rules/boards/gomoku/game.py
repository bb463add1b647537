"""Free gomoku 五子棋: everything that the game-independent code needs of it."""

from typing import cast

from services.games.rules.boards.fifteen import make_set_up, point_of
from services.games.rules.boards.gomoku.position import CLOCKS, OPENING, TIME, GomokuPosition, default_rules
from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.claim import Claim, ClaimInput, ClaimVerdict, illegal_move, no_move
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GomokuRules
from shared.core.state.grounds import ground
from shared.core.terms import Refusal


def stray_stone(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim that the side to move placed an illegal stone.

    If it is one of the first two stones in a forbidden place, that is a technical foul (000-B 2).
    """
    return illegal_move(claim, point_of(claim.move or "") is not None, "h8", OPENING)


def time_up(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim that the game's time is up, as the arbiter states.

    The side with more fours wins (000-B 8), if the regulations have such a time for a game. By 000-E 3 the clocks
    decide.
    """
    refusal = no_move(claim, TIME)
    if refusal is not None:
        return refusal
    if not cast(GomokuRules, claim.rules).fours_after:
        return ClaimVerdict(False, CLOCKS, (ground("no_fours"),))
    if not claim.stated:
        return ClaimVerdict(False, TIME, (ground("time_not_stated"),))
    end = cast(GomokuPosition, claim.position).at_time()
    fours = ground("more_fours", side=end.winner) if end.winner else ground("equal_fours")
    return ClaimVerdict(True, TIME, (fours,), end=end)


CLAIMS = (Claim("illegal_move", stray_stone, accuses=True), Claim("time_up", time_up))


GOMOKU = BoardGame(
    name="gomoku",
    start=GomokuPosition,
    set_up=make_set_up(GomokuPosition),
    default_rules=default_rules,
    turn="000-B 2",
    resignation="000-D ㈢(1)",
    agreement="000-D ㈡",
    offering="000-D ㈡",
    reasons={"pushed_stone": "000-B 6"},
    steps=(*CLOCK_STEPS, Step("guess", say("guesses")), Step("confirm_resignation", say("confirms the resignation"))),
    claims=CLAIMS,
    resignation_limit=lambda rules: rules.resignation_confirmed,
)
