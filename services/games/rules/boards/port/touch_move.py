"""Touch-move 摸子: the moves due 应走 after pieces were touched, and futile touches.

The texts are about one piece of each side. If several were touched, the first that can be moved or taken is due (Laws
4.3.1-4.3.3; our interpretation for the other texts). "Cannot move" 不可能走动 is interpreted as having no legal move, and
"cannot be taken" as not being taken by any legal move.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from shared.core.events import Ground
from shared.core.language.messages import Message, and_more
from shared.core.state.grounds import NAMED_AT_MOST, ground
from shared.core.terms import Side

FutileKind = Literal["unmovable_touch", "uncapturable_touch"]


class Option(NamedTuple):
    """A legal ``move`` in the notation of the sheets, the square of its piece, and the square of the piece that it ``takes``."""

    move: str
    origin: str
    takes: str | None


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
    """A touch after which no move is possible; a foul 犯规 if the game's text has it."""

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


def judge(touched: Sequence[str], own: Collection[str], options: Sequence[Option], articles: Articles) -> Due:
    """Return the moves due after pieces were ``touched`` in this order, on occupied squares.

    ``own``: squares of the side to move.

    With pieces of both sides, the first own piece takes the first of the opponent's. If that is impossible, the first
    touched piece that can be moved or taken is due (002-X 5.3-5.5; Laws 4.3.3). If pieces were touched at once, the
    opponent's piece is listed first (5.5).
    """
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
        moves = _of(square, own, options)
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
        if not _of(square, own, options)
    )


def listing(moves: Sequence[str]) -> Message:
    """Return a readable list of the moves due, limited in length."""
    return and_more(moves, NAMED_AT_MOST)


def _article(touched: Sequence[str], own: Collection[str], articles: Articles) -> str:
    kinds = {square in own for square in touched}
    if len(kinds) == 1:
        return articles.own if touched[0] in own else articles.opponents
    return articles.own_first if touched[0] in own else articles.opponents_first


def _of(square: str, own: Collection[str], options: Iterable[Option]) -> tuple[str, ...]:
    """Return the moves of an own piece, or those that take the opponent's."""
    return _texts(one for one in options if square == (one.origin if square in own else one.takes))


def _texts(options: Iterable[Option]) -> tuple[str, ...]:
    return tuple(sorted(one.move for one in options))


def own_squares(men: Mapping[str, Side], side: Side) -> frozenset[str]:
    """Return the squares of a side's pieces, from all ``men`` on the board."""
    return frozenset(square for square, whose in men.items() if whose == side)
