"""The commands of games. Every command is complete: deciding it requires no clock, file or random draw."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from shared.core.events.games import CallMade
from shared.core.events.sheets import Claim, FileFormat, StatedResult, Step
from shared.core.state.outcomes import Share
from shared.core.terms import Actor, GameId, Mark, Ply, RulingId, Seconds, Side, TextRef
from shared.desk.rules_port import EventCommand

Offer = Literal["draw", "accept", "decline"]


@dataclass(frozen=True, slots=True)
class Place:
    """A board of a round's pairing in force, by which arbiters identify games."""

    round: int
    board: int


class Result(NamedTuple):
    """The reported result of one game, for each side.

    When the command is decided, a `Place` is replaced by its game, and a share, such as a win, by its points.
    """

    game: GameId | Place
    white: Mark | Share
    black: Mark | Share


class Move(NamedTuple):
    """A move in any notation of the game. ``clock``: the mover's time left, if known. ``side``: the mover, if known."""

    move: str
    clock: Seconds | None = None
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class ReportResults:
    """Report results, either all or none."""

    actor: Actor
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class Correct:
    """Correct the results of boards that have one, either all or none."""

    actor: Actor
    results: tuple[Result, ...]
    reason: TextRef | None


@dataclass(frozen=True, slots=True)
class StateResult:
    """State the result of the actor's own game, as a player. A share, such as a win, is replaced by its points."""

    actor: Actor
    game: GameId
    white: Mark | Share
    black: Mark | Share


class CallArbiter(EventCommand[CallMade]):
    """Call an arbiter to a game, or record that the call is answered."""


@dataclass(frozen=True, slots=True)
class StartGame:
    """Start a game. ``position``: one that is set up, in the game's own notation; by default the usual one."""

    actor: Actor
    game: GameId
    position: str | None = None


@dataclass(frozen=True, slots=True)
class FileSaid:
    """The contents of a file besides the moves: its ``result``, and ``annotations`` if they differ from the sheet's.

    ``forfeit``: whether the result is that of a game that was not played.
    """

    format: FileFormat
    annotations: TextRef | None = None
    result: StatedResult | None = None
    forfeit: bool = False


@dataclass(frozen=True, slots=True)
class PlayMoves:
    """Play consecutive moves, the first of them ply ``first_ply``, either all or none.

    From a file: ``position`` is the one it begins from, in the game's own notation (`set_up.USUAL`: the usual one), or
    None if it gives none. ``file`` has its other contents.
    """

    actor: Actor
    game: GameId
    first_ply: Ply
    moves: tuple[Move, ...]
    position: str | None = None
    file: FileSaid | None = None


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Return to the position after ``to_ply`` (0: the start).

    ``reason`` is one of `registry.Variant.reasons`. ``ruling``: the ruling that requires it, if any.
    """

    actor: Actor
    game: GameId
    to_ply: Ply
    reason: str
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class TakeStep:
    """Take a step of an opening or a phase that is not a move, as ``side``."""

    actor: Actor
    game: GameId
    side: Side
    step: Step
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MakeOffer:
    """Offer a draw as ``side``, or accept or decline the other side's offer."""

    actor: Actor
    game: GameId
    side: Side
    offer: Offer


@dataclass(frozen=True, slots=True)
class MakeClaim:
    """Make a claim as ``side``, or request a decision as arbiter if ``side`` is None.

    ``move``: the one that is announced, or was forbidden or illegal. ``squares``: those of the touched pieces, in
    order. ``adjusting``: the touch was to put pieces straight 摆正.
    """

    actor: Actor
    game: GameId
    side: Side | None
    claim: Claim
    move: str | None = None
    squares: tuple[str, ...] = ()
    adjusting: bool = False


@dataclass(frozen=True, slots=True)
class DecideClaim:
    """Decide a waiting claim, as arbiter. ``claim`` is its ID on the game's sheet."""

    actor: Actor
    game: GameId
    claim: str
    upheld: bool
    note: TextRef | None = None


@dataclass(frozen=True, slots=True)
class EndByAgreement:
    """State, as arbiter, that the players agreed on a draw at the board."""

    actor: Actor
    game: GameId


@dataclass(frozen=True, slots=True)
class CheckFacts:
    """Check, for the rulebook, whether the sheet contradicts the facts of a ruling on the game."""

    actor: Actor
    game: GameId
    ruling: RulingId
