"""The entries, pairings, games and rulings of a tournament, each with its line. Frozen; standard library only."""

from collections.abc import Hashable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from shared.core import events as ev
from shared.core.terms import (
    ByeKind,
    GameId,
    Mark,
    Place,
    PlayerId,
    Role,
    RulingId,
    Seconds,
    Seq,
    Side,
    Source,
    TextRef,
)


class Absence(NamedTuple):
    """A player who left was away from round ``first`` to ``last`` (None: has not come back).

    ``withdrawal`` is the event of leaving, ``seq`` its line.
    """

    first: int
    last: int | None
    withdrawal: ev.PlayerWithdrew
    seq: Seq


class Player(NamedTuple):
    """An entry. ``left_after`` is the last round before a withdrawal (None: still in), ``withdrawal`` its event;
    ``absences`` are earlier ones, from which the player came back; ``corrected`` the line that corrected it last (None: it
    stands as entered); the other texts as `ev.PlayerEntered` says."""

    player: PlayerId
    name: TextRef
    starting_number: int
    first_round: int
    rating: int | None
    title: str | None
    club: TextRef | None
    federation: str | None
    seq: Seq
    left_after: int | None = None
    withdrawal_seq: Seq | None = None
    withdrawal: ev.PlayerWithdrew | None = None
    absences: tuple[Absence, ...] = ()
    sex: TextRef | None = None
    birth_year: TextRef | None = None
    fide_id: TextRef | None = None
    corrected: Seq | None = None

    @property
    def lines(self) -> frozenset[Seq]:
        """The lines that say what the entry says: its own, and that of its last correction."""
        return frozenset((self.seq,) if self.corrected is None else (self.seq, self.corrected))

    @property
    def departures(self) -> tuple[Absence, ...]:
        """All absences, the present one first."""
        if self.withdrawal is None or self.left_after is None:
            return self.absences
        assert self.withdrawal_seq is not None, "set with its event"
        return (Absence(self.left_after + 1, None, self.withdrawal, self.withdrawal_seq), *self.absences)

    def absences_in(self, round: int) -> Iterator[Absence]:
        """Yield the absences that a round falls into, whether or not what they result from is in force."""
        return (a for a in self.departures if a.first <= round and (a.last is None or round <= a.last))


class Official(NamedTuple):
    """Who holds offices: the ``roles``, what he is called, the ``boards`` that a device feeds (none: all), and the last line
    that said so."""

    roles: frozenset[Role]
    person: TextRef | None
    boards: tuple[int, ...]
    seq: Seq


class Pairing(NamedTuple):
    """A published pairing: its event and its line; ``withdrawn`` is the line that took it back (None: it stands)."""

    event: ev.RoundPaired
    seq: Seq
    withdrawn: Seq | None = None


class Setting(NamedTuple):
    """Marks set for a game by one line of the log."""

    seq: Seq
    white: Mark
    black: Mark


class Game(NamedTuple):
    """A game of a published pairing and all that was said of it, by kind.

    ``corrected`` is the last correction (the last report or end is `Tournament.reported`);
    ``rulings`` those that set its marks, standing or not, in the log's order; ``reversed`` the line by which each side
    has the other's pieces; ``position`` the one that was set up before the first move, None for the usual one; ``settled``
    what a score sheet last said of the colours.
    """

    game: GameId
    round: int
    board: int
    white: PlayerId
    black: PlayerId
    pairing: int
    seq: Seq
    started: Seq | None = None
    ended: Seq | None = None
    corrected: Setting | None = None
    rulings: tuple[RulingId, ...] = ()
    reversed: Seq | None = None
    position: str | None = None
    settled: ev.ColoursSettled | None = None

    def player(self, side: Side) -> PlayerId:
        """Who sits on this seat."""
        return self.white if side == "white" else self.black


class Ruling(NamedTuple):
    """A ruling: its event and its line; ``role`` is that of who made it, the ``actor``, at that ``time`` (RFC 3339)."""

    event: ev.RulingMade
    seq: Seq
    role: Role
    actor: str
    time: str


class Annulment(NamedTuple):
    """An annulment of a ruling: its event and its line; ``role`` is that of who made it, the ``actor``, at that ``time``
    (RFC 3339)."""

    event: ev.RulingAnnulled
    seq: Seq
    role: Role
    actor: str
    time: str


class Finding(NamedTuple):
    """A finding of games on a player: its event and its line; ``answered`` is the line of the answer, ``withdrawn`` that by
    which it holds no longer (None: not so)."""

    event: ev.FindingMade
    seq: Seq
    answered: Seq | None = None
    withdrawn: Seq | None = None

    @property
    def open(self) -> bool:
        """Whether it waits for its answer."""
        return self.answered is None and self.withdrawn is None


class FactsCheck(NamedTuple):
    """A ruling's facts compared with the score sheet: the event and its line."""

    event: ev.FactsChecked
    seq: Seq


class Arrival(NamedTuple):
    """A player's arrival: ``late`` seconds after the start (None: did not come), at the ``seat``, which counts, or in the
    ``hall``. ``corrects`` is the one in whose place it stands, ``reason`` why, ``noted`` the line of the first of them: the
    regulations in force there measure it, from his ``turn`` where they say so."""

    arrival: str
    player: PlayerId
    game: GameId
    late: Seconds | None
    place: Place
    seq: Seq
    noted: Seq
    corrects: str | None = None
    reason: TextRef | None = None
    turn: Seconds | None = None


class Break(NamedTuple):
    """A player's break of so many ``seconds`` during the game (None: there was none). ``corrects``, ``reason`` and
    ``noted`` as of an `Arrival`."""

    id: str
    player: PlayerId
    game: GameId
    seconds: Seconds | None
    seq: Seq
    noted: Seq
    corrects: str | None = None
    reason: TextRef | None = None


class Claim(NamedTuple):
    """A claim that waited for an arbiter: its event and its line, the ``actor`` who sent it; ``settled`` is the event that
    settled it (None: nobody has)."""

    event: ev.ClaimPending
    seq: Seq
    actor: str
    settled: ev.ClaimSettled | None = None


class Appeal(NamedTuple):
    """An appeal: its event and its line; ``decision`` is the event that decided it (None: open)."""

    event: ev.AppealLodged
    seq: Seq
    decision: ev.AppealDecided | None = None


class CheckpointRestart(NamedTuple):
    """Checkpoints begun anew: the last one signed before, which this log does not continue, by ``size`` and ``root`` (hex)."""

    seq: Seq
    size: int
    root: str


class Publication(NamedTuple):
    """A published table: its event and its line; ``basis`` is the last line that it was made from. ``counted``: the results
    that it counts, as `counted_results` has them, if a stage may be made up from it; else empty."""

    event: ev.StandingsPublished
    seq: Seq
    basis: Seq
    counted: Mapping[Hashable, object] = MappingProxyType({})


class Bye(NamedTuple):
    """A bye that was asked for, and its line."""

    kind: ByeKind
    seq: Seq


class Team(NamedTuple):
    """A team: its members in the order of their boards."""

    team: int
    name: TextRef
    members: tuple[PlayerId, ...]
    seq: Seq


class Lineup(NamedTuple):
    """Who plays for a team in a round, from its first board on."""

    players: tuple[PlayerId, ...]
    seq: Seq


class PlaceLot(NamedTuple):
    """The order in which lots parted entries or teams that shared a place."""

    order: tuple[int, ...]
    seq: Seq


class KeyInForce(NamedTuple):
    """A service's key, as text; the line that announced it, after which it counts, and who wrote that."""

    key: str
    seq: Seq
    by: Source


class Lot(NamedTuple):
    """Who was drawn by lot as the winner of a match."""

    winner: int
    seq: Seq
