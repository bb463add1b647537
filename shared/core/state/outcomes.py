"""Outcomes of a game, and the marks that they are worth under the regulations in force.

Standard library only.
"""

from enum import Enum

from shared.core.language.messages import say
from shared.core.rulebook.regulations import Points, Regulations
from shared.core.terms import HalfPoints, Mark, Refusal, Side


class Share(Enum):
    """The outcome of a game for one side, such as a win by forfeit. The regulations decide its points."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    WALKOVER = "win by forfeit"
    FORFEIT = "loss by forfeit"


NOTATION: dict[str, tuple[Share, Share]] = {
    "1-0": (Share.WIN, Share.LOSS),
    "0-1": (Share.LOSS, Share.WIN),
    "1/2-1/2": (Share.DRAW, Share.DRAW),
    "0-0": (Share.LOSS, Share.LOSS),
    "+/-": (Share.WALKOVER, Share.FORFEIT),
    "-/+": (Share.FORFEIT, Share.WALKOVER),
    "-/-": (Share.FORFEIT, Share.FORFEIT),
}
"""The written results of arbiters: White's outcome, then Black's."""

TYPED: dict[str, str] = {
    "1": "1-0",
    "=": "1/2-1/2",
    "0": "0-1",
    "+": "+/-",
    "-": "-/+",
    "--": "-/-",
}
"""The short input of the round page for each result: the outcome of the first side."""

UNPLAYED = (Share.WALKOVER, Share.FORFEIT)


def mark_of(points: Points, share: Share) -> Mark:
    """Return the result of one side (`Mark`) for an outcome. A forfeit gives the points of a win or loss, unplayed."""
    return Mark(_points_of(points, share), played=share not in UNPLAYED)


_PLAYED: dict[Side | None, str] = {"white": "1-0", "black": "0-1", None: "1/2-1/2"}
_FORFEITED = _PLAYED | {"white": "+/-", "black": "-/+"}


def marks_of(points: Points, winner: Side | None, *, forfeit: bool = False) -> tuple[Mark, Mark]:
    """Return White's and Black's marks of a game.

    ``winner`` is None for a draw. ``forfeit``: True if the game was not played.
    """
    white, black = NOTATION[(_FORFEITED if forfeit else _PLAYED)[winner]]
    return mark_of(points, white), mark_of(points, black)


def notation_of(points: Points, white: Mark, black: Mark) -> str | None:
    """Return the notation of the results of both sides, such as 1-0, or None if they have no notation."""
    for notation, (a, b) in NOTATION.items():
        if (white, black) == (mark_of(points, a), mark_of(points, b)):
            return notation
    return None


def both_lost(points: Points, white: Mark, black: Mark) -> bool:
    """Return whether a game was played and lost by both sides (双方均负)."""
    return white.played and black.played and max(white.points, black.points) <= points.loss


def most_together(points: Points) -> HalfPoints:
    """Return the maximum half-points of both sides of a game together: a win and a loss, or two draws."""
    return HalfPoints(max(points.win + points.loss, 2 * points.draw))


def refuse_more_together(regulations: Regulations, white: Mark, black: Mark, where: str) -> Refusal | None:
    """Return the refusal ``marks-together`` if both sides of a game get more points together than for a win, or None.

    It applies from decision edition 2 on. ``where``: the field that the refusal points to.
    """
    most = most_together(regulations.points)
    if regulations.decisions < 2 or white.points + black.points <= most:
        return None
    detail = say(
        "both sides together must not have more than {most} points, as in 1-0 or 1/2-1/2", most=f"{most / 2:g}"
    )
    return Refusal("invalid", "marks-together", detail, regulations.articles.get("points.win"), where)


def _points_of(points: Points, share: Share) -> HalfPoints:
    if share is Share.DRAW:
        return points.draw
    return points.win if share in (Share.WIN, Share.WALKOVER) else points.loss


def stated_mark(mark: Mark) -> dict[str, float | bool]:
    """Return a mark as the body of a command states it, in points."""
    return {"points": mark.points / 2, "played": mark.played}
