"""Claims of touch-move 摸子: the side to move has touched pieces, and must move or take them (000-A 3; 002-X 5; Laws 4)."""

from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

from services.games.rules.boards.port.claim import ClaimFinding, ClaimInput, ClaimVerdict, no_move
from services.games.rules.boards.port.position import other
from services.games.rules.boards.port.touch_move import Articles, Due
from shared.core.language.messages import say, term
from shared.core.state.grounds import ground
from shared.core.terms import Refusal, Side

SQUARES_AT_MOST = 32
"""Squares of one claim: as many as there are pieces."""


class PiecePosition(Protocol):
    """A position of pieces that can be touched."""

    def to_move(self) -> Side: ...

    def men(self) -> Mapping[str, Side]:
        """The side whose piece stands on each square that has one."""


P = TypeVar("P", bound=PiecePosition)


def decide_touch(
    claim: ClaimInput, position: P, articles: Articles, due: Callable[[P, tuple[str, ...]], Due]
) -> ClaimVerdict | Refusal:
    """The pieces that the side to move has touched, by their squares, in the order touched; ``due``: what they ask for.

    It holds where an arbiter states it: adjusting 摆正 with consent, or an obvious accident, is no touch, and he alone
    has seen which it was (002-X 5.6; 000-A 3.6; Laws 4.2). What he states replaces what he stated for the same move; no
    squares: nothing was touched. Refusals: ``move-not-asked``, ``own-move``, ``squares-missing``, ``too-many-squares``,
    ``empty-square``.
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
    """The moves due; a move announced with a wrong claim comes before them. A futile touch is found once a move."""
    offender, announced = claim.position.to_move(), claim.must_play
    new = [one for one in due.futile if one.square not in claim.touched]
    findings = tuple(ClaimFinding(one.kind, offender, one.article) for one in new)
    grounds = (*due.grounds, *(ground(one.kind, square=one.square) for one in due.futile))
    if announced is not None:
        grounds += (ground("announced", move=announced),)
    moves = due.moves if announced is None else ()
    return ClaimVerdict(True, due.article, grounds, squares=claim.squares, due=moves, findings=findings)
