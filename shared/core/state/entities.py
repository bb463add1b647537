"""The entries, pairings, games and rulings of a tournament, each with its sequence number. Frozen; standard library only."""

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
    """An absence from round ``first`` to ``last`` (None: not returned). ``withdrawal``: its event, ``seq`` its number."""

    first: int
    last: int | None
    withdrawal: ev.PlayerWithdrew
    seq: Seq


class Player(NamedTuple):
    """An entry of a player. The other texts are explained at `ev.PlayerEntered` and `ev.IdentityStated`.

    ``left_after``: the last round before a withdrawal (None: still in), ``withdrawal`` its event. ``absences``: earlier
    absences, from which the player returned. ``corrected``, ``identity``: the last event that corrected the entry or stated
    the identity (None: no event did).
    """

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
    national_id: TextRef | None = None
    public_history: bool = False
    identity: Seq | None = None

    @property
    def lines(self) -> frozenset[Seq]:
        """Return the events that state the entry: its own, and its last correction and identity."""
        return frozenset(seq for seq in (self.seq, self.corrected, self.identity) if seq is not None)

    @property
    def departures(self) -> tuple[Absence, ...]:
        """Return all absences, the present one first."""
        if self.withdrawal is None or self.left_after is None:
            return self.absences
        assert self.withdrawal_seq is not None, "set with its event"
        return (Absence(self.left_after + 1, None, self.withdrawal, self.withdrawal_seq), *self.absences)

    def absences_in(self, round: int) -> Iterator[Absence]:
        """Yield the absences that a round falls into, whether or not they are in force."""
        return (a for a in self.departures if a.first <= round and (a.last is None or round <= a.last))


class Official(NamedTuple):
    """A user with roles in a tournament.

    ``person``: their name. ``boards``: the boards that a device feeds (empty: all). ``seq``: the last event that set them.
    """

    roles: frozenset[Role]
    person: TextRef | None
    boards: tuple[int, ...]
    seq: Seq


class Pairing(NamedTuple):
    """A published pairing with its event. ``withdrawn`` is the event that withdrew it (None: in force)."""

    event: ev.RoundPaired
    seq: Seq
    withdrawn: Seq | None = None


class Setting(NamedTuple):
    """The results of both sides of a game that one event set."""

    seq: Seq
    white: Mark
    black: Mark


class Game(NamedTuple):
    """A game of a published pairing and all events about it, by kind.

    ``corrected`` is the last correction. (The last report or end is in `Tournament.reported`.) ``rulings``: those that set its
    marks, in force or not, in the log's order. ``reversed``: the event since which each side has the other's pieces.
    ``position``: the position before the first move (None: the usual one). ``settled``: the last colours from a score sheet.
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
        """Return the player on this seat."""
        return self.white if side == "white" else self.black


class Ruling(NamedTuple):
    """A ruling by the official ``actor`` in this ``role``: its event and sequence number. ``time``: RFC 3339."""

    event: ev.RulingMade
    seq: Seq
    role: Role
    actor: str
    time: str


class Annulment(NamedTuple):
    """An annulment by the official ``actor`` in this ``role``: its event and sequence number. ``time``: RFC 3339."""

    event: ev.RulingAnnulled
    seq: Seq
    role: Role
    actor: str
    time: str


class Finding(NamedTuple):
    """A finding of games on a player: its event and its sequence number.

    ``answered`` is the event that answers it, ``withdrawn`` the event that withdraws it (None: neither has happened).
    """

    event: ev.FindingMade
    seq: Seq
    answered: Seq | None = None
    withdrawn: Seq | None = None

    @property
    def open(self) -> bool:
        """Return whether the finding waits for its answer."""
        return self.answered is None and self.withdrawn is None


class FactsCheck(NamedTuple):
    """A comparison of a ruling's facts with the score sheet: the event and its sequence number."""

    event: ev.FactsChecked
    seq: Seq


class Arrival(NamedTuple):
    """An arrival of a player, ``late`` seconds after the start of the round (None: did not come).

    Only an arrival at the ``seat`` counts, not one at the ``hall`` (venue). ``corrects``: the arrival that this one replaces,
    with its ``reason``. ``noted``: the event that noted the first one. The regulations in force at that event measure the delay,
    from the player's ``turn`` (seconds after the start) if they say so.
    """

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
    """A break of a player, ``seconds`` long, during the game (None: it did not happen).

    ``corrects``, ``reason`` and ``noted`` are explained at `Arrival`.
    """

    id: str
    player: PlayerId
    game: GameId
    seconds: Seconds | None
    seq: Seq
    noted: Seq
    corrects: str | None = None
    reason: TextRef | None = None


class Claim(NamedTuple):
    """A claim that waited for an arbiter: its event, its sequence number and the ``actor`` who sent it.

    ``settled`` is the event that settled it (None: not yet settled).
    """

    event: ev.ClaimPending
    seq: Seq
    actor: str
    settled: ev.ClaimSettled | None = None


class CheckpointRestart(NamedTuple):
    """A restart of checkpoints. This log does not continue the last signed one, of this ``size`` and ``root`` (hex)."""

    seq: Seq
    size: int
    root: str


class Publication(NamedTuple):
    """A published table: its event and its sequence number. ``basis`` is the last event that it was computed from.

    ``counted``: the results that it counts, in the form of `counted_results`, if a stage may be built from it; else empty.
    """

    event: ev.StandingsPublished
    seq: Seq
    basis: Seq
    counted: Mapping[Hashable, object] = MappingProxyType({})


class Bye(NamedTuple):
    """A requested bye and its event."""

    kind: ByeKind
    seq: Seq


class Team(NamedTuple):
    """A team with its members in the order of their boards."""

    team: int
    name: TextRef
    members: tuple[PlayerId, ...]
    seq: Seq


class Lineup(NamedTuple):
    """The players of a team in a round, from its first board on."""

    players: tuple[PlayerId, ...]
    seq: Seq


class PlaceLot(NamedTuple):
    """The order in which lots separated entries or teams that shared a place."""

    order: tuple[int, ...]
    seq: Seq


class KeyInForce(NamedTuple):
    """A service's key as text, the event that announced it, and the source of that event. The key counts after that event."""

    key: str
    seq: Seq
    by: Source


class Lot(NamedTuple):
    """The entry or team drawn by lot as the winner of a match."""

    winner: int
    seq: Seq
