"""The lines of a score sheet, all written by games."""

from dataclasses import dataclass, field
from typing import Literal

from shared.core.events.event import SheetLine
from shared.core.events.grounds import Ground
from shared.core.terms import Ply, RulingId, Seconds, Side, TextRef

Claim = Literal[
    "resignation",
    "flag",
    "threefold_repetition",
    "fifty_moves",
    "repetition",
    "natural_limit",
    "drawn_material",
    "forbidden_point",
    "illegal_move",
    "time_up",
    "touch",
    "dead_position",
]
Step = Literal[
    "swap",
    "keep",
    "opening",
    "offer_fifth",
    "choose_fifth",
    "guess",
    "adjourn",
    "unseal",
    "criterion",
    "seal",
    "reveal",
    "confirm_end",
    "dead",
    "dispute",
    "give_up",
    "settle",
    "confirm_resignation",
    "lose_turn",
    "correct_colours",
    "set_clock",
    "clock_shows",
    "start_clocks",
    "byo_yomi",
]

FileFormat = Literal["pgn", "sgf"]
StatedResult = Literal["1-0", "0-1", "1/2-1/2"]


@dataclass(frozen=True, slots=True)
class MovePlayed(SheetLine):
    """``move`` in the game's own notation (chess: UCI); ``clock`` is the mover's time left."""

    ply: Ply
    move: str
    clock: Seconds | None = None


@dataclass(frozen=True, slots=True)
class OfferMade(SheetLine):
    """A draw offer after ply ``ply``, or its acceptance or refusal."""

    ply: Ply
    side: Side
    offer: Literal["draw", "accept", "decline"]


@dataclass(frozen=True, slots=True)
class ClaimMade(SheetLine):
    """``side`` None: the arbiter asks for it himself. ``move``: the one that the claimant means to play, or says was
    forbidden or illegal; None where it names none. ``squares``: of the pieces touched, in order.
    ``id``: ``c`` and its number among the claims of the sheet; empty in sheets from before they had one."""

    ply: Ply
    side: Side | None
    claim: Claim
    move: str | None = None
    squares: tuple[str, ...] = ()
    id: str = ""


@dataclass(frozen=True, slots=True)
class ClaimDecided(SheetLine):
    """``grounds``: what a referee reads out: counts, squares, what the rule says of them. ``due``: the moves one of which
    must be played now; none: any. ``id``: of the claim that is decided. ``clocks``: what the clocks are to show after it, in
    seconds, where that is known."""

    ply: Ply
    claim: Claim
    upheld: bool
    article: str
    grounds: tuple[Ground, ...] = ()
    due: tuple[str, ...] = ()
    id: str = ""
    clocks: dict[Side, Seconds] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MovesTakenBack(SheetLine):
    """Moves after ``to_ply`` no longer count; they stay on the sheet. ``ruling``: the one that asked for it."""

    to_ply: Ply
    reason: str
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class FileRead(SheetLine):
    """What a file of the whole game says beside its moves, of which ``ply`` is the last. ``annotations``: comments,
    variations, marks and tags, as a text in JSON; None: no others than before. ``result``: the one that it states, White's
    pieces (Red's) first."""

    ply: Ply
    format: FileFormat
    annotations: TextRef | None = None
    result: StatedResult | None = None


@dataclass(frozen=True, slots=True)
class StepTaken(SheetLine):
    """A step of an opening or a phase that is no move: a swap, fifth moves offered, a sealed prediction or move, dead stones.

    ``values`` are what the step names: points, a colour, a hash, an opening.
    """

    ply: Ply
    side: Side
    step: Step
    values: tuple[str, ...] = ()
