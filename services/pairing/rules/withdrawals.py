"""Players who leave and return (002-X 20), and requested byes."""

from collections.abc import Sequence

from services.pairing.rules.commands import GrantBye, GrantByes, ReturnPlayer, WithdrawPlayer, WithdrawPlayers
from services.pairing.rules.entries.entry_lookup import entry_of, entry_present, refuse_round
from services.pairing.rules.sides.stages import group_of, is_of_table, rounds_with_each
from services.pairing.rules.teams.withdrawals import count_met_and_due, is_broken_off
from shared.core.event_types.penalties import EVENT_TYPES
from shared.core.events import (
    ByeGranted,
    Decision,
    FactsChecked,
    FindingWithdrawn,
    Official,
    PlayerReturned,
    PlayerWithdrew,
)
from shared.core.language.messages import Message, say, term
from shared.core.readings.removal_refusals import refuse_barred
from shared.core.readings.scoring import RoundScore, record_of
from shared.core.rounds.matches import teams_meet
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.rulebook.regulations import LeavingRule
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import RULEBOOK, PlayerId, Refusal, RulingId, Seq, TextRef

EXPULSION_EVENTS: frozenset[type[Official]] = frozenset(
    {FindingWithdrawn, FactsChecked, *(row.data for row in EVENT_TYPES)}
)
"""Events that can put an expulsion in or out of force: all events of penalties, and those of games about its grounds."""


def withdraw(t: Tournament, c: WithdrawPlayer) -> Decision | Refusal:
    """Decide that a player leaves after the rounds paired so far. These pairings stay in force.

    If the regulations forfeit unplayed games, the player leaves already before a paired game that has not begun. The
    event records permanently whether the results count, and the number of opponents met that decided it. Refusals:
    ``unknown-player``, ``player-left``, and for an automatic withdrawal ``no-expulsion``.
    """
    player = entry_present(t, c.player)
    if isinstance(player, Refusal):
        return player
    if (c.ruling or c.actor.role == "rulebook") and (c.ruling is None or c.ruling != t.expelled_by(c.player)):
        detail = say("player {player} is not expelled by a ruling in force", player=c.player)
        return Refusal("rule", "no-expulsion", detail, where="ruling")
    return Decision((_withdrawal(t, c.player, c.reason, c.ruling, (c.player,)),))


def withdraw_together(t: Tournament, c: WithdrawPlayers) -> Decision | Refusal:
    """Decide that all members of a team leave at once. Whether their results count depends on the teams they met (20.3).

    Refusals: ``nobody-left``, ``unknown-player``, ``player-left``.
    """
    if not c.players:
        return Refusal("rule", "nobody-left", say("all selected players have already withdrawn"), where="players")
    for player in c.players:
        entry = entry_present(t, player)
        if isinstance(entry, Refusal):
            return entry
    return Decision(tuple(_withdrawal(t, player, c.reason, None, c.players) for player in c.players))


def _withdrawal(
    t: Tournament, player: PlayerId, reason: TextRef | None, ruling: RulingId | None, going: tuple[PlayerId, ...]
) -> PlayerWithdrew:
    """Return the event that withdraws ``player``. ``going``: all players who leave together.

    ``ruling``: the expulsion that causes it, or None if the player leaves on their own.
    """
    leaving = t.regulations.leaving.rule_for(stage_now(t).format)
    record = record_of(t, player)
    if ruling is not None and t.removals_lapse() and any(a.withdrawal.ruling for a in t.players[player].absences):
        # An earlier expulsion was annulled: the player has been out since this one, whatever was paired meanwhile.
        record = record[: _paired_before(t, t.rulings[ruling].seq)]
    if teams_meet(t):
        played, due = count_met_and_due(t, player, going)
    else:
        played, due = _count_met(t, record), _count_due(t, player)
    results_stand = leaving.results == "stand" or not record or 2 * played >= due
    after = len(record)
    if leaving.unplayed == "forfeit":
        while after and _has_not_begun(t, player, record[after - 1]):
            after -= 1
    # Before the first pairing nobody has been promised a game (20.2).
    unplayed = leaving.unplayed if record else "not_paired"
    article = leaving.article if isinstance(leaving, LeavingRule) else t.regulations.articles.get("leaving.results", "")
    return PlayerWithdrew(player, after, results_stand, played, article, reason, unplayed, ruling)


def _paired_before(t: Tournament, seq: Seq) -> int:
    """Return how many rounds of pairings in force were paired before an event."""
    return max((p.event.round for p in t.pairings if p.withdrawn is None and p.seq < seq), default=0)


def _count_met(t: Tournament, record: Sequence[RoundScore]) -> int:
    """Return how many opponents a player has met in these rounds, or how many games if the regulations count games.

    Games won or lost by forfeit count if the regulations count them (20.3 only says 已赛). A game in progress counts as
    played if the player loses it by the withdrawal (`is_broken_off`).
    """
    leaving = t.regulations.leaving
    if t.removals_lapse():
        # Only the table that is left, and results that count (002-X 20.3, 11.3).
        record = [r for r in record if is_of_table(t, r.round, r.opponent) and r.counted]
    met = [r.opponent for r in record if r.kind in leaving.met_by or is_broken_off(t, r)]
    return len(met) if leaving.half_of == "games" else len(set(met))


def _count_due(t: Tournament, player: PlayerId) -> int:
    """Return how many opponents a player was to meet: all others of the group, or of the event without groups.

    If the regulations count games, it is the number of games with them. Opponents with annulled results are not counted.
    """
    others = set(group_of(t, player) or t.players) - {player}
    opponents = sum(t.results_annulled(PlayerId(p)) is None for p in others)
    return opponents * rounds_with_each(t) if t.regulations.leaving.half_of == "games" else opponents


def _has_not_begun(t: Tournament, player: PlayerId, r: RoundScore) -> bool:
    """Return whether a player's game never began, and is still open or was forfeited because of this player."""
    if r.game is None or t.games[r.game].started is not None:
        return False
    ended = t.ended_by_removal(t.games[r.game])
    return r.kind == "open" or (ended is not None and ended.player == player)


def let_return(t: Tournament, c: ReturnPlayer) -> Decision | Refusal:
    """Let a player return from the next round to be paired on. Annulled results count again; forfeits stay.

    Refusals: ``unknown-player``, ``player-here``, ``player-expelled`` while a ruling in force expels the player, and
    for an automatic return ``no-expulsion``.
    """
    entry = entry_of(t, c.player)
    if isinstance(entry, Refusal):
        return entry
    if entry.withdrawal is None:
        return Refusal("rule", "player-here", say("{player} has not left", player=c.player), where="player")
    expelled = t.expelled_by(c.player)
    if expelled is not None and not _is_superseded(t, c, expelled):
        see, detail = f"/v1/tournaments/{t.id}/rulings/{expelled}", say("{player} was expelled", player=c.player)
        return Refusal("rule", "player-expelled", detail, "002-X 18.3", "player", see)
    fallen = entry.withdrawal.ruling
    if c.actor.role == "rulebook" and fallen is None:
        return Refusal(
            "rule",
            "no-expulsion",
            say("{player} withdrew without a ruling, so the player cannot return automatically", player=c.player),
            where="player",
        )
    return Decision((PlayerReturned(c.player, t.rounds_paired() + 1, c.reason, fallen),))


def _is_superseded(t: Tournament, c: ReturnPlayer, expelled: RulingId) -> bool:
    """Return whether the player left because of an expulsion that was annulled, while another, ``expelled``, is in force.

    The services then write a return first, and next the withdrawal that the other expulsion requires.
    """
    withdrawal = t.players[c.player].withdrawal
    assert withdrawal is not None, "asked of a player who left"
    return (
        c.actor.role == "rulebook" and withdrawal.ruling not in (None, expelled) and t.withdrawal_of(c.player) is None
    )


def following_rulings(t: TournamentState) -> Sequence[WithdrawPlayer | ReturnPlayer]:
    """Return the automatic commands that expulsions 除名 make due (18.3).

    They withdraw each expelled player who has not left, and let a player return whose expulsion is no longer in force.
    If another expulsion is in force then, the player is withdrawn again for that one.
    """
    if not isinstance(t, Tournament) or t.closed():
        return ()
    due: list[WithdrawPlayer | ReturnPlayer] = []
    for player in sorted(t.players.keys() & t.removals.keys()):
        ruling, withdrawal = t.expelled_by(player), t.players[player].withdrawal
        if ruling is not None and withdrawal is None:
            due.append(WithdrawPlayer(RULEBOOK, player, None, ruling))
        elif (
            withdrawal is not None
            and withdrawal.ruling is not None
            and (ruling is None or t.withdrawal_of(player) is None)
        ):
            due.append(ReturnPlayer(RULEBOOK, player))
    return due


def undecided(c: WithdrawPlayer | ReturnPlayer) -> Message:
    """Return a message about the withdrawal or return that the log still lacks while the automatic command ``c`` is due."""
    if isinstance(c, WithdrawPlayer):
        return say(
            "{ruling} expels player {player}, but the withdrawal is missing", ruling=str(c.ruling), player=c.player
        )
    return say("the expulsion of player {player} has lapsed, but the withdrawal is still in force", player=c.player)


def grant_bye(t: Tournament, c: GrantBye) -> Decision | Refusal:
    """Grant a requested bye for a future round: half-point, zero-point or full-point.

    Refusals: ``unknown-player``, ``player-left``, ``player-removed``, ``no-byes``, ``bye-kind`` (only a pairing gives
    U), ``bye-of-a-member``, ``no-such-round``, ``round-paired``, ``bye-granted``, ``not-yet-entered``. A player takes one
    half-point bye, only for themselves: also ``another-players``.
    """
    own = _refuse_not_own(t, c) if c.actor.role == "player" else None
    if own is not None:
        return own
    player = entry_present(t, c.event.player)
    if isinstance(player, Refusal):
        return player
    barred = refuse_barred(t, c.event.player, c.event.round, "player")
    if barred is not None:
        return barred
    if c.event.kind == "U":
        return Refusal(
            "invalid",
            "bye-kind",
            say("the pairing-allocated bye cannot be granted: only a pairing assigns it"),
            where="kind",
        )
    now = stage_now(t)
    if c.event.kind == "H" and not grants_half_points(t):
        detail = say(
            "{player} plays for a team and cannot have a half-point bye: if a member is absent, the opponent wins the board"
            " by forfeit; grant a zero-point bye (Z)",
            player=c.event.player,
        )
        return Refusal("rule", "bye-of-a-member", detail, "002-X 21.4", "kind")
    if not FORMATS[now.format].paired_freely:
        detail = say(
            "in the format {format} a table gives the pairings; a bye cannot be requested", format=term(now.format)
        )
        return Refusal("rule", "no-byes", detail, "C.04.2", where="round")
    id, round = c.event.player, c.event.round
    if not 1 <= round <= t.announced.rounds:
        return refuse_round(t)
    if round <= t.rounds_paired():
        detail = say("round {round} has been paired", round=round)
        return Refusal("rule", "round-paired", detail, "C.04.2", where="round")
    if round < player.first_round:
        detail = say(
            "{player} enters in round {first_round}; a bye cannot be granted before it",
            player=id,
            first_round=player.first_round,
        )
        return Refusal("rule", "not-yet-entered", detail, where="round")
    if (round - 1) % now.games and (id, round - 1) not in t.byes:
        detail = say(
            "a bye cannot begin in round {round}, because it continues the match of the round before it", round=round
        )
        return Refusal("rule", "no-byes", detail, "002-X 13.5", where="round")
    if (id, round) in t.byes:
        detail = say("{player} already has a bye in round {round}", player=id, round=round)
        return Refusal("rule", "bye-granted", detail, where="round")
    return Decision((c.event,))


def _refuse_not_own(t: Tournament, c: GrantBye) -> Refusal | None:
    """Return why a player may not take this bye themselves, or None if it is their first half-point bye.

    Refusals: ``another-players``, ``bye-kind``, ``bye-granted``.
    """
    player, article = c.event.player, t.regulations.players.article
    if c.actor.name != str(player):
        detail = say("player {name} may take a bye only for themselves", name=c.actor.name)
        return Refusal("authority", "another-players", detail, article, "player")
    if c.event.kind != "H":
        detail = say("players take half-point byes themselves (H); an official grants other byes")
        return Refusal("rule", "bye-kind", detail, article, "kind")
    if any(one == player and bye.kind == "H" for (one, _), bye in t.byes.items()):
        detail = say("{player} already has a half-point bye; an official grants further ones", player=player)
        return Refusal("rule", "bye-granted", detail, article, "round")
    return None


def grants_half_points(t: Tournament) -> bool:
    """Return whether half-point byes can be granted: not to members of teams that meet, from decision edition 3 on.

    An absent member forfeits the board (002-X 21.4), so the half point would count for no team. A full-point bye can be
    granted, because report files contain members who won a board without an opponent.
    """
    return t.regulations.decisions < 3 or not teams_meet(t)


def grant_byes(t: Tournament, c: GrantByes) -> Decision | Refusal:
    """Grant the same bye to several players, or to none of them. Refusals: ``nobody-left``, and those of `grant_bye`."""
    if not c.players:
        return Refusal("rule", "nobody-left", say("none of the selected players may have the bye"), where="players")
    granted: list[ByeGranted] = []
    for player in dict.fromkeys(c.players):
        bye = ByeGranted(player, c.round, c.kind)
        answer = grant_bye(t, GrantBye(c.actor, bye))
        if isinstance(answer, Refusal):
            return answer
        granted.append(bye)
    return Decision(tuple(granted))
