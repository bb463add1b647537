"""Matches: two sides over several boards or rounds, with their score, whether they are over, and the winner.

Sides are entries, or teams in a team event. Standard library only.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from shared.core import events as ev
from shared.core.rounds import stages as former
from shared.core.rounds.brackets import Bracket, Seats, plan_of
from shared.core.rounds.stages import (
    MatchScore,
    has_bracket,
    is_bracket,
    is_game_due,
    rounds_of_a_match,
    stage_named,
    stage_of,
    stages_begun,
)
from shared.core.rulebook.formats import FORMATS
from shared.core.state.entities import Lot
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import HalfPoints, PlayerId, Seq

Leg = tuple[ev.RoundPaired, ev.Match]
"""A match in one of its rounds: the pairing, and the match as paired in it."""


def teams_meet(t: Tournament) -> bool:
    """Return whether the sides of this event are teams."""
    return t.announced.conditions.teams_meet


def team_of(t: TournamentState) -> dict[PlayerId, int]:
    """Return the team of every member."""
    return {member: team.team for team in t.teams.values() for member in team.members}


class PairedBracket(NamedTuple):
    """The bracket that was paired. ``before``: the highest match number before it; its own numbers follow."""

    bracket: Bracket
    before: int


def matches(t: Tournament, rounds: int | None = None) -> dict[int, MatchScore]:
    """Return every match of a pairing in force, by number, over the first ``rounds`` rounds paired (default: all).

    In a bracket, a match is over once the next one was paired, and the side seated there has won it, even if a result was
    corrected since. Its points are those of the present results.
    """
    results = match_results(t, rounds)
    paired = find_bracket(t, results) if t.regulations.decisions >= 3 else None
    if paired is None:
        return results
    return {number: _as_played(score, paired.bracket, number - paired.before) for number, score in results.items()}


def _as_played(score: MatchScore, bracket: Bracket, number: int) -> MatchScore:
    if number < 1 or not bracket.is_settled(number):
        return score
    return score._replace(over=True, winner=bracket.outcome(number)[0], drawn=False)


def match_results(t: Tournament, rounds: int | None = None) -> dict[int, MatchScore]:
    """Return every match of a pairing in force by its present result, without regard to later pairings."""
    members = team_of(t) if teams_meet(t) else {}
    return {number: score_legs(t, legs, members) for number, legs in legs_of_matches(t, rounds).items()}


def legs_of_matches(t: Tournament, rounds: int | None = None) -> dict[int, list[Leg]]:
    """Return the games of every match of a pairing in force, by number, over the first ``rounds`` rounds (default: all)."""
    legs: dict[int, list[Leg]] = {}
    for pairing in filter(None, map(t.current, range(1, (t.rounds_paired() if rounds is None else rounds) + 1))):
        for match in pairing.event.matches:
            legs.setdefault(match.match, []).append((pairing.event, match))
    return legs


def places(t: Tournament, rounds: int | None = None) -> dict[int, int]:
    """Return the best place that each side of a knock-out can still have (see `Bracket.places`).

    Without a bracket, if a round of it was paired by seats alone, or before decision edition 3, only present results count.
    """
    results = match_results(t, rounds)
    paired = find_bracket(t, results) if t.regulations.decisions >= 3 else None
    return former.places(t, results) if paired is None else paired.bracket.places()


def find_bracket(t: Tournament, results: Mapping[int, MatchScore]) -> PairedBracket | None:
    """Return the paired bracket with these scores of its matches, or None (no bracket, or paired manually by seats alone)."""
    if not has_bracket(t):
        return None
    begun = stages_begun(t)
    if not begun or not begun[-1].groups or not is_bracket(t, begun[-1]):
        return None
    first, (seeded,) = begun[-1].first, begun[-1].groups
    before, seats = 0, dict[int, Seats]()
    for pairing in filter(None, map(t.current, range(1, t.rounds_paired() + 1))):
        event = pairing.event
        if event.round < first:
            before = max([before, *(m.match for m in event.matches)])
            continue
        if event.engine is None and t.regulations.pairing.by_hand == "seats" and not t.regulations.stages:
            return None
        seats |= {m.match - before: Seats(m.first, m.second, m.leg) for m in event.matches}
    rule = stage_named(t, begun[-1].name)
    scores = {number - before: score for number, score in results.items() if number > before}
    return PairedBracket(Bracket(plan_of(rule.format, len(seeded), rule.places), seeded, seats, scores), before)


def score_legs(t: Tournament, legs: Sequence[Leg], members: Mapping[PlayerId, int]) -> MatchScore:
    """Return the score of a match by these games of it, at least one. ``members``: the team of each player, if teams meet."""
    pairing, match = legs[-1]
    first, second, open = 0, 0, 0
    for round, leg in legs:
        for board in round.boards:
            if board.board not in leg.boards:
                continue
            setting = t.setting(t.games[board.game])
            if setting is None:
                open += 1
                continue
            white = setting.white.points if setting.white.counted else 0
            black = setting.black.points if setting.black.counted else 0
            mine = (white, black) if members.get(board.white, board.white) == match.first else (black, white)
            first, second = first + mine[0], second + mine[1]
        unopposed = _unopposed_points(t, round, members)
        first, second = first + unopposed.get(leg.first, 0), second + unopposed.get(leg.second, 0)
    lost = None if open else _lost_by_both(t, pairing, match)
    over, winner = _outcome(t, pairing, match, len(legs), first - second, open, lost)
    return MatchScore(
        match.match,
        match.first,
        match.second,
        (HalfPoints(first), HalfPoints(second)),
        len(legs),
        pairing.round,
        open,
        pairing.stage,
        match.places,
        over,
        winner,
        over and not winner and first == second and bool(match.boards),
        lost == "unplayed",
    )


def _lost_by_both(t: Tournament, pairing: ev.RoundPaired, match: ev.Match) -> Literal["unplayed", "played"] | None:
    """Return how both sides lost all boards of a round of a match, or None if they did not.

    ``unplayed`` if no board was played 双方弃权 (002-X 21.3), else ``played`` 双方均负 (chess 结束 16, Go 行棋 3).
    """
    games = [t.games[board.game] for board in pairing.boards if board.board in match.boards]
    settings = [setting for setting in map(t.setting, games) if setting is not None]
    loss = t.regulations.points.loss
    marks = [mark for one in settings for mark in (one.white, one.black)]
    if len(settings) != len(match.boards) or not marks or any(mark.points != loss for mark in marks):
        return None
    return "played" if any(mark.played for mark in marks) else "unplayed"


def _unopposed_points(t: Tournament, pairing: ev.RoundPaired, members: Mapping[PlayerId, int]) -> dict[int, int]:
    """Return each team's half-points on boards of a round without an opponent, which are won by forfeit."""
    points: dict[int, int] = {}
    for seat in pairing.byes if members else ():
        if seat.kind == "F" and seat.player in members:
            team = members[seat.player]
            points[team] = points.get(team, 0) + t.regulations.points.full_bye
    return points


def _outcome(
    t: Tournament,
    pairing: ev.RoundPaired,
    match: ev.Match,
    legs: int,
    lead: int,
    open: int,
    lost: Literal["unplayed", "played"] | None,
) -> tuple[bool, int]:
    """Return whether a match is over, and its winner (0: none). ``open``: the number of games without a result.

    ``legs``: its rounds so far. ``lead``: half-points by which the first side leads. ``lost``: the result of `_lost_by_both`.
    A match without boards is over, won by the side with the bye. One whose games are played is over, or, with ``best``, whose
    lead cannot be made up, and a drawn one after extra games and the lot, if a winner is needed (000-B 4, 9). One given up by
    both is over if the regulations say so: the leader wins, else both are out (002-X 21.3). A level one whose last game both
    lost is over, with both out. One that a side has left is over, won by the other if a winner is needed.
    """
    stage = stage_named(t, pairing.stage)
    needed = FORMATS[stage.format].winner_needed
    sides = match.first, match.second
    if not match.boards:
        free = {seat.player for seat in pairing.byes if seat.kind == "U"}
        return True, next((side for side in sides if side and free.intersection(members_of(t, side))), 0)
    if open:
        return False, 0
    ahead = match.first if lead > 0 else match.second if lead < 0 else 0
    left = max(0, rounds_of_a_match(t, pairing.stage) - legs)
    most = left * len(match.boards) * (t.regulations.points.win - t.regulations.points.loss)
    if (not left and ahead) or (stage.best and abs(lead) > most):
        return True, ahead
    if needed and lost == "played" and not left and t.regulations.decisions >= 3:
        return True, 0
    lot = _lot_in_force(t, pairing, match, legs, absent=lost == "unplayed") if needed else None
    if lot is not None:
        return True, lot.winner
    if needed and lost == "unplayed" and t.regulations.pairing.both_absent == "both_out":
        return True, ahead
    for later in _rounds_after(t, pairing.round, sides):
        remaining = [side for side in sides if any(_played_on(t, later, p) for p in members_of(t, side))]
        if len(remaining) < 2:
            return True, sum(remaining) if needed else ahead
    return not needed and not left, 0


def _lot_in_force(t: Tournament, pairing: ev.RoundPaired, match: ev.Match, legs: int, *, absent: bool) -> Lot | None:
    """Return the lot on a drawn match, or None. It does not count if a further game was paired since, or would be due now.

    ``pairing``: that of its last game. ``absent``: both sides were absent from it, which may put both out (002-X 21.3).
    """
    lot = t.lots.get(match.match)
    if lot is None or t.regulations.decisions < 3:
        return lot
    both_out, paired = absent and t.regulations.pairing.both_absent == "both_out", t.current(pairing.round)
    due = (paired is not None and lot.seq < paired.seq) or is_game_due(t, pairing.stage, legs, absent=absent)
    return None if both_out or due else lot


def _rounds_after(t: Tournament, round: int, sides: tuple[int, int]) -> Iterator[int]:
    """Yield the rounds after ``round``, up to the next in which one of the ``sides`` was seated, or to the next to pair.

    Other matches may have continued while this one was over. The side that left first has lost it, even if the other has left
    since. A correction opens it again when one of the sides has left.
    """
    last = max(round, t.rounds_paired()) + 1 if t.regulations.decisions >= 3 else round + 1
    for number in range(round + 1, last + 1):
        yield number
        pairing = t.current(number)
        if pairing is not None and any(m.first in sides or m.second in sides for m in pairing.event.matches):
            return


def _played_on(t: Tournament, round: int, player: PlayerId) -> bool:
    """Return whether a player still had games to play in a round when it was paired. A player who left later still had some."""
    paired = t.current(round) if t.regulations.decisions >= 3 else None
    return plays(t, round, player) or (paired is not None and not has_left(t, round, player, paired.seq))


def has_left(t: Tournament, round: int, player: PlayerId, until: Seq) -> bool:
    """Return whether a player had left for a round by an event up to ``until`` that is in force."""
    absence = t.absence(player, round)
    return absence is not None and absence.seq <= until


def extra_due(t: Tournament, match: MatchScore) -> bool:
    """Return whether another game is due in a match that is not over (see `is_game_due`)."""
    return is_game_due(t, match.stage, match.legs, absent=match.absent)


def members_of(t: Tournament, side: int) -> tuple[PlayerId, ...]:
    """Return the players of a side: the members of a team, or the player."""
    return t.teams[side].members if teams_meet(t) else (PlayerId(side),)


def has_games_left(t: Tournament, round: int, side: int) -> bool:
    """Return whether any player of a side still has games in a table or bracket drawn up before."""
    return any(plays(t, round, member) for member in members_of(t, side))


def plays(t: Tournament, round: int, player: PlayerId) -> bool:
    """Return whether a player still has games to play in the table or bracket that was drawn up.

    A withdrawn player has none, with one exception: if the opponents win the remaining games of a table by forfeit, these are
    paired, unless all results are annulled (002-X 20.3). In a bracket the other side advances without a game. A player barred
    from one round has a game in it, which is lost. An expelled player is out of a bracket from the ruling on.
    """
    absence = t.absence(player, round)
    bracket = FORMATS[stage_of(t, round).format].winner_needed
    if absence is None:
        return not (bracket and t.removals_lapse() and t.expelled_by(player) is not None)
    paired_on = not bracket and absence.withdrawal.unplayed == "forfeit" and absence.withdrawal.results_stand
    return paired_on and not (t.removals_lapse() and teams_meet(t) and _results_annulled(t, player))


def _results_annulled(t: Tournament, player: PlayerId) -> bool:
    """Return whether the results of a player's team are annulled: the results of at least one member are (002-X 20.3)."""
    own = (team.members for team in t.teams.values() if player in team.members)
    return any(t.results_annulled(member) is not None for member in next(own, ()))
