"""The commands of pairing. Every command is complete: deciding it needs no clock, file or lot."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.pairing.rules.shown_pairing import ShownPairing
from shared.core.events import (
    BoardFixed,
    ByeGranted,
    Engine,
    LineupHandedIn,
    OfficialDismissed,
    PairingUpheld,
    PairsForbidden,
    RegulationsAdopted,
    StartingNumber,
    TextErased,
    VirtualPointsGiven,
)
from shared.core.readings.command_row import EventCommand
from shared.core.rulebook.editions import written_edition
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import Actor, ByeKind, Conditions, OfficesEdition, PlayerId, Role, RulingId, Side, TextRef


@dataclass(frozen=True, slots=True)
class Appointment:
    """Whom to put in which office; ``boards`` of a device: those that it feeds, none: all."""

    official: str
    role: Role
    person: TextRef | None = None
    boards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class AnnounceTournament:
    """``regulations`` are whole: a name says too little once its file has changed. ``origin`` is that of the checkpoints,
    ``keys`` are the house's; ``officials`` are appointed with it. Place, days, time zone and ``results_only`` as in the
    event."""

    actor: Actor
    name: str
    game: str
    format: Format
    rounds: int
    regulations: Regulations
    tiebreaks: tuple[str, ...] = ()
    conditions: Conditions = Conditions()
    origin: str = ""
    keys: tuple[str, ...] = ()
    officials: tuple[Appointment, ...] = ()
    offices: OfficesEdition = written_edition().offices
    place: str = ""
    begins: str = ""
    ends: str = ""
    time_zone: str = ""
    results_only: bool = False


class AdoptRegulations(EventCommand[RegulationsAdopted]):
    """Adopt other regulations for a ``reason``; stages that they do not name remain."""


@dataclass(frozen=True, slots=True)
class AppointOfficial:
    actor: Actor
    appointed: Appointment


class DismissOfficial(EventCommand[OfficialDismissed]):
    """Dismiss an official from all offices."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One who enters; ``player`` None asks for the next free number."""

    player: PlayerId | None
    name: TextRef
    rating: int | None = None
    title: str | None = None
    club: TextRef | None = None
    federation: str | None = None
    sex: TextRef | None = None
    birth_year: TextRef | None = None
    fide_id: TextRef | None = None


@dataclass(frozen=True, slots=True)
class EnterPlayers:
    actor: Actor
    players: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class CorrectEntry:
    """``values``: what an entry says from here on, by the members of `Entry`; those left out stay as they are.

    ``starting_number``: the one asked for with it; None: it follows the rating, as `entry_correction.correct` says.
    """

    actor: Actor
    player: PlayerId
    values: Mapping[str, Any]
    reason: TextRef
    starting_number: int | None = None


@dataclass(frozen=True, slots=True)
class AssignNumbers:
    """``numbers`` None: all by order of strength, or drawn by lot where a ``seed`` is given."""

    actor: Actor
    numbers: tuple[StartingNumber, ...] | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class WithdrawPlayer:
    """``ruling``: the expulsion that it follows from; then no person commands it."""

    actor: Actor
    player: PlayerId
    reason: TextRef | None = None
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class WithdrawPlayers:
    """All of a team who are still there."""

    actor: Actor
    players: tuple[PlayerId, ...]
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class ReturnPlayer:
    """The return of a player who had left, from the next round to be paired on."""

    actor: Actor
    player: PlayerId
    reason: TextRef | None = None


class GrantBye(EventCommand[ByeGranted]):
    """Grant a bye asked for."""


@dataclass(frozen=True, slots=True)
class GrantByes:
    """The same bye to all of them, or to none."""

    actor: Actor
    players: tuple[PlayerId, ...]
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class CheckInPlayers:
    """``came``: who has come; ``absent``: of whom that was noted by mistake."""

    actor: Actor
    came: tuple[PlayerId, ...]
    absent: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class PairRound:
    """The next round: by its format, or by hand where ``boards`` (white, black) are given.

    ``bye`` takes the pairing-allocated bye of a pairing by hand. ``seed`` draws what the format leaves to lots, in a
    Dutch Swiss the first colour of round 1 unless ``initial_colour`` says it; 0 draws nothing. ``engine`` None:
    the one at hand. ``shown``: what whoever commands it was shown; another pairing is refused.
    """

    actor: Actor
    boards: tuple[tuple[PlayerId, PlayerId], ...] | None = None
    bye: PlayerId | None = None
    reason: TextRef | None = None
    overrides: tuple[str, ...] = ()
    initial_colour: Side | None = None
    seed: int = 0
    engine: Engine | None = None
    shown: ShownPairing | None = None


@dataclass(frozen=True, slots=True)
class PairPlayOff:
    """``boards`` (white, black) of a play-off."""

    actor: Actor
    boards: tuple[tuple[PlayerId, PlayerId], ...]
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class WithdrawPairing:
    """``played``: void the pairing although games of it have begun."""

    actor: Actor
    round: int
    reason: TextRef | None = None
    played: bool = False


class UpholdPairing(EventCommand[PairingUpheld]):
    """Keep the ``pairing`` in force; the difference that it settles is as in the event."""


class ForbidPairs(EventCommand[PairsForbidden]):
    """All pairs that may not meet from here on."""


class GiveVirtualPoints(EventCommand[VirtualPointsGiven]):
    """All virtual points of an acceleration, of every round."""


class FixBoard(EventCommand[BoardFixed]):
    """``board`` 0: the player moves again."""


@dataclass(frozen=True, slots=True)
class DrawLots:
    """Decide a drawn match by lot, drawn from ``seed``; or, where ``match`` is 0, the place that the ``equals`` share."""

    actor: Actor
    match: int
    seed: int
    equals: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TeamEntry:
    """One team; ``team`` None asks for the next free number. ``members`` in the order of their boards."""

    team: int | None
    name: TextRef
    members: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class EnterTeams:
    actor: Actor
    teams: tuple[TeamEntry, ...]


class HandInLineup(EventCommand[LineupHandedIn]):
    """The players of a team in a round, from its first board on."""


class EraseText(EventCommand[TextErased]):
    """``hash`` as it stands in the log, 64 hex digits."""
