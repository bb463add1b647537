"""What a tournament keeps of what was said: entries, pairings, games, rulings. Frozen; standard library only."""

from typing import NamedTuple

from shared.core import events as ev
from shared.core.terms import ByeKind, GameId, Mark, PlayerId, Role, RulingId, Seq, Side, TextRef


class Absence(NamedTuple):
    """A player who left was away from round ``first`` to ``last`` (None: has not come back).

    ``left`` is what was said on leaving, ``seq`` its line.
    """

    first: int
    last: int | None
    left: ev.PlayerWithdrew
    seq: Seq


class Player(NamedTuple):
    """An entry. ``left_after`` is the last round before a withdrawal (None: still in), ``left`` what was said of it;
    ``away`` are earlier absences, from which the player came back."""

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
    left_seq: Seq | None = None
    left: ev.PlayerWithdrew | None = None
    away: tuple[Absence, ...] = ()

    def gone(self, round: int) -> Absence | None:
        """The absence that a round falls into; None for one who was there."""
        if self.left is not None and self.left_after is not None and self.left_after < round:
            assert self.left_seq is not None, "said with the line"
            return Absence(self.left_after + 1, None, self.left, self.left_seq)
        return next((a for a in self.away if a.last is not None and a.first <= round <= a.last), None)


class Pairing(NamedTuple):
    """A published pairing; ``paired`` holds the event, ``withdrawn`` the line that took it back."""

    paired: ev.RoundPaired
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
    has the other's pieces.
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

    def player(self, side: Side) -> PlayerId:
        """Who sits on this seat."""
        return self.white if side == "white" else self.black


class Ruling(NamedTuple):
    """A ruling and its line; ``role`` is that of who made it."""

    made: ev.RulingMade
    seq: Seq
    role: Role


class Annulment(NamedTuple):
    """An annulment of a ruling, and its line."""

    made: ev.RulingAnnulled
    seq: Seq


class Finding(NamedTuple):
    """Something that games found of a player, and its line; ``answered`` is the line of the answer (None: open)."""

    made: ev.FindingMade
    seq: Seq
    answered: Seq | None = None


class Appeal(NamedTuple):
    """An appeal and its line; ``decided`` is the decision (None: open)."""

    lodged: ev.AppealLodged
    seq: Seq
    decided: ev.AppealDecided | None = None


class Publication(NamedTuple):
    """A published table and its line; ``basis`` is the last line that it was made from."""

    made: ev.StandingsPublished
    seq: Seq
    basis: Seq


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


class Lot(NamedTuple):
    """Who was drawn by lot as the winner of a match."""

    winner: int
    seq: Seq
