"""Removals: which players are out of the event, of a round or of a game, and by which event.

Pairing, games, penalties and standings all ask here. Standard library only.
"""

from typing import NamedTuple

from shared.core import events as ev
from shared.core.state.entities import Absence, Game, Pairing, Player, Setting, Team
from shared.core.state.rulings_in_force import RulingsInForce
from shared.core.terms import PLAY_OFF, GameId, PlayerId, RulingId, Seq

REMOVAL = "removal"
"""The infraction, and the ladder step, of a ruling by which a removed player loses a game in progress."""


class Removal(NamedTuple):
    """The removal of a player from a game by event ``seq``, with its ``article`` and its ``ruling``.

    ``ruling`` is None if the player left without one.
    """

    player: PlayerId
    seq: Seq
    article: str
    ruling: RulingId | None


class AnnulledTable(NamedTuple):
    """A table in which a player's results are annulled 注销 by event ``seq``. ``first`` is its first round.

    ``carried``: the sides whose results against each other were carried over to it, if any were.
    """

    seq: Seq
    first: int
    carried: tuple[int, ...]

    def has(self, round: int, *sides: int) -> bool:
        """Return whether a game of these two sides in this round belongs to the table."""
        return round >= self.first or (bool(self.carried) and all(side in self.carried for side in sides))


class Removals(RulingsInForce):
    """The removed players of a tournament (`TournamentState` holds them)."""

    __slots__ = ()

    announced: ev.TournamentAnnounced | None
    players: dict[PlayerId, Player]
    teams: dict[int, Team]
    pairings: list[Pairing]
    reported: dict[GameId, Setting]
    removals: dict[PlayerId, tuple[RulingId, ...]]
    """By player, the rulings that expel or exclude them, in force or not."""

    def removals_lapse(self) -> bool:
        """Return whether the consequences of a removal lapse with it, as they do from decision edition 3 on."""
        return self.regulations is not None and self.regulations.decisions >= 3

    def expelled_by(self, player: PlayerId) -> RulingId | None:
        """Return the first ruling in force that expels the player 除名 (002-X 18.3), or None."""
        rulings = (r for r in self.removals.get(player, ()) if self.rulings[r].event.effect.kind == "expel")
        return next(filter(self.has_effect, rulings), None)

    def barred_by(self, player: PlayerId, round: int) -> RulingId | None:
        """Return the first ruling in force that bars the player from a round, or None (002-X 18.2, 18.3)."""
        rulings = (r for r in self.removals.get(player, ()) if _bars(self.rulings[r].event.effect, round))
        return next(filter(self.has_effect, rulings), None)

    def withdrawal_of(self, player: PlayerId) -> ev.PlayerWithdrew | None:
        """Return the withdrawal in force of a player, or None. One caused by an expulsion is in force while the expulsion is."""
        withdrawal = self.players[player].withdrawal
        return withdrawal if withdrawal is not None and self._withdrawal_in_force(withdrawal) else None

    def results_annulled(self, player: PlayerId) -> Seq | None:
        """Return the sequence number of the withdrawal that annuls 注销 a player's results, or None (002-X 20.3)."""
        entry = self.players.get(player)
        if entry is None or entry.withdrawal is None or entry.withdrawal.results_stand:
            return None
        return entry.withdrawal_seq if self._withdrawal_in_force(entry.withdrawal) else None

    def annulled_table(self, player: PlayerId) -> AnnulledTable | None:
        """Return the table in which a player's results are annulled, or None if they count (002-X 20.3).

        It is the table that the player left. Results of a stage before it count, unless they were carried over (002-X 11.3).
        """
        seq = self.results_annulled(player)
        if seq is None:
            return None
        first, group = 1, tuple[int, ...]()
        for pairing in self.pairings if self.removals_lapse() else ():
            event, in_force = pairing.event, pairing.withdrawn is None or pairing.withdrawn > seq
            if pairing.seq < seq and in_force and event.groups and event.stage != PLAY_OFF:
                first, group = event.round, event.groups[0] if first < event.round else ()
        carried = first > 1 and self.announced is not None and self.announced.conditions.carried
        return AnnulledTable(seq, first, group if carried else ())

    def annulling_event(self, game: Game) -> Seq | None:
        """Return the sequence number of the event that annuls 注销 a game's result, or None if the result counts.

        A result is annulled if one of the players left too early.
        """
        for player in (game.white, game.black):
            table = self.annulled_table(player)
            if table is not None and table.has(game.round, *map(self._side_of, (game.white, game.black))):
                return table.seq
        return None

    def _side_of(self, player: PlayerId) -> int:
        """Return the team of a player, or the player in an event without teams."""
        if self.announced is None or not self.announced.conditions.teams_meet:
            return player
        return next((team.team for team in self.teams.values() if player in team.members), player)

    def absence(self, player: PlayerId, round: int) -> Absence | None:
        """Return the absence in force that a round falls into, or None if the player was not absent."""
        entry = self._departed(player)
        if entry is None:
            return None
        return next((a for a in entry.absences_in(round) if self._withdrawal_in_force(a.withdrawal)), None)

    def _departed(self, player: PlayerId) -> Player | None:
        """Return the entry of a player who has left at least once, or None. It is fast, because few players ever leave."""
        entry = self.players.get(player)
        return None if entry is None or (entry.withdrawal is None and not entry.absences) else entry

    def may_play(self, player: PlayerId, round: int) -> bool:
        """Return whether a player may play a round: neither absent nor barred."""
        return self.removal_from_round(player, round) is None

    def removal_from(self, game: Game, player: PlayerId) -> Removal | None:
        """Return the removal of the player from a game that has no result of its own, or None if the player may play it.

        It is a ruling, unless the loss of this very game was annulled, which pardons it. Or it is a withdrawal,
        if unplayed games are forfeited (002-X 20.3, 20.4; 000-A 五子棋 F; 000-B 注意 9).
        """
        ruling = self.barred_by(player, game.round)
        if ruling is not None and not self._pardoned(game, ruling):
            return Removal(player, self.rulings[ruling].seq, self.rulings[ruling].event.article, ruling)
        entry = self._departed(player)
        for left in () if entry is None else entry.departures:
            withdrawal = left.withdrawal
            if withdrawal.ruling is None and withdrawal.unplayed == "forfeit" and _missed(left, game):
                return Removal(player, left.seq, withdrawal.article, None)
        return None

    def removal_from_round(self, player: PlayerId, round: int) -> Removal | None:
        """Return the removal that keeps a player out of a round, or None. A ruling takes precedence over an absence."""
        ruling = self.barred_by(player, round)
        if ruling is not None:
            return Removal(player, self.rulings[ruling].seq, self.rulings[ruling].event.article, ruling)
        left = self.absence(player, round)
        return None if left is None else Removal(player, left.seq, left.withdrawal.article, None)

    def own_setting(self, game: Game) -> Setting | None:
        """Return the results that a correction, a report or the end of the game set, or None."""
        return game.corrected or self.reported.get(game.game)

    def ended_by_removal(self, game: Game) -> Removal | None:
        """Return the removal of a player that ended a game, by a ruling that it caused or by forfeit.

        Return None if a removal did not end the game.
        """
        if not self.removals_lapse():
            return None
        ruling = self.ruling_on(game)
        if ruling is not None:
            behind, player = self.removal_behind(ruling.event.ruling), ruling.event.player
            if behind is None or player is None:
                return None
            return Removal(player, self.rulings[behind].seq, ruling.event.article, behind)
        return None if self.own_setting(game) is not None else next(iter(self.removed_from(game)), None)

    def removed_from(self, game: Game) -> tuple[Removal, ...]:
        """Return the removals that decide a game without a result of its own.

        These are the first removal, or both if both came before the pairing. The first removal ends a paired game,
        whatever happens to the opponent later.
        """
        removals = (self.removal_from(game, player) for player in (game.white, game.black))
        removed = sorted((one for one in removals if one is not None), key=lambda one: one.seq)
        return tuple(one for one in removed if one is removed[0] or one.seq < game.seq)

    def removal_behind(self, ruling: RulingId) -> RulingId | None:
        """Return the expulsion or exclusion that a ruling on a lost game results from, or None."""
        event = self.rulings[ruling].event
        return event.because[0] if event.infraction == REMOVAL and event.because else None

    def _pardoned(self, game: Game, removal: RulingId) -> bool:
        return any(self.removal_behind(r) == removal and self.annulments_in_force(r) for r in game.rulings)

    def _withdrawal_in_force(self, withdrawal: ev.PlayerWithdrew) -> bool:
        return withdrawal.ruling is None or not self.removals_lapse() or self.has_effect(withdrawal.ruling)


def _missed(left: Absence, game: Game) -> bool:
    """Return whether the absence includes the game: a round of it, or a game paired before it and open when the player left."""
    if left.last is None:
        return True
    return game.round <= left.last and (left.first <= game.round or game.seq < left.seq)


def _bars(effect: ev.Effect, round: int) -> bool:
    return effect.kind == "expel" or (effect.kind == "exclude" and round in effect.rounds)
