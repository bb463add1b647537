"""Claims of touch-move 摸子: the side to move touched pieces, and must move or take them (000-A 3; 002-X 5; Laws 4)."""

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from services.games.rules.boards.port.claim import ClaimFinding, ClaimInput, ClaimVerdict, no_move
from services.games.rules.boards.port.position import other
from services.games.rules.boards.port.touch_move import Articles, Due
from shared.core.language.messages import say, term
from shared.core.state.grounds import ground
from shared.core.terms import Refusal, Side

SQUARES_AT_MOST = 32
"""Maximum number of squares in one claim: the number of pieces."""


class PiecePosition(Protocol):
    """A position of pieces that can be touched."""

    def to_move(self) -> Side: ...

    def men(self) -> Mapping[str, Side]:
        """Return the side of the piece on each occupied square."""


P = TypeVar("P", bound=PiecePosition)


def decide_touch(
    claim: ClaimInput, position: P, articles: Articles, due: Callable[[P, tuple[str, ...]], Due]
) -> ClaimVerdict | Refusal:
    """Decide a claim about pieces that the side to move has touched, by their squares in the order touched.

    ``due``: returns the moves that result from touches. An arbiter must state the claim: adjusting 摆正 with consent, or
    an obvious accident, is not a touch, and only the arbiter has seen which it was (002-X 5.6; 000-A 3.6; Laws 4.2). A
    new statement replaces the earlier one for the same move. Without squares it states that nothing was touched.
    Refusals: ``move-not-asked``, ``own-move``, ``squares-missing``, ``too-many-squares``, ``empty-square``.
    """
    refusal = no_move(claim, articles.own) or _fault(claim, position, articles.own)
    if refusal is not None:
        return refusal
    if not claim.stated:
        return ClaimVerdict(False, articles.own, (ground("not_stated"),), squares=claim.squares)
    if not claim.squares:
        return ClaimVerdict(True, articles.accident, (ground("released"),))
    return _verdict(claim, due(position, tuple(dict.fromkeys(claim.squares))))


def _fault(claim: ClaimInput, position: PiecePosition, article: str) -> Refusal | None:
    due, men = position.to_move(), position.men()
    if claim.side == due:
        return Refusal(
            "rule",
            "own-move",
            say("it is {due}'s move; {other} claims a touch", due=term(due), other=term(other(due))),
            article,
            "side",
        )
    if not claim.squares and not claim.stated:
        return Refusal("invalid", "squares-missing", say("name the squares touched, in order (e2)"), article, "squares")
    if len(claim.squares) > SQUARES_AT_MOST:
        return Refusal(
            "invalid",
            "too-many-squares",
            say("at most {squares_at_most} squares are named", squares_at_most=SQUARES_AT_MOST),
            article,
            "squares",
        )
    for n, square in enumerate(claim.squares):
        if square not in men:
            return Refusal(
                "invalid",
                "empty-square",
                say("no piece stands on {square}", square=repr(square)),
                article,
                f"squares[{n}]",
            )
    return None


def _verdict(claim: ClaimInput, due: Due) -> ClaimVerdict:
    """Return the verdict with the moves due. A move announced with a wrong claim takes precedence.

    A futile touch is found once per move.
    """
    offender, announced = claim.position.to_move(), claim.must_play
    new = [one for one in due.futile if one.square not in claim.touched]
    findings = tuple(ClaimFinding(one.kind, offender, one.article) for one in new)
    grounds = (*due.grounds, *(ground(one.kind, square=one.square) for one in due.futile))
    if announced is not None:
        grounds += (ground("announced", move=announced),)
    moves = due.moves if announced is None else ()
    return ClaimVerdict(True, due.article, grounds, squares=claim.squares, due=moves, findings=findings)
