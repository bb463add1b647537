"""The event catalogue: what can happen, as frozen data. The newest version of each type.

Standard library only. Types on the wire and older versions: `shared.envelope`.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from shared.terms import (
    ByeKind,
    EffectKind,
    Format,
    GameId,
    HalfPoints,
    Mark,
    PlayerId,
    Ply,
    Regulations,
    Role,
    RulingId,
    Seconds,
    Seq,
    Side,
    Source,
    TextRef,
)

# ---------------------------------------------------------------- pairing


@dataclass(frozen=True, slots=True)
class TournamentAnnounced:
    """A competition exists. ``tiebreaks`` empty: those of the regulations."""

    name: str
    game: str
    format: Format
    rounds: int
    tiebreaks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RegulationsAdopted:
    """Regulations pinned whole; the last one adopted is in force."""

    regulations: Regulations
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class OfficialAppointed:
    official: str
    role: Role


@dataclass(frozen=True, slots=True)
class OfficialDismissed:
    """From here on every desk refuses this actor in this tournament."""

    official: str
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class PlayerEntered:
    """An entry. ``first_round`` is the first that the player can be paired in (1: from the start)."""

    player: PlayerId
    name: TextRef
    starting_number: int
    first_round: int = 1
    rating: int | None = None
    title: str | None = None
    club: TextRef | None = None
    federation: str | None = None


@dataclass(frozen=True, slots=True)
class StartingNumber:
    player: PlayerId
    number: int


@dataclass(frozen=True, slots=True)
class StartingNumbersAssigned:
    numbers: tuple[StartingNumber, ...]


@dataclass(frozen=True, slots=True)
class PlayerWithdrew:
    """Leaves after ``after_round`` rounds; whether results stand, and on what count."""

    player: PlayerId
    after_round: int
    results_stand: bool
    played: int
    article: str
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class ByeGranted:
    """A bye asked for: the player is not seated in that round."""

    player: PlayerId
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class Board:
    """Seats of one game. ``black`` and ``white`` are never 0 here: byes are apart."""

    board: int
    game: GameId
    white: PlayerId
    black: PlayerId


@dataclass(frozen=True, slots=True)
class ByeSeat:
    player: PlayerId
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class Engine:
    name: str
    version: str


@dataclass(frozen=True, slots=True)
class RoundPaired:
    """A published pairing: the ``pairing``-th of the tournament, for round ``round``.

    ``engine`` None: made by hand, with a ``reason``; ``overrides`` lists the
    absolute rules (slugs) that the chief arbiter set aside. ``seed`` is that of
    the draw of the first colour, 0 where nothing was drawn.
    """

    round: int
    pairing: int
    boards: tuple[Board, ...]
    byes: tuple[ByeSeat, ...] = ()
    engine: Engine | None = None
    initial_colour: Side = "white"
    seed: int = 0
    reason: TextRef | None = None
    overrides: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PairingWithdrawn:
    round: int
    pairing: int
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class TextErased:
    """Whoever reads it deletes the text and never takes that hash again."""

    hash: str


# ---------------------------------------------------------------- games: official log


@dataclass(frozen=True, slots=True)
class SheetRef:
    """Lines of a score sheet committed to: their number and the SHA-256 (hex) over them, each with its LF."""

    lines: int
    sha256: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    game: GameId


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The end of a game by its own rules. ``sheet`` is filled in by the desk."""

    game: GameId
    white: Mark
    black: Mark
    termination: str
    article: str
    sheet: SheetRef | None = None


@dataclass(frozen=True, slots=True)
class FindingMade:
    """What games found and penalties must answer: a flag, an illegal move, a false claim.

    ``finding`` is ``f`` and the event's ``sourceseq``; ``player`` is the one it concerns;
    ``opponent_can_win`` tells whether the other side has mating material.
    """

    finding: str
    game: GameId
    kind: Literal["flag"]
    player: PlayerId
    article: str
    ply: Ply
    opponent_can_win: bool
    sheet: SheetRef | None = None


@dataclass(frozen=True, slots=True)
class ResultReported:
    game: GameId
    white: Mark
    black: Mark


@dataclass(frozen=True, slots=True)
class ResultCorrected:
    """A correction; ``beneath`` names the standing ruling it waits under, if any."""

    game: GameId
    white: Mark
    black: Mark
    reason: TextRef | None = None
    beneath: RulingId | None = None


# ---------------------------------------------------------------- games: score sheets


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


# ---------------------------------------------------------------- penalties


@dataclass(frozen=True, slots=True)
class ArrivalNoted:
    """A player came ``late`` seconds after the start, or (None) not at all."""

    player: PlayerId
    game: GameId
    late: Seconds | None


@dataclass(frozen=True, slots=True)
class FindingAnswered:
    finding: str


@dataclass(frozen=True, slots=True)
class Effect:
    """One of the closed set of effects; the fields that its kind does not use stay None.

    set_marks: ``white``, ``black``. adjust_points: ``points``. adjust_clock: ``clock``,
    seconds added to the opponent (positive) or taken from the player (negative).
    exclude: ``rounds``.
    """

    kind: EffectKind
    white: Mark | None = None
    black: Mark | None = None
    points: HalfPoints | None = None
    clock: Seconds | None = None
    rounds: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Rung:
    """Of several standing rulings with one rung only the first has effect."""

    rule: str
    player: PlayerId
    scope: str
    count: int


@dataclass(frozen=True, slots=True)
class RulingMade:
    ruling: RulingId
    player: PlayerId
    round: int
    infraction: str
    article: str
    effect: Effect
    game: GameId | None = None
    counter: str | None = None
    because: tuple[RulingId, ...] = ()
    rung: Rung | None = None
    note: TextRef | None = None
    finding: str | None = None


@dataclass(frozen=True, slots=True)
class RulingAnnulled:
    """A ruling too: ``ruling`` is its own id, ``annuls`` the one it takes away."""

    ruling: RulingId
    annuls: RulingId
    article: str
    reason: TextRef | None = None
    appeal: str | None = None


@dataclass(frozen=True, slots=True)
class AppealLodged:
    """``appeal`` is ``a`` and the event's ``sourceseq``."""

    appeal: str
    ruling: RulingId
    by: PlayerId
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class AppealDecided:
    appeal: str
    upheld: bool
    article: str
    grounds: TextRef | None = None


@dataclass(frozen=True, slots=True)
class CrossingNoted:
    """The chief arbiter has seen that the command whose first line is ``seq`` crossed another."""

    seq: Seq
    note: TextRef | None = None


# ---------------------------------------------------------------- standings


@dataclass(frozen=True, slots=True)
class StandingsPublished:
    """A table as published. ``digest`` (hex) and ``checkpoint`` (signed note) are filled in by the desk."""

    tiebreaks: tuple[str, ...]
    rules: str
    round: int
    final: bool
    digest: str = ""
    checkpoint: str = ""


Official = (
    TournamentAnnounced
    | RegulationsAdopted
    | OfficialAppointed
    | OfficialDismissed
    | PlayerEntered
    | StartingNumbersAssigned
    | PlayerWithdrew
    | ByeGranted
    | RoundPaired
    | PairingWithdrawn
    | TextErased
    | GameStarted
    | GameEnded
    | FindingMade
    | ResultReported
    | ResultCorrected
    | ArrivalNoted
    | FindingAnswered
    | RulingMade
    | RulingAnnulled
    | AppealLodged
    | AppealDecided
    | CrossingNoted
    | StandingsPublished
)
SheetLine = MovePlayed | OfferMade | ClaimMade | ClaimDecided | MovesTakenBack
Data = Official | SheetLine

MASKED: dict[type, tuple[str, ...]] = {
    GameEnded: ("sheet",),
    FindingMade: ("sheet",),
    StandingsPublished: ("digest", "checkpoint"),
}
"""Fields that the desk fills in after the rules: checked from bytes, not decided again."""


class Event(Protocol):
    """An event where it stands. ``seq`` is its line (on a sheet: of the sheet).

    ``basis`` is the last line its source had folded; ``command`` the causation id,
    shared by the events of one command; ``official`` on a sheet's line the
    source's last own official event before the command, ``game`` the sheet's game.
    """

    @property
    def seq(self) -> Seq: ...
    @property
    def source(self) -> Source: ...
    @property
    def sourceseq(self) -> int: ...
    @property
    def basis(self) -> Seq: ...
    @property
    def command(self) -> str: ...
    @property
    def actor(self) -> str: ...
    @property
    def role(self) -> Role: ...
    @property
    def tokenid(self) -> str: ...
    @property
    def data(self) -> Data: ...
    @property
    def time(self) -> str: ...
    @property
    def official(self) -> int | None: ...
    @property
    def game(self) -> GameId | None: ...


class Stated(NamedTuple):
    """An event as it is about to be written. What is read back is `envelope.Recorded`."""

    seq: Seq
    source: Source
    sourceseq: int
    basis: Seq
    command: str
    actor: str
    role: Role
    tokenid: str
    data: Data
    time: str
    official: int | None = None
    game: GameId | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """What rules answer to a command they follow.

    ``events`` are commanded and bear the actor's role, ``brought`` follow with the
    role ``rulebook``; ``lines`` go to the score sheet of ``game``, before both.
    """

    events: tuple[Official, ...] = ()
    brought: tuple[Official, ...] = ()
    lines: tuple[SheetLine, ...] = ()
    game: GameId | None = None
