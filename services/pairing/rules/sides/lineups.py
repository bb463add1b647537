"""Line-ups: the players on each board of a team, by the five kinds of 002-X 12."""

from itertools import pairwise

from services.pairing.rules.pairing_input import players_to_seat
from shared.core.language.messages import say
from shared.core.readings.team_scoring import board_conditions
from shared.core.state.entities import Team
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal, TeamConditions

NOBODY = PlayerId(0)
FIXED = {"fixed": "002-X 12.1", "everybody": "002-X 12.4"}
"""Kinds in which the team as it was entered is the line-up of every match."""


def lineup_for(t: Tournament, team: int, round: int) -> tuple[PlayerId, ...]:
    """Return the players on each board of a team in ``round``, from the first board on; 0 on an empty board.

    They are the line-up that the team handed in, without absent players. Without one, they are the members in order, with
    substitutes moving up for absent players; if boards are fixed, the board of an absent player stays empty. A team that
    left and forfeits its games is seated all the same.
    """
    conditions = board_conditions(t)
    assert conditions is not None
    members = t.teams[team].members
    here = {p.player for p in players_to_seat(t, round)}.intersection(members)
    there = here or _barred_members(t, members, round) or {p for p in members if _forfeits(t, p, round)}
    lineup = t.lineups.get((team, round))
    if lineup is not None:
        chosen = [p if p in there else NOBODY for p in lineup.players]
    elif conditions.kind in FIXED:
        chosen = [p if p in there else NOBODY for p in members]
    else:
        chosen = [p for p in members if p in there]
    return tuple((*chosen, *[NOBODY] * conditions.boards)[: conditions.boards])


def _barred_members(t: Tournament, members: tuple[PlayerId, ...], round: int) -> set[PlayerId]:
    """Return the members who are only barred from a round, and lose their boards (002-X 18.2, 21.4).

    The set is empty before decision edition 3.
    """
    if not t.removals_lapse():
        return set()
    return {
        p
        for p in members
        if t.absence(p, round) is None and t.barred_by(p, round) is not None and t.expelled_by(p) is None
    }


def _forfeits(t: Tournament, player: PlayerId, round: int) -> bool:
    absence = t.absence(player, round)
    return absence is not None and absence.withdrawal.unplayed == "forfeit" and absence.withdrawal.results_stand


def refuse_players(
    t: Tournament, conditions: TeamConditions, team: Team, round: int, players: tuple[PlayerId, ...]
) -> Refusal | None:
    """Return why these players may not play for a team in ``round``, from its first board on, or None.

    Refusals: ``lineup-size``, ``not-a-member``, ``player-twice``, ``not-there``, ``order-reversed``.
    """
    if not 1 <= len(players) <= conditions.boards:
        detail = say(
            "the line-up must have 1 to {boards} players, not {players}",
            players=len(players),
            boards=conditions.boards,
        )
        return Refusal("invalid", "lineup-size", detail, where="players")
    strangers = sorted(set(players) - set(team.members))
    if strangers:
        detail = say(
            "these players must be members of team {team}, but are not: {strangers}",
            team=team.team,
            strangers=tuple(strangers),
        )
        return Refusal("rule", "not-a-member", detail, "002-X 12.2, 12.3", where="players")
    twice = sorted({p for p in players if players.count(p) > 1})
    if twice:
        detail = say("on two boards: {twice}", twice=tuple(twice))
        return Refusal("invalid", "player-twice", detail, where="players")
    here = {p.player for p in players_to_seat(t, round)}
    absent = [p for p in players if p not in here]
    if absent:
        detail = say(
            "these players are absent in round {round} and must not be in the line-up: {absent}",
            round=round,
            absent=tuple(absent),
        )
        return Refusal("rule", "not-there", detail, where="players")
    if conditions.kind == "substitutes":
        return _refuse_order(team.members, players)
    return None


def _refuse_order(members: tuple[PlayerId, ...], players: tuple[PlayerId, ...]) -> Refusal | None:
    """Return the refusal ``order-reversed`` if a line-up changes the order of the team's members, or None (002-X 12.2)."""
    for before, after in pairwise(players):
        if members.index(before) > members.index(after):
            detail = say(
                "player {before} is after {after} in the team's order, so they must not play on a higher board",
                before=before,
                after=after,
            )
            return Refusal("rule", "order-reversed", detail, "002-X 12.2", where="players")
    return None
