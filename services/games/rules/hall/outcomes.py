"""Outcomes of a game and the marks that they are worth under the regulations in force."""

from enum import Enum

from shared.core.regulations import Points
from shared.core.terms import HalfPoints, Mark, Side


class Share(Enum):
    """One side's outcome, before the regulations give it points."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    WALKOVER = "win by forfeit"
    FORFEIT = "loss by forfeit"


NOTATION: dict[str, tuple[Share, Share]] = {
    "1-0": (Share.WIN, Share.LOSS),
    "0-1": (Share.LOSS, Share.WIN),
    "1/2-1/2": (Share.DRAW, Share.DRAW),
    "+/-": (Share.WALKOVER, Share.FORFEIT),
    "-/+": (Share.FORFEIT, Share.WALKOVER),
    "-/-": (Share.FORFEIT, Share.FORFEIT),
}
"""How the hall writes a result: White's outcome, then Black's."""

UNPLAYED = (Share.WALKOVER, Share.FORFEIT)


def mark_of(points: Points, share: Share) -> Mark:
    """The mark that an outcome is worth; a forfeit is worth its win or loss, unplayed."""
    return Mark(_worth(points, share), played=share not in UNPLAYED)


def marks_of(points: Points, winner: Side | None) -> tuple[Mark, Mark]:
    """White's and Black's marks of a game that was played; ``winner`` None for a draw."""
    white, black = NOTATION[{"white": "1-0", "black": "0-1", None: "1/2-1/2"}[winner]]
    return mark_of(points, white), mark_of(points, black)


def notation_of(points: Points, white: Mark, black: Mark) -> str | None:
    """The notation of two marks; None where only the marks themselves say it."""
    for notation, (a, b) in NOTATION.items():
        if (white, black) == (mark_of(points, a), mark_of(points, b)):
            return notation
    return None


def _worth(points: Points, share: Share) -> HalfPoints:
    if share is Share.DRAW:
        return points.draw
    return points.win if share in (Share.WIN, Share.WALKOVER) else points.loss
