"""What pairing says: the announcement, entries and teams, leaving, byes, rounds."""

from dataclasses import dataclass
from typing import Literal

from shared.core.events.event import Official
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Regulations
from shared.core.terms import ByeKind, Conditions, GameId, OfficesEdition, PlayerId, Role, RulingId, Side, TextRef


@dataclass(frozen=True, slots=True)
class TournamentAnnounced(Official):
    """A competition exists. ``tiebreaks`` empty: those of the regulations.

    ``origin``: what checkpoints of the log say that they are of, ``NAME/T``; empty: ``arbiter/T``. ``keys``: of the
    four services, in their order, by which every record of it is signed; empty: none is. ``offices``: the edition of the
    rules about roles, for its whole life. ``place``: where it is played, ``begins`` and ``ends``: its
    first and its last day (ISO 8601), ``time_zone``: that of the place, by its IANA name; empty: not said.
    ``results_only``: the game need not be one of the ruleset, and results alone are reported; events before v5 mean that
    any game was accepted.
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

    @property
    def excludes_sheets(self) -> bool:
        """True if no game may have a score sheet, as the announcement says; one before offices 3 says nothing of it."""
        return self.results_only and self.offices >= 3


@dataclass(frozen=True, slots=True)
class RegulationsAdopted(Official):
    """Regulations pinned whole; the last one adopted is in force."""

    regulations: Regulations
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class OfficialAppointed(Official):
    """An official of the tournament, by the handle on the token, and an office that he has in it.

    ``person``: what he is called; ``boards``: the numbers of those that a device feeds, none: all.
    """

    official: str
    role: Role
    person: TextRef | None = None
    boards: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OfficialDismissed(Official):
    """From here on every desk refuses this actor in this tournament."""

    official: str
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class PlayerEntered(Official):
    """An entry. ``first_round`` is the first that the player can be paired in (1: from the start).

    What is personal is a text that can be erased: ``sex`` (``m`` or ``f``), ``birth_year``, ``fide_id``.
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
    """What an entry says from here on, whole; ``changed``: which members are others than before.

    ``starting_number``: the one asked for with it (None: not asked).
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
    """``seed`` drew them by lot; 0: nothing was drawn."""

    numbers: tuple[StartingNumber, ...]
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PlayerWithdrew(Official):
    """Leaves after ``after_round`` rounds; whether results stand, and on what count: ``played`` opponents, or games where the
    regulations take half of these.

    ``unplayed``: what becomes of the rounds to come. ``ruling``: the expulsion 除名 that it follows from (002-X 18.3).
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
    """Who had left plays again from ``first_round`` on; ``ruling``: the expulsion that fell."""

    player: PlayerId
    first_round: int
    reason: TextRef | None = None
    ruling: RulingId | None = None


@dataclass(frozen=True, slots=True)
class ByeGranted(Official):
    """A bye asked for: the player is not seated in that round."""

    player: PlayerId
    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class PlayerCheckedIn(Official):
    """Whether a player has come to the competition (签到), before he is paired; ``here`` false: noted by mistake."""

    player: PlayerId
    here: bool = True


@dataclass(frozen=True, slots=True)
class PairsForbidden(Official):
    """All that may not be paired with each other from here on; the last such event holds."""

    pairs: tuple[tuple[PlayerId, ...], ...]
    reason: TextRef | None = None


@dataclass(frozen=True, slots=True)
class BoardFixed(Official):
    """A player who cannot move has this board in every round; 0: no longer."""

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
    """Who plays for a team in a round, from its first board on."""

    team: int
    round: int
    players: tuple[PlayerId, ...]


@dataclass(frozen=True, slots=True)
class LotDrawn(Official):
    """Lots decide a match that stayed drawn: by the ``seed`` ``winner``, an entry or a team, has it.

    ``order``: entries or teams that shared a place, as the lots part them, the ``winner`` first; ``match`` is 0 then
    (002-X 15.6).
    """

    match: int
    winner: int
    seed: int
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Board:
    """Seats of one game. ``black`` and ``white`` are never 0 here: byes are apart."""

    board: int
    game: GameId
    white: PlayerId
    black: PlayerId


@dataclass(frozen=True, slots=True)
class ByeSeat:
    """A player who has no opponent in a round, and what the bye is worth."""

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

    ``match`` numbers matches through the tournament, the same in all its rounds; ``first`` and ``second`` are entries,
    or teams in a team event (``second`` 0: nobody); ``boards`` are this round's; ``leg`` counts its rounds from 1.
    ``places``: the best place that winner and loser of it can still have; empty where it decides none.
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

    ``engine`` None: made by hand, with a ``reason``; ``overrides`` lists the
    absolute rules (slugs) that the chief arbiter set aside. ``seed`` is that of
    whatever was drawn for it, 0 where nothing was. ``stage`` names the part of the competition that it belongs to;
    ``groups``, in the first round of a stage, who plays in which group: entries, or teams.
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
    """Whoever reads it deletes the text and never takes that hash again."""

    hash: str
