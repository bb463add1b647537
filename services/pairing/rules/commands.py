"""The commands of pairing. Every command is complete: deciding it requires no clock, file or random draw."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from services.pairing.rules.shown_pairing import ShownPairing
from shared.core.events import (
    BoardFixed,
    ByeGranted,
    Engine,
    IdentityStated,
    LineupHandedIn,
    ListingSet,
    OfficialAppointed,
    OfficialDismissed,
    PairingUpheld,
    PairsForbidden,
    RegulationsAdopted,
    StartingNumber,
    TextErased,
    TournamentCorrected,
    VenueNoticeSet,
    VirtualPointsGiven,
    VisibilitySet,
)
from shared.core.rulebook.editions import NEWEST
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import Actor, ByeKind, Conditions, OfficesEdition, PlayerId, RulingId, Side, TextRef
from shared.desk.rules_port import EventCommand


@dataclass(frozen=True, slots=True)
class AnnounceTournament:
    """Create a tournament.

    ``regulations`` have all their values, because a name alone is ambiguous once its file has changed. ``origin``: the
    name in signed checkpoints. ``keys`` and ``recovery``: public keys of the services, and the one that can replace them.
    ``officials``: appointments to make. ``begins`` and ``ends``: dates. ``results_only``: no moves or clocks are recorded.
    ``unlisted``: only readers with a token see it until it is listed.
    """

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
    officials: tuple[OfficialAppointed, ...] = ()
    offices: OfficesEdition = NEWEST.offices
    place: str = ""
    begins: str = ""
    ends: str = ""
    time_zone: str = ""
    results_only: bool = False
    recovery: str = ""
    unlisted: bool = False


class AdoptRegulations(EventCommand[RegulationsAdopted]):
    """Adopt other regulations for a ``reason``. If they have no stages, the stages in force remain."""


@dataclass(frozen=True, slots=True)
class AppointOfficial(EventCommand[OfficialAppointed]):
    """Give an official a role in addition to others. ``reinstates``: a dismissed official is appointed again, not refused."""

    reinstates: bool = True


class DismissOfficial(EventCommand[OfficialDismissed]):
    """Dismiss an official from all roles."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player's entry. ``player`` None asks for the next free number."""

    player: PlayerId | None
    name: TextRef
    rating: int | None = None
    title: str | None = None
    club: TextRef | None = None
    federation: str | None = None
    sex: TextRef | None = None
    birth_year: TextRef | None = None
    fide_id: TextRef | None = None
    national_id: TextRef | None = None
    public_history: bool = False


@dataclass(frozen=True, slots=True)
class EnterPlayers:
    actor: Actor
    players: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class CorrectEntry:
    """Correct an entry. ``values``: new values by the members of `Entry`; other members stay unchanged.

    ``starting_number``: the requested number, or None if it changes only with the order of strength.
    """

    actor: Actor
    player: PlayerId
    values: Mapping[str, Any]
    reason: TextRef
    starting_number: int | None = None


class StateIdentity(EventCommand[IdentityStated]):
    """State the national ID of a player, and whether the results are public across tournaments."""


class SetVisibility(EventCommand[VisibilitySet]):
    """Set the personal members of entries that everyone sees."""


class CorrectTournament(EventCommand[TournamentCorrected]):
    """Correct the announcement."""


class SetListing(EventCommand[ListingSet]):
    """List an unlisted tournament."""


class SetVenueNotice(EventCommand[VenueNoticeSet]):
    """Set the notice that the screens of the venue show."""


@dataclass(frozen=True, slots=True)
class AssignNumbers:
    """Assign starting numbers: ``numbers``, or if None all by order of strength, or by lot if a ``seed`` is given."""

    actor: Actor
    numbers: tuple[StartingNumber, ...] | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class WithdrawPlayer:
    """Withdraw a player. ``ruling``: the expulsion that causes it; the command is then automatic."""

    actor: Actor
    player: PlayerId
    reason: TextRef | None = None
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class WithdrawPlayers:
    """Withdraw these players together: all members of a team who have not left yet."""

    actor: Actor
    players: tuple[PlayerId, ...]
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class ReturnPlayer:
    """Let a withdrawn player return, from the next round to be paired on."""

    actor: Actor
    player: PlayerId
    reason: TextRef | None = None


class GrantBye(EventCommand[ByeGranted]):
    """Grant a requested bye."""


@dataclass(frozen=True, slots=True)
class GrantByes:
    """Grant the same bye to all of these players, or to none."""

    actor: Actor
    players: tuple[PlayerId, ...]
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class CheckInPlayers:
    """Check in players. ``came``: players who have arrived; ``absent``: players checked in by mistake."""

    actor: Actor
    came: tuple[PlayerId, ...]
    absent: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class PairRound:
    """Pair the next round: by its format, or by hand if ``boards`` (white, black) are given.

    By hand, ``bye`` is the player with the pairing-allocated bye, and ``overrides`` the codes of absolute rules that may
    be broken. ``seed``: draws the format's lots; in a Dutch Swiss, the first colour of round 1 unless ``initial_colour``
    is given. 0 draws nothing. ``engine``: None for the installed one. ``shown``: the pairing that the user saw; any other
    result is refused.
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
    """Pair a play-off on ``boards`` (white, black)."""

    actor: Actor
    boards: tuple[tuple[PlayerId, PlayerId], ...]
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class WithdrawPairing:
    """Withdraw the pairing of a round. ``played``: void it although games of it have begun."""

    actor: Actor
    round: int
    reason: TextRef | None = None
    played: bool = False


class UpholdPairing(EventCommand[PairingUpheld]):
    """Keep a pairing in force although a later event changed who should meet.

    The event records the sides that are seated and those that would be seated now.
    """


class ForbidPairs(EventCommand[PairsForbidden]):
    """Set all pairs that may not meet from here on."""


class GiveVirtualPoints(EventCommand[VirtualPointsGiven]):
    """Replace all virtual points of an accelerated pairing, for every round."""


class FixBoard(EventCommand[BoardFixed]):
    """Give a player a fixed board. ``board`` 0: the player has no fixed board any more."""


@dataclass(frozen=True, slots=True)
class DrawLots:
    """Decide a drawn match by lots drawn from ``seed``; if ``match`` is 0, the order of the ``equals``, who share a place."""

    actor: Actor
    match: int
    seed: int
    equals: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TeamEntry:
    """One team. ``team`` None asks for the next free number. ``members`` are in the order of their boards."""

    team: int | None
    name: TextRef
    members: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class EnterTeams:
    actor: Actor
    teams: tuple[TeamEntry, ...]


class HandInLineup(EventCommand[LineupHandedIn]):
    """Submit the lineup of a team for a round: its players in board order, beginning with the first board."""


class EraseText(EventCommand[TextErased]):
    """Erase a text. ``hash`` is the one in the log, 64 hex digits."""
