"""The events of pairing: the announcement, entries and teams, leaving, byes, rounds."""

from dataclasses import dataclass
from typing import Literal

from shared.core.events.event import Official
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import ByeKind, Conditions, GameId, OfficesEdition, PlayerId, Role, RulingId, Side, TextRef


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

    name: str
    game: str
    format: Format
    rounds: int
    tiebreaks: tuple[str, ...] = ()
    conditions: Conditions = Conditions()
    origin: str = ""
    keys: tuple[str, ...] = ()
    offices: OfficesEdition = 1
    place: str = ""
    begins: str = ""
    ends: str = ""
    time_zone: str = ""
    results_only: bool = True
    recovery: str = ""

    @property
    def excludes_sheets(self) -> bool:
        """Return whether the announcement forbids score sheets. One before offices 3 does not say."""
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

    official: str
    role: Role
    person: TextRef | None = None
    boards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OfficialDismissed(Official):
    """From this event on, every service refuses commands of this actor in this tournament."""

    official: str
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class PlayerEntered(Official):
    """An entry. ``first_round`` is the first that the player can be paired in (1: from the start).

    Personal data are erasable texts: ``sex`` (``m`` or ``f``), ``birth_year``, ``fide_id``.
    """

    player: PlayerId
    name: TextRef
    starting_number: int
    first_round: int = 1
    rating: int | None = None
    title: str | None = None
    club: TextRef | None = None
    federation: str | None = None
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
    rating: int | None = None
    title: str | None = None
    club: TextRef | None = None
    federation: str | None = None
    sex: TextRef | None = None
    birth_year: TextRef | None = None
    fide_id: TextRef | None = None
    starting_number: int | None = None


@dataclass(frozen=True, slots=True)
class StartingNumber:
    """The starting number of a player."""

    player: PlayerId
    number: int


@dataclass(frozen=True, slots=True)
class StartingNumbersAssigned(Official):
    """Starting numbers. ``seed`` drew them by lot (0: not drawn)."""

    numbers: tuple[StartingNumber, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PlayerWithdrew(Official):
    """A player leaves after ``after_round`` rounds. ``results_stand``: whether the results count.

    ``played``: the number that decides whether the results count: opponents met, or games played if the regulations require
    half of the games. ``unplayed``: whether the remaining rounds are left unpaired, or paired and forfeited.
    ``ruling``: the expulsion 除名 that causes the withdrawal (002-X 18.3).
    """

    player: PlayerId
    after_round: int
    results_stand: bool
    played: int
    article: str
    reason: TextRef | None = None
    unplayed: Literal["not_paired", "forfeit"] = "not_paired"
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class PlayerReturned(Official):
    """A withdrawn player plays again from ``first_round`` on. ``ruling``: the expulsion that is no longer in force."""

    player: PlayerId
    first_round: int
    reason: TextRef | None = None
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class ByeGranted(Official):
    """A requested bye: the player is not seated in that round."""

    player: PlayerId
    round: int
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
    board: int
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class TeamEntered(Official):
    """A team: ``members`` are entries, in the order of their boards, substitutes last. ``team`` numbers teams."""

    team: int
    name: TextRef
    members: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class LineupHandedIn(Official):
    """The players of a team in a round, from its first board on."""

    team: int
    round: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class LotDrawn(Official):
    """Lots decide a match that remained drawn: with the ``seed``, the ``winner``, an entry or a team, was drawn.

    ``order``: entries or teams that shared a place, in the order of the lots, the ``winner`` first; ``match`` is then 0
    (002-X 15.6).
    """

    match: int
    winner: int
    seed: int
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """Seats of one game. ``black`` and ``white`` are never 0 here: byes are stored separately."""

    board: int
    game: GameId
    white: PlayerId
    black: PlayerId


@dataclass(frozen=True, slots=True)
class ByeSeat:
    """A player without an opponent in a round, and the kind of the bye."""

    player: PlayerId
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class Engine:
    """The pairing engine that made a pairing, and its version."""

    name: str
    version: str


@dataclass(frozen=True, slots=True)
class Match:
    """Two sides that meet on several boards of a round, or over several rounds, or for a place.

    ``match`` numbers matches through the tournament, the same in all its rounds. ``first`` and ``second`` are entries, or teams
    in a team event (``second`` 0: nobody). ``boards`` are this round's. ``leg`` counts its rounds from 1. ``places``: the best
    place that its winner and its loser can still have (empty if it decides no place).
    """

    match: int
    first: int
    second: int
    boards: tuple[int, ...]
    leg: int = 1
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundPaired(Official):
    """A published pairing: the ``pairing``-th of the tournament, for round ``round``.

    ``engine``: None for a manual pairing, with a ``reason``. ``overrides`` lists the absolute rules (slugs) that the chief
    arbiter decided not to apply. ``seed``: the seed of the draw for it (0: no draw). ``stage``: the name of its part of the
    competition. ``groups``, in the first round of a stage: the entries, or teams, of each group.
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
    stage: str = ""
    matches: tuple[Match, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TextErased(Official):
    """Every reader of this event deletes the text and never accepts that hash again."""

    hash: str
