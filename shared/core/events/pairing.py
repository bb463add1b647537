"""The events of pairing: the announcement, entries and teams, leaving, byes, rounds."""

from dataclasses import dataclass
from typing import Annotated, Literal

from shared.core.events.event import Official
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import ByeKind, Conditions, OfficesEdition, PlayerId, Role, RulingId, TextRef
from shared.core.values.bounds import (
    CALENDAR_DAY,
    FEDERATION,
    GAME,
    KEY,
    LOGIN,
    ORIGIN,
    PLACE,
    RATING,
    RECOVERY_KEY,
    SEED,
    TIEBREAK,
    TIEBREAKS,
    TIME,
    TITLE,
    TITLE_OF_EVENT,
    ZONE,
    Article,
    Count,
    Hash,
    Number,
    NumberOrNobody,
    RoundNumber,
)


@dataclass(frozen=True, slots=True)
class TournamentAnnounced(Official):
    """A competition is created. ``tiebreaks``: if empty, those of the regulations.

    ``origin``: the origin of the log's checkpoints, ``NAME/T`` (if empty, ``arbiter/T``). ``keys``: the keys of the four
    services, in their order, which sign every record (if empty, records are unsigned). ``offices``: the edition of the rules
    about roles, fixed for its life. ``place``: the venue. ``begins`` and ``ends``: the first and last day (ISO 8601).
    ``time_zone``: the IANA name of the venue's zone. These four are empty if unknown. ``results_only``: the game may be one
    without rules in the ruleset, and only results are reported; events before v5 mean that any game was accepted.
    ``recovery``: the operator's offline key, which vouches for a new key of a service that lost its own (if empty, no key does).
    """

    name: Annotated[str, TITLE_OF_EVENT]
    game: Annotated[str, GAME]
    format: Format
    rounds: RoundNumber
    tiebreaks: Annotated[tuple[Annotated[str, TIEBREAK], ...], TIEBREAKS] = ()
    conditions: Conditions = Conditions()
    origin: Annotated[str, ORIGIN] = ""
    keys: tuple[Annotated[str, KEY], ...] = ()
    offices: OfficesEdition = 1
    place: Annotated[str, PLACE] = ""
    begins: Annotated[str, CALENDAR_DAY] = ""
    ends: Annotated[str, CALENDAR_DAY] = ""
    time_zone: Annotated[str, ZONE] = ""
    results_only: bool = True
    recovery: Annotated[str, RECOVERY_KEY] = ""

    @property
    def excludes_sheets(self) -> bool:
        """Return whether the announcement forbids score sheets.

        It is False before the third edition of offices, in which announcements did not state this.
        """
        return self.results_only and self.offices >= 3


@dataclass(frozen=True, slots=True)
class RegulationsAdopted(Official):
    """Regulations, pinned with all values. The last ones adopted are in force."""

    regulations: Regulations
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class OfficialAppointed(Official):
    """An official of the tournament, by the login name on the token, and a role that they hold in it.

    ``person``: their name. ``boards``: the numbers of the boards that a device feeds (empty: all).
    """

    official: Annotated[str, LOGIN]
    role: Role
    person: TextRef | None = None
    boards: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True)
class OfficialDismissed(Official):
    """From this event on, every service refuses commands of this actor in this tournament."""

    official: Annotated[str, LOGIN]
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class PlayerEntered(Official):
    """An entry. ``first_round`` is the first that the player can be paired in (1: from the start).

    Personal data are erasable texts: ``sex`` (``m`` or ``f``), ``birth_year``, ``fide_id``.
    """

    player: PlayerId
    name: TextRef
    starting_number: Number
    first_round: RoundNumber = 1
    rating: Annotated[int, RATING] | None = None
    title: Annotated[str, TITLE] | None = None
    club: TextRef | None = None
    federation: Annotated[str, FEDERATION] | None = None
    sex: TextRef | None = None
    birth_year: TextRef | None = None
    fide_id: TextRef | None = None


EntryMember = Literal["name", "rating", "title", "club", "federation", "sex", "birth_year", "fide_id"]


@dataclass(frozen=True, slots=True)
class EntryCorrected(Official):
    """All data of an entry from this event on. ``changed``: the members that differ from before.

    ``starting_number``: the requested one (None: not requested).
    """

    player: PlayerId
    changed: tuple[EntryMember, ...]
    reason: TextRef
    name: TextRef
    rating: Annotated[int, RATING] | None = None
    title: Annotated[str, TITLE] | None = None
    club: TextRef | None = None
    federation: Annotated[str, FEDERATION] | None = None
    sex: TextRef | None = None
    birth_year: TextRef | None = None
    fide_id: TextRef | None = None
    starting_number: Number | None = None


@dataclass(frozen=True, slots=True)
class IdentityStated(Official):
    """The identity of a player across tournaments. It replaces the one that was stated before.

    ``national_id``: the number or licence that the player's federation gave, an erasable text (None: unknown).
    ``public_history``: whether the player has consented that everyone sees the player's results across tournaments.
    """

    player: PlayerId
    national_id: TextRef | None = None
    public_history: bool = False
    reason: TextRef | None = None


PersonalMember = Literal["name", "club", "sex", "birth_year", "fide_id", "national_id", "checked_in"]


@dataclass(frozen=True, slots=True)
class VisibilitySet(Official):
    """The personal members of entries that everyone sees from this event on. The last such event is in force.

    Officials of the tournament see all members. ``public`` has each member at most once, in their order.
    """

    public: tuple[PersonalMember, ...]


@dataclass(frozen=True, slots=True)
class VenueNoticeSet(Official):
    """The notice that the screens of the venue show from this event on. The last such event is in force.

    ``text``: an erasable text, or None. ``round_begins``: the time (RFC 3339) to which the screens count down, or empty.
    """

    text: TextRef | None = None
    round_begins: Annotated[str, TIME] = ""


@dataclass(frozen=True, slots=True)
class StartingNumber:
    """The starting number of a player."""

    player: PlayerId
    number: Number


@dataclass(frozen=True, slots=True)
class StartingNumbersAssigned(Official):
    """Starting numbers. ``seed`` drew them by lot (0: not drawn)."""

    numbers: tuple[StartingNumber, ...]
    seed: Annotated[int, SEED] = 0


@dataclass(frozen=True, slots=True)
class PlayerWithdrew(Official):
    """A player leaves after ``after_round`` rounds. ``results_stand``: whether the results count.

    ``played``: the number that decides whether the results count: opponents met, or games played if the regulations require
    half of the games. ``unplayed``: whether the remaining rounds are left unpaired, or paired and forfeited.
    ``ruling``: the expulsion 除名 that causes the withdrawal (002-X 18.3).
    """

    player: PlayerId
    after_round: RoundNumber
    results_stand: bool
    played: Count
    article: Article
    reason: TextRef | None = None
    unplayed: Literal["not_paired", "forfeit"] = "not_paired"
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class PlayerReturned(Official):
    """A withdrawn player plays again from ``first_round`` on. ``ruling``: the expulsion that is no longer in force."""

    player: PlayerId
    first_round: RoundNumber
    reason: TextRef | None = None
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class ByeGranted(Official):
    """A requested bye: the player is not seated in that round."""

    player: PlayerId
    round: RoundNumber
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class PlayerCheckedIn(Official):
    """A player checked in at the competition (签到) before being paired. ``here`` false: the check-in was a mistake."""

    player: PlayerId
    here: bool = True


@dataclass(frozen=True, slots=True)
class PairsForbidden(Official):
    """All pairs that must not be paired from this event on. The last such event is in force."""

    pairs: tuple[tuple[PlayerId, ...], ...]
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class BoardFixed(Official):
    """A player who cannot change boards has this board in every round (0: no longer)."""

    player: PlayerId
    board: NumberOrNobody
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class TeamEntered(Official):
    """A team: ``members`` are entries, in the order of their boards, substitutes last. ``team`` numbers teams."""

    team: Number
    name: TextRef
    members: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class LineupHandedIn(Official):
    """The players of a team in a round, from its first board on."""

    team: Number
    round: RoundNumber
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class TextErased(Official):
    """Every reader of this event deletes the text and never accepts that hash again."""

    hash: Hash
