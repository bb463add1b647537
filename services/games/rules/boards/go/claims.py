"""Claims in Go 围棋: an illegal move."""

from typing import cast

from services.games.rules.boards.go.board import point_of
from services.games.rules.boards.go.position import KO, SUICIDE
from services.games.rules.boards.go.sheet_position import GoGame
from services.games.rules.boards.port.claim import Claim, ClaimFinding, ClaimInput, ClaimVerdict
from services.games.rules.boards.port.illegal_move import illegal_move
from shared.core.rulebook.game_rules import GoRules
from shared.core.state.grounds import ground
from shared.core.terms import Refusal


def void_stone(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """A ko taken back without a threat, or a stone on a forbidden point 禁着点: void, and where the regulations say so
    one turn is lost, the ko with a warning (000-A 围棋, 行棋 4, 5); what else follows the rulebook says."""
    rules = cast(GoRules, claim.rules)
    verdict = illegal_move(claim, point_of(claim.move or "", rules.size) is not None, "D4", KO)
    if isinstance(verdict, Refusal) or not verdict.upheld:
        return verdict
    lost = cast(GoGame, claim.position).go.lost_turn(claim.move or "")
    if lost is None:
        return ClaimVerdict(True, verdict.article, (*verdict.grounds, ground("stone_goes_back")), verdict.move)
    grounds = (*verdict.grounds, ground("turn_lost"))
    point = (ClaimFinding("forbidden_point", claim.position.to_move(), lost.article),)
    findings = point if lost.article == SUICIDE else verdict.findings if lost.warning else ()
    return ClaimVerdict(True, lost.article, grounds, verdict.move, findings=findings, loses_turn=True)


CLAIMS = (Claim("illegal_move", void_stone, accuses=True),)
