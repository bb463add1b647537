"""Go 围棋: everything that the game-independent code needs of it."""

from typing import cast

from services.games.rules.boards.go.board import point_of
from services.games.rules.boards.go.position import KO, SUICIDE, default_rules
from services.games.rules.boards.go.set_up import set_up
from services.games.rules.boards.go.sheet_position import GoGame
from services.games.rules.boards.port.board_game import CLOCK_STEPS, BoardGame, Step
from services.games.rules.boards.port.claim import Claim, ClaimFinding, ClaimInput, ClaimVerdict, illegal_move
from shared.core.language.messages import say
from shared.core.rulebook.game_rules import GoRules
from shared.core.state.grounds import ground
from shared.core.terms import Refusal


def void_stone(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim that the side to move placed an illegal stone, such as a ko capture without a threat.

    The stone goes back. If the ruleset says so, a stone that captures in a ko or is on a forbidden point 禁着点 loses
    the turn, for the ko with a warning (000-A 围棋, 行棋 4, 5). The rulebook decides all other consequences.
    """
    rules = cast(GoRules, claim.rules)
    verdict = illegal_move(claim, point_of(claim.move or "", rules.size) is not None, "D4", KO)
    if isinstance(verdict, Refusal) or not verdict.upheld:
        return verdict
    lost = cast(GoGame, claim.position).lost_turn(claim.move or "")
    if lost is None:
        return ClaimVerdict(True, verdict.article, (*verdict.grounds, ground("stone_goes_back")), verdict.move)
    grounds = (*verdict.grounds, ground("turn_lost"))
    point = (ClaimFinding("forbidden_point", claim.position.to_move(), lost),)
    findings = point if lost == SUICIDE else verdict.findings if rules.ko_warns else ()
    return ClaimVerdict(True, lost, grounds, verdict.move, findings=findings, loses_turn=True)


CLAIMS = (Claim("illegal_move", void_stone, accuses=True),)


GO = BoardGame(
    name="go",
    passing="PASS",
    start=GoGame,
    set_up=set_up,
    default_rules=default_rules,
    clock_fault="000-E 围棋 5(5)",
    turn="000-A 围棋, 违例 4",
    resignation="000-A 围棋: house, no article tells how a game is resigned",  # prose: ok: recorded in logs
    agreement="000-A 围棋: house, no article tells how a draw is agreed",  # prose: ok: recorded in logs
    offering="000-A 围棋, 违例 6, 7",
    reasons={"takes_back": "000-A 围棋, 行棋 2", "scattered": "000-A 围棋, 行棋 3"},
    steps=(
        *CLOCK_STEPS,
        Step("confirm_end", say("confirms the end")),
        Step("dead", say("calls dead")),
        Step("dispute", say("disputes the stones that were listed as dead")),
        Step("correct_colours", say("the colours are put right"), act="take moves back", permanent=True),
        Step("give_up", say("gives up the contest on the board")),
        Step("settle", say("the board is settled; dead"), act="settle boundaries"),
        Step("lose_turn", say("loses the turn"), is_ply=True, commanded=False, places=True),
    ),
    claims=CLAIMS,
)
