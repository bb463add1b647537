"""The event catalogue: what can happen, as frozen data. The newest version of each type.

Standard library only. Types on the wire and older versions: `shared.wire.envelope`.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from shared.core.events.games import (
    ColoursCorrected,
    FindingMade,
    GameEnded,
    GameStarted,
    ResultCorrected,
    ResultReported,
    SheetRef,
)
from shared.core.events.pairing import (
    Board,
    BoardFixed,
    ByeGranted,
    ByeSeat,
    Engine,
    LineupHandedIn,
    LotDrawn,
    Match,
    OfficialAppointed,
    OfficialDismissed,
    PairingWithdrawn,
    PairsForbidden,
    PlayerEntered,
    PlayerReturned,
    PlayerWithdrew,
    RegulationsAdopted,
    RoundPaired,
    StartingNumber,
    StartingNumbersAssigned,
    TeamEntered,
    TextErased,
    TournamentAnnounced,
)
from shared.core.events.penalties import (
    AppealDecided,
    AppealLodged,
    ArrivalNoted,
    BreakTaken,
    CrossingNoted,
    Effect,
    FindingAnswered,
    RulingAnnulled,
    RulingMade,
    Rung,
)
from shared.core.events.sheets import ClaimDecided, ClaimMade, MovePlayed, MovesTakenBack, OfferMade, StepTaken
from shared.core.events.standings import StandingsPublished
from shared.core.terms import GameId, Role, Seq, Source

__all__ = [
    "MASKED",
    "AppealDecided",
    "AppealLodged",
    "ArrivalNoted",
    "Board",
    "BoardFixed",
    "BreakTaken",
    "ByeGranted",
    "ByeSeat",
    "ClaimDecided",
    "ClaimMade",
    "ColoursCorrected",
    "CrossingNoted",
    "Data",
    "Decision",
    "Effect",
    "Engine",
    "Event",
    "FindingAnswered",
    "FindingMade",
    "GameEnded",
    "GameStarted",
    "LineupHandedIn",
    "LotDrawn",
    "Match",
    "MovePlayed",
    "MovesTakenBack",
    "OfferMade",
    "Official",
    "OfficialAppointed",
    "OfficialDismissed",
    "PairingWithdrawn",
    "PairsForbidden",
    "PlayerEntered",
    "PlayerReturned",
    "PlayerWithdrew",
    "RegulationsAdopted",
    "ResultCorrected",
    "ResultReported",
    "RoundPaired",
    "RulingAnnulled",
    "RulingMade",
    "Rung",
    "SheetLine",
    "SheetRef",
    "StandingsPublished",
    "StartingNumber",
    "StartingNumbersAssigned",
    "Stated",
    "StepTaken",
    "TeamEntered",
    "TextErased",
    "TournamentAnnounced",
]

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
    | PlayerReturned
    | PairsForbidden
    | BoardFixed
    | TeamEntered
    | LineupHandedIn
    | LotDrawn
    | GameStarted
    | ColoursCorrected
    | GameEnded
    | FindingMade
    | ResultReported
    | ResultCorrected
    | ArrivalNoted
    | BreakTaken
    | FindingAnswered
    | RulingMade
    | RulingAnnulled
    | AppealLodged
    | AppealDecided
    | CrossingNoted
    | StandingsPublished
)
SheetLine = MovePlayed | OfferMade | ClaimMade | ClaimDecided | MovesTakenBack | StepTaken
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
