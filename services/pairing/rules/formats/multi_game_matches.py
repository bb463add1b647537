"""Matches in progress: further games of two sides that meet more than once, with colours changed (002-X 13.5)."""

from services.pairing.rules.sides.model import Meeting, Plan
from services.pairing.rules.sides.participants import present_in
from shared.core.language.messages import say
from shared.core.rounds.matches import extra_due, has_games_left, matches, teams_meet
from shared.core.rounds.rounds_to_come import open_matches
from shared.core.rounds.stages import MatchScore, rounds_of_a_match, stage_now
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import ByeKind, Refusal


def plan_open_matches(t: Tournament, round: int) -> Plan | Refusal | None:
    """Return a plan with the next game of every match that is not over, or None if all matches are over.

    A drawn match continues with the announced number of extra games 加赛. After them it must be decided by lot: the refusal
    ``match-drawn`` lists such matches (000-B 4, 9). Players who had the bye in the previous game have it again.
    """
    open = open_matches(t)
    if not open:
        return None
    drawn = [m for m in open if not extra_due(t, m)]
    if drawn:
        named = tuple(
            say("{match} ({first} and {second})", match=m.match, first=m.first, second=m.second) for m in drawn
        )
        see = f"/v1/tournaments/{t.id}/lots"
        return Refusal(
            "rule",
            "match-drawn",
            say("draw the lots first: match {named} ended drawn and must be decided by lot", named=named),
            "000-B 9",
            see=see,
        )
    free = _repeated_byes(t, round, "U"), _repeated_byes(t, round, "Z")
    alone = [side for m in matches(t).values() for side in _sides_left_alone(t, round, m)]
    resting = FORMATS[stage_now(t).format].rests
    byes, rests = (free[0], (*free[1], *alone)) if resting else ((*free[0], *alone), free[1])
    stage = next(p.event.stage for p in reversed(t.pairings) if p.withdrawn is None)
    meetings = tuple(Meeting(m.first, m.second, m.match, m.legs + 1, m.places) for m in open)
    return Plan(meetings, byes, rests, stage, fixed=True)


def _repeated_byes(t: Tournament, round: int, kind: ByeKind) -> tuple[int, ...]:
    """Return the players who had a bye of this ``kind`` in the previous round and have it again in ``round``.

    Empty for teams, and in formats in which a bye wins the match.
    """
    last = t.current(round - 1)
    if last is None or teams_meet(t) or FORMATS[stage_now(t).format].winner_needed:
        return ()
    here = present_in(t, round)
    return tuple(seat.player for seat in last.event.byes if seat.kind == kind and seat.player in here)


def _sides_left_alone(t: Tournament, round: int, m: MatchScore) -> tuple[int, ...]:
    """Return the side of match ``m`` whose opponent left before the next game of the match, or ``()``."""
    if (
        m.round != round - 1
        or m.legs >= rounds_of_a_match(t, m.stage)
        or FORMATS[stage_now(t).format].winner_needed
        or not m.second
    ):
        return ()
    there = tuple(side for side in (m.first, m.second) if has_games_left(t, round, side))
    return there if len(there) == 1 else ()
