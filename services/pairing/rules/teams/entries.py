"""The entries of teams, with their members in the order of boards (002-X 12)."""

from itertools import pairwise

from services.pairing.rules.commands import EnterTeams, TeamEntry
from services.pairing.rules.entries.entries import refuse_ids
from services.pairing.rules.sides.lineups import FIXED
from shared.core.events import Decision, TeamEntered
from shared.core.language.messages import say
from shared.core.rounds.stages import stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, Refusal, TeamConditions

BY_RATING = {"fixed": "002-X 12.1", "substitutes": "002-X 12.2"}
"""Kinds whose members are ordered by rating. Members without a rating come after the others."""


def enter(t: Tournament, c: EnterTeams) -> Decision | Refusal:
    """Enter teams, either all or none. IDs are used as given, else the next free one.

    In a Swiss, or if all rounds are paired by hand, a team may enter late. Otherwise all teams must be entered before
    the first round is paired. Refusals: ``no-team-event``, ``nobody-entered``, ``teams-fixed``, ``team-exists``,
    ``invalid-id``, those of `_refuse_members` and `_refuse_order`.
    """
    conditions = t.announced.conditions.team
    if conditions is None:
        return Refusal(
            "rule",
            "no-team-event",
            say("teams cannot be registered, because this is an individual tournament"),
            "002-X 12",
        )
    if not c.teams:
        return Refusal("invalid", "nobody-entered", say("select at least one team"), where="teams")
    late = t.rounds_paired() and not (FORMATS[stage_now(t).format].paired_freely and conditions.kind != "members")
    if late:
        detail = say(
            "round {rounds_paired} has been paired; teams cannot be registered any more",
            rounds_paired=t.rounds_paired(),
        )
        return Refusal("rule", "teams-fixed", detail, where="teams")
    given = [e.team for e in c.teams if e.team is not None]
    refusal = refuse_ids(given, t.teams, "team-exists", "teams")
    if refusal is not None:
        return refusal
    next_id = max([0, *t.teams, *given]) + 1
    taken = {member: team.team for team in t.teams.values() for member in team.members}
    entered = []
    for n, entry in enumerate(c.teams):
        where = f"teams[{n}].members"
        refusal = _refuse_members(t, entry, conditions, taken, where) or _refuse_order(t, entry, conditions, where)
        if refusal is not None:
            return refusal
        team = entry.team
        if team is None:
            team, next_id = next_id, next_id + 1
        taken |= dict.fromkeys(entry.members, team)
        entered.append(TeamEntered(team, entry.name, entry.members))
    return Decision(tuple(entered))


def _refuse_members(
    t: Tournament, entry: TeamEntry, conditions: TeamConditions, taken: dict[PlayerId, int], where: str
) -> Refusal | None:
    """Return why these members cannot form a team, or None.

    Refusals: ``unknown-player``, ``player-left``, ``player-twice``, ``in-another-team``, ``team-size``.
    """
    members = entry.members
    unknown = [p for p in members if p not in t.players]
    if unknown:
        return Refusal("unknown", "unknown-player", say("not entered: {numbers}", numbers=tuple(unknown)), where=where)
    left = [p for p in members if t.players[p].left_after is not None]
    if left:
        return Refusal("rule", "player-left", say("left the tournament: {numbers}", numbers=tuple(left)), where=where)
    if len(set(members)) < len(members):
        return Refusal("invalid", "player-twice", say("a player is listed twice"), where=where)
    elsewhere = [p for p in members if p in taken]
    if elsewhere:
        teams = tuple(say("{player} is already a member of team {team}", player=p, team=taken[p]) for p in elsewhere)
        return Refusal("rule", "in-another-team", say("{names}", names=teams), where=where)
    spare = 0 if conditions.kind in (*FIXED, "members") else conditions.substitutes
    if not conditions.boards <= len(members) <= conditions.boards + spare:
        facts = {"members": len(members), "boards": conditions.boards}
        detail = (
            say(
                "the team has {members} members, but must have {boards} to {most}",
                **facts,
                most=conditions.boards + spare,
            )
            if spare
            else say("the team has {members} members, but must have {boards}", **facts)
        )
        return Refusal("rule", "team-size", detail, "002-X 12", where=where)
    return None


def _refuse_order(t: Tournament, entry: TeamEntry, conditions: TeamConditions, where: str) -> Refusal | None:
    """Return the refusal ``not-by-rating`` if a stronger player comes after a weaker one, or None."""
    if conditions.kind not in BY_RATING:
        return None
    for before, after in pairwise(entry.members):
        if (t.players[before].rating or 0) < (t.players[after].rating or 0):
            detail = say(
                "{after} has a higher rating than {before}, but is listed on a lower board", after=after, before=before
            )
            return Refusal("rule", "not-by-rating", detail, BY_RATING[conditions.kind], where=where)
    return None
