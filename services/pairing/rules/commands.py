"""What pairing can be asked to do. Every command is complete: deciding it needs no clock, file or lot."""

from dataclasses import dataclass
from importlib.metadata import version

from shared.events import Engine, StartingNumber
from shared.terms import Actor, ByeKind, Format, PlayerId, Regulations, Role, Side, TextRef

GACRUX = Engine("gacrux", version("gacrux"))
"""The engine at hand; its version is part of every pairing that it makes."""


@dataclass(frozen=True, slots=True)
class AnnounceTournament:
    """``regulations`` are whole: a name says too little once its file has changed."""

    actor: Actor
    name: str
    game: str
    format: Format
    rounds: int
    regulations: Regulations
    tiebreaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AdoptRegulations:
    actor: Actor
    regulations: Regulations
    reason: TextRef | None


@dataclass(frozen=True, slots=True)
class AppointOfficial:
    actor: Actor
    official: str
    role: Role


@dataclass(frozen=True, slots=True)
class DismissOfficial:
    actor: Actor
    official: str
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One who enters; ``player`` None asks for the next free number."""

    player: PlayerId | None
    name: TextRef
    rating: int | None = None
    title: str | None = None
    club: TextRef | None = None
    federation: str | None = None


@dataclass(frozen=True, slots=True)
class EnterPlayers:
    actor: Actor
    players: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class AssignNumbers:
    """``numbers`` None: all by order of strength."""

    actor: Actor
    numbers: tuple[StartingNumber, ...] | None = None


@dataclass(frozen=True, slots=True)
class WithdrawPlayer:
    actor: Actor
    player: PlayerId
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class GrantBye:
    actor: Actor
    player: PlayerId
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class PairRound:
    """The next round: by ``engine``, or by hand where ``boards`` (white, black) are given.

    ``bye`` takes the pairing-allocated bye of a pairing by hand. ``seed`` draws the
    first colour of round 1 unless ``initial_colour`` says it; 0 draws nothing.
    """

    actor: Actor
    boards: tuple[tuple[PlayerId, PlayerId], ...] | None = None
    bye: PlayerId | None = None
    reason: TextRef | None = None
    overrides: tuple[str, ...] = ()
    initial_colour: Side | None = None
    seed: int = 0
    engine: Engine = GACRUX


@dataclass(frozen=True, slots=True)
class WithdrawPairing:
    actor: Actor
    round: int
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class EraseText:
    """``hash`` as it stands in the log, 64 hex digits."""

    actor: Actor
    hash: str


Command = (
    AnnounceTournament
    | AdoptRegulations
    | AppointOfficial
    | DismissOfficial
    | EnterPlayers
    | AssignNumbers
    | WithdrawPlayer
    | GrantBye
    | PairRound
    | WithdrawPairing
    | EraseText
)
