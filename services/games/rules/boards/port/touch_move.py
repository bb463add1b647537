"""Touch-move 摸子: the moves due 应走 after pieces were touched, and futile touches.

The texts are about one piece of each side. If several were touched, the first that can be moved or taken is due (Laws
4.3.1-4.3.3; our interpretation for the other texts). "Cannot move" 不可能走动 is interpreted as having no legal move, and
"cannot be taken" as not being taken by any legal move.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeVar

from services.games.rules.boards.port.claim import ClaimFinding, ClaimInput, ClaimVerdict, no_move
from shared.core.events import Ground
from shared.core.language.messages import Message, and_more, say, term
from shared.core.state.grounds import NAMED_AT_MOST, ground
from shared.core.terms import Refusal, Side, other
from shared.core.values.bounds import SQUARES

FutileKind = Literal["unmovable_touch", "uncapturable_touch"]


class Option(NamedTuple):
    """A legal ``move`` in the notation of the sheets. ``origin``: the square of its piece.

    ``takes``: the square of the piece that it captures, or None.
    """

    move: str
    origin: str
    takes: str | None


class PiecePosition(Protocol):
    """A position of pieces that can be touched."""

    def to_move(self) -> Side: ...

    def men(self) -> Mapping[str, Side]:
        """Return the side of the piece on each occupied square."""

    def options(self) -> list[Option]:
        """Return the legal moves."""


P = TypeVar("P", bound=PiecePosition)


class Articles(NamedTuple):
    """The articles of each case in a game's text. ``accident``: touches that do not count.

    ``free`` is appended if no move is due.
    """

    own: str
    opponents: str
    own_first: str
    opponents_first: str
    unmovable: str
    uncapturable: str
    accident: str
    free: str = ""


class Futile(NamedTuple):
    """A touch of a piece that cannot be moved or taken; a foul 犯规 if the game's text has it."""

    kind: FutileKind
    square: str
    article: str


@dataclass(frozen=True, slots=True)
class Due:
    """The moves due after touches, sorted by their text. If ``moves`` is empty, any legal move may be played."""

    moves: tuple[str, ...]
    article: str
    grounds: tuple[Ground, ...]
    futile: tuple[Futile, ...] = ()


def due_after(position: PiecePosition, touched: Sequence[str], articles: Articles) -> Due:
    """Return the moves due after pieces were ``touched`` in this order, on occupied squares.

    If pieces of both sides were touched, the first own piece must take the first of the opponent's. If that is
    impossible, the first touched piece that can be moved or taken is due (002-X 5.3-5.5; Laws 4.3.3). If pieces were
    touched at once, the opponent's piece is listed first (5.5).
    """
    mover, options = position.to_move(), position.options()
    own = {square for square, whose in position.men().items() if whose == mover}
    mine = [square for square in touched if square in own]
    theirs = [square for square in touched if square not in own]
    article = _article(touched, own, articles)
    useless = _futile(touched, own, options, articles)
    unable: tuple[Ground, ...] = ()
    if mine and theirs:
        first, second = mine[0], theirs[0]
        taking = _texts(one for one in options if (one.origin, one.takes) == (first, second))
        if taking:
            return Due(taking, article, (ground("takes", square=first, other=second, moves=taking),), useless)
        unable = (ground("cannot_take", square=first, other=second),)
    for square in touched:
        moves = _moves_with(square, own, options)
        if moves:
            can = ground("moves" if square in own else "is_taken", square=square, moves=moves)
            return Due(moves, article, (*unable, can), useless)
    return Due((), article + articles.free, (*unable, ground("any_move")), useless)


def _futile(
    touched: Iterable[str], own: Collection[str], options: Sequence[Option], articles: Articles
) -> tuple[Futile, ...]:
    """Return the futile touches, each square once: own pieces that cannot move, opponent's pieces that cannot be taken."""
    return tuple(
        Futile("unmovable_touch", square, articles.unmovable)
        if square in own
        else Futile("uncapturable_touch", square, articles.uncapturable)
        for square in dict.fromkeys(touched)
        if not _moves_with(square, own, options)
    )


def listing(moves: Sequence[str]) -> Message:
    """Return the moves due as a readable list. From a long list, only the first moves are printed."""
    return and_more(moves, NAMED_AT_MOST)


def _article(touched: Sequence[str], own: Collection[str], articles: Articles) -> str:
    kinds = {square in own for square in touched}
    if len(kinds) == 1:
        return articles.own if touched[0] in own else articles.opponents
    return articles.own_first if touched[0] in own else articles.opponents_first


def _moves_with(square: str, own: Collection[str], options: Iterable[Option]) -> tuple[str, ...]:
    """Return the moves of the piece on ``square`` if it is one of the side's ``own``, else the moves that take it."""
    return _texts(one for one in options if square == (one.origin if square in own else one.takes))


def _texts(options: Iterable[Option]) -> tuple[str, ...]:
    return tuple(sorted(one.move for one in options))


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
        detail = say("{due} is to move, so only {other} can claim a touch", due=term(due), other=term(other(due)))
        return Refusal("rule", "own-move", detail, article, "side")
    if not claim.squares and not claim.stated:
        return Refusal("invalid", "squares-missing", say("name the squares touched, in order (e2)"), article, "squares")
    if len(claim.squares) > SQUARES.most:
        detail = say("give at most {squares_at_most} squares", squares_at_most=SQUARES.most)
        return Refusal("invalid", "too-many-squares", detail, article, "squares")
    for n, square in enumerate(claim.squares):
        if square not in men:
            detail = say("{square} is empty", square=repr(square))
            return Refusal("invalid", "empty-square", detail, article, f"squares[{n}]")
    return None


def _verdict(claim: ClaimInput, due: Due) -> ClaimVerdict:
    """Return the verdict with the moves due. A move announced with a wrong claim must be played instead of them.

    A futile touch becomes a finding only once per move.
    """
    offender, announced = claim.position.to_move(), claim.must_play
    new = [one for one in due.futile if one.square not in claim.touched]
    findings = tuple(ClaimFinding(one.kind, offender, one.article) for one in new)
    grounds = (*due.grounds, *(ground(one.kind, square=one.square) for one in due.futile))
    if announced is not None:
        grounds += (ground("announced", move=announced),)
    moves = due.moves if announced is None else ()
    return ClaimVerdict(True, due.article, grounds, squares=claim.squares, due=moves, findings=findings)
