"""Renju 连珠: everything that the game-independent code needs of it."""

from typing import cast

from services.games.rules.boards.fifteen import make_set_up
from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.claim import Claim, ClaimInput, ClaimVerdict, needs_move, needs_side
from services.games.rules.boards.port.position import IllegalMove
from services.games.rules.boards.renju.position import CLAIM, default_rules
from services.games.rules.boards.renju.sheet_position import RenjuGame
from shared.core.language.messages import say, term
from shared.core.state.grounds import ground
from shared.core.terms import Refusal


def forbidden_point(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide White's claim that a stone of Black is forbidden 指出禁手.

    Black loses if it was forbidden and the claim is in time (000-A 五子棋, H, I; 004 3.2 (6)). Refusals: ``side-missing``,
    ``move-missing``, ``own-stone``.
    """
    refusal = needs_side(claim, CLAIM) or needs_move(claim, say("the point (h8)"), CLAIM)
    if refusal is not None:
        return refusal
    assert claim.move is not None
    renju = cast(RenjuGame, claim.position)
    if claim.side != renju.holder("white"):
        detail = say(
            "forbidden moves apply to Black, played by {side}; only White can point them out",
            side=term(claim.side or "black"),
        )
        return Refusal("rule", "own-stone", detail, CLAIM, "side")
    verdict = renju.claim(claim.move)
    if isinstance(verdict, IllegalMove):
        return ClaimVerdict(False, verdict.article, (verdict.ground,) if verdict.ground else (), claim.move)
    return ClaimVerdict(True, verdict.article, (ground("was_forbidden", point=claim.move),), claim.move, end=verdict)


CLAIMS = (Claim("forbidden_point", forbidden_point),)


RENJU = BoardGame(
    name="renju",
    passing="pass",
    start=RenjuGame,
    set_up=make_set_up(RenjuGame),
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
)
