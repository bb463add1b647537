"""The commands of games. Every command is complete: deciding it needs no clock, file or lot."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from shared.core.events.sheets import Claim, FileFormat, StatedResult, Step
from shared.core.state.outcomes import Share
from shared.core.terms import Actor, GameId, Mark, Ply, RulingId, Seconds, Side, TextRef

Offer = Literal["draw", "accept", "decline"]


@dataclass(frozen=True, slots=True)
class Place:
    """A board of a round's standing pairing: the hall knows games by it."""

    round: int
    board: int


class Result(NamedTuple):
    """The result reported of one game; `Place` and outcomes are looked up when it is decided."""

    game: GameId | Place
    white: Mark | Share
    black: Mark | Share


class Move(NamedTuple):
    """``move`` in any notation that the game reads; ``clock`` is the mover's time left, ``side`` the mover, if known."""

    move: str
    clock: Seconds | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class ReportResults:
    """Results from the hall, all or none."""

    actor: Actor
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Correct:
    """Other results for boards that have one, all or none."""

    actor: Actor
    results: tuple[Result, ...]
    reason: TextRef | None


@dataclass(frozen=True, slots=True)
class StartGame:
    """``position``: one that is set up, in the game's own notation; None: the usual one."""

    actor: Actor
    game: GameId
    position: str | None = None


@dataclass(frozen=True, slots=True)
class FileSaid:
    """What a file says beside the moves: ``annotations`` where it has other ones than the sheet, and its ``result``.
    ``forfeit``: that of a game that was not played."""

    format: FileFormat
    annotations: TextRef | None = None
    result: StatedResult | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class PlayMoves:
    """Consecutive moves, the first of them ply ``first_ply``; all or none. Of a file: ``position``, the one that it begins
    from, in the game's own notation (`set_up.USUAL`: the usual one); ``file``, what it says beside the moves; None: nothing
    says."""

    actor: Actor
    game: GameId
    first_ply: Ply
    moves: tuple[Move, ...]
    position: str | None = None
    file: FileSaid | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Back to the position after ``to_ply`` (0: the start); ``reason`` is one of `registry.Variant.reasons`, ``ruling`` the
    one that asks for it."""

    actor: Actor
    game: GameId
    to_ply: Ply
    reason: str
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class TakeStep:
    """``side`` takes a step of an opening or a phase that is no move."""

    actor: Actor
    game: GameId
    side: Side
    step: Step
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """``side`` offers a draw, or accepts or declines the other side's offer."""

    actor: Actor
    game: GameId
    side: Side
    offer: Offer


@dataclass(frozen=True, slots=True)
class MakeClaim:
    """``side`` claims; None: the arbiter asks for a decision himself. ``move``: the one that is announced, or was
    forbidden or illegal. ``squares``: of the pieces touched, in order; ``adjusting``: to put them straight 摆正."""

    actor: Actor
    game: GameId
    side: Side | None
    claim: Claim
    move: str | None = None
    squares: tuple[str, ...] = ()
    adjusting: bool = False


@dataclass(frozen=True, slots=True)
class DecideClaim:
    """The arbiter's decision on a claim that waits for him; ``claim`` is its id on the game's sheet."""

    actor: Actor
    game: GameId
    claim: str
    upheld: bool
    note: TextRef | None = None


@dataclass(frozen=True, slots=True)
class EndByAgreement:
    """The arbiter states that the players agreed on a draw at the board."""

    actor: Actor
    game: GameId


@dataclass(frozen=True, slots=True)
class CheckFacts:
    """The rulebook asks whether the sheet contradicts the facts of a ruling on the game."""

    actor: Actor
    game: GameId
    ruling: RulingId
