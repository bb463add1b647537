"""Claims that several games have: an illegal move of the side to move."""

from services.games.rules.boards.port import Written, other
from services.games.rules.play.claim_port import Asked, Found, Ruled, needs_move
from shared.core.events.games import FindingKind
from shared.core.terms import Refusal


def illegal_move(
    asked: Asked, readable: bool, example: str, article: str, kinds: dict[str, FindingKind] | None = None
) -> Ruled | Refusal:
    """The side to move has made a move that is none. The sheet never held it, so the position stands as it was.

    ``readable``: whether the move is named by its points, as in ``example``: a text that cannot be read is nobody's
    illegal move. ``kinds``: another kind of finding than ``illegal_move`` by the article that the move breaks.
    Refusals: ``move-missing``, ``unreadable-move``, ``own-move``.
    """
    refusal = needs_move(asked, f"the move by its points ({example})", article)
    if refusal is not None:
        return refusal
    assert asked.move is not None
    if not readable:
        detail = f"the illegal move is named by its points ({example})"
        return Refusal("invalid", "unreadable-move", detail, article, "move")
    offender = asked.position.to_move()
    if asked.side == offender:
        return Refusal("rule", "own-move", f"it is {offender}'s move; {other(offender)} claims it", article, "side")
    played = asked.position.fork().play(asked.move)
    if isinstance(played, Written):
        return Ruled(False, article, f"{asked.move} is legal", asked.move)
    kind = (kinds or {}).get(played.article, "illegal_move")
    found = Found(kind, offender, played.article)
    return Ruled(True, played.article, f"{asked.move}: {played.reason}", asked.move, found=(found,))
