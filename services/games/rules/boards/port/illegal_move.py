"""The claim of an illegal move by the side to move, shared by several games."""

from services.games.rules.boards.port.claim import ClaimFinding, ClaimInput, ClaimVerdict, needs_move
from services.games.rules.boards.port.position import LegalMove, other
from shared.core.events.games import FindingKind
from shared.core.language.messages import say, term
from shared.core.state.grounds import ground
from shared.core.terms import Refusal


def illegal_move(
    claim: ClaimInput, readable: bool, example: str, article: str, kinds: dict[str, FindingKind] | None = None
) -> ClaimVerdict | Refusal:
    """Decide that the side to move has made an illegal move. It is not on the sheet, so the position is unchanged.

    ``readable``: whether the move is written by its points, like ``example``; an unreadable text proves no illegal
    move. ``kinds``: kinds of finding other than ``illegal_move``, by the article that the move breaks. Refusals:
    ``move-missing``, ``unreadable-move``, ``own-move``.
    """
    refusal = needs_move(claim, say("the move by its points ({example})", example=example), article)
    if refusal is not None:
        return refusal
    assert claim.move is not None
    if not readable:
        detail = say("the illegal move is named by its points ({example})", example=example)
        return Refusal("invalid", "unreadable-move", detail, article, "move")
    offender = claim.position.to_move()
    if claim.side == offender:
        return Refusal(
            "rule",
            "own-move",
            say("it is {offender}'s move; {other} claims it", offender=term(offender), other=term(other(offender))),
            article,
            "side",
        )
    played = claim.position.fork().play(claim.move)
    if isinstance(played, LegalMove):
        return ClaimVerdict(False, article, (ground("legal", move=claim.move),), claim.move)
    kind = (kinds or {}).get(played.article, "illegal_move")
    finding = ClaimFinding(kind, offender, played.article)
    grounds = (ground("illegal", move=claim.move), *((played.ground,) if played.ground else ()))
    return ClaimVerdict(True, played.article, grounds, claim.move, findings=(finding,))
