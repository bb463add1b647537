"""The lines of a score sheet, all written by games."""

from dataclasses import dataclass
from typing import Literal

from shared.terms import Ply, Seconds, Side


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """``move`` in the game's own notation (chess: UCI); ``clock`` is the mover's time left."""

    ply: Ply
    move: str
    clock: Seconds | None = None


@dataclass(frozen=True, slots=True)
class OfferMade:
    """A draw offer after ply ``ply``, or its acceptance or refusal."""

    ply: Ply
    side: Side
    offer: Literal["draw", "accept", "decline"]


@dataclass(frozen=True, slots=True)
class ClaimMade:
    ply: Ply
    side: Side
    claim: Literal["resignation", "flag"]


@dataclass(frozen=True, slots=True)
class ClaimDecided:
    ply: Ply
    claim: Literal["resignation", "flag"]
    upheld: bool
    article: str


@dataclass(frozen=True, slots=True)
class MovesTakenBack:
    """Moves after ``to_ply`` no longer count; they stay on the sheet."""

    to_ply: Ply
    reason: str
