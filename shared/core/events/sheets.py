"""The events of a score sheet, all written by games."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from shared.core.events.event import Ground, SheetLine
from shared.core.terms import Ply, RulingId, Seconds, Side, TextRef
from shared.core.values.bounds import DAY, MOVE, SQUARES, STEP_VALUE, VALUES, Article, RecordId

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
    """A move in the game's own notation (chess: UCI). ``clock`` is the time left to its player."""

    ply: Ply
    move: Annotated[str, STEP_VALUE]
    clock: Annotated[Seconds, DAY] | None = None


@dataclass(frozen=True, slots=True)
class OfferMade(SheetLine):
    """A draw offer after ply ``ply``, or its acceptance or refusal."""

    ply: Ply
    side: Side
    offer: Literal["draw", "accept", "decline"]


@dataclass(frozen=True, slots=True)
class ClaimMade(SheetLine):
    """A claim. ``side``: None if an arbiter requests the decision.

    ``move``: the move that the claimant intends to play, or claims was forbidden or illegal (None: no move). ``squares``: those
    of the touched pieces, in order. ``id``: ``c`` and its number among the claims of the sheet; empty in old sheets.
    """

    ply: Ply
    side: Side | None
    claim: Claim
    move: Annotated[str, MOVE] | None = None
    squares: Annotated[tuple[Annotated[str, MOVE], ...], SQUARES] = ()
    id: RecordId = ""


@dataclass(frozen=True, slots=True)
class ClaimDecided(SheetLine):
    """The decision on a claim. ``grounds``: the sentences for the arbiter, such as counts, squares and the rule on them.

    ``due``: the moves of which one must be played now (empty: any). ``id``: the ID of the claim. ``clocks``: the times that the
    clocks must show after it, in seconds, if known.
    """

    ply: Ply
    claim: Claim
    upheld: bool
    article: Article
    grounds: tuple[Ground, ...] = ()
    due: tuple[Annotated[str, STEP_VALUE], ...] = ()
    id: RecordId = ""
    clocks: dict[Side, Seconds] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MovesTakenBack(SheetLine):
    """Moves after ``to_ply`` no longer count, but remain on the sheet. ``ruling``: the ruling that required it."""

    to_ply: Ply
    reason: Annotated[str, STEP_VALUE]
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class FileRead(SheetLine):
    """The contents of a file of the whole game apart from its moves, of which ``ply`` is the last.

    ``annotations``: comments, variations, marks and tags, as an erasable text in JSON (None: the same as before). ``result``: the
    result stated in the file, White's (Red's) side first.
    """

    ply: Ply
    format: FileFormat
    annotations: TextRef | None = None
    result: StatedResult | None = None


@dataclass(frozen=True, slots=True)
class StepTaken(SheetLine):
    """A step of an opening or a phase other than a move: a swap, fifth moves offered, a sealed prediction or move, dead stones.

    ``values``: the values of the step: points, a colour, a hash, an opening.
    """

    ply: Ply
    side: Side
    step: Step
    values: Annotated[tuple[Annotated[str, STEP_VALUE], ...], VALUES] = ()
