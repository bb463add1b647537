"""The scores of each team in each match: the only code that turns games into game points 局分 and match points 场分."""

from collections.abc import Sequence
from typing import NamedTuple

from shared.core.events import Match, RoundPaired
from shared.core.readings.scoring import Kind, RoundScore, Score, scores
from shared.core.rounds.matches import matches, team_of, teams_meet
from shared.core.rounds.stages import rounds_of_a_match
from shared.core.rulebook.regulations import TeamPoints
from shared.core.state.entities import Pairing
from shared.core.state.removals import AnnulledTable
from shared.core.state.tournament import Tournament
from shared.core.terms import ByeKind, HalfPoints, PlayerId, Seq, Side, TeamConditions

WHITE: Side = "white"
BLACK: Side = "black"


class BoardScore(NamedTuple):
    """The score of a team's player on a board of a match. Boards count from 1.

    A player without an opponent has a full-point bye: the board is won by forfeit.
    """

    board: int
    player: PlayerId
    score: RoundScore


class TeamRound(NamedTuple):
    """One team's match, over all rounds that it lasted.

    ``number`` counts the rounds of matches from 1. ``match``: 0 if the team had none. ``side``: white for the team named
    first. ``kind`` is *played* if any game was, or both sides have points, else *forfeit*. It is *open* while a game is open
    or rounds are still to be played. ``paired``: the events that paired it. Points are half-points. Match points are 0 while
    it is open.
    """

    number: int
    kind: Kind
    match: int = 0
    opponent: int = 0
    side: Side | None = None
    match_points: HalfPoints = HalfPoints(0)
    game_points: HalfPoints = HalfPoints(0)
    boards: tuple[BoardScore, ...] = ()
    paired: tuple[Seq, ...] = ()
    counted: bool = True


class TeamScore(NamedTuple):
    """A team's matches in all rounds."""

    team: int
    rounds: tuple[TeamRound, ...]

    @property
    def match_points(self) -> HalfPoints:
        return HalfPoints(sum(r.match_points for r in self.rounds))

    @property
    def game_points(self) -> HalfPoints:
        return HalfPoints(sum(r.game_points for r in self.rounds))


class _Leg(NamedTuple):
    """One round of a match, and the pairing that contains it."""

    match: Match
    pairing: Pairing


class _Share(NamedTuple):
    """The boards of one side of a match, over all of its rounds."""

    boards: tuple[BoardScore, ...]

    @property
    def points(self) -> HalfPoints:
        return HalfPoints(sum(b.score.points for b in self.boards))


def board_conditions(t: Tournament) -> TeamConditions | None:
    """Return how teams meet, or None if single players are paired (also for the sum of their places, 002-X 12.5)."""
    return t.announced.conditions.team if t.announced is not None and teams_meet(t) else None


def team_scores(t: Tournament, rounds: int | None = None) -> dict[int, TeamScore]:
    """Return every team's record over the first ``rounds`` rounds paired (default: all of them)."""
    last = t.rounds_paired() if rounds is None else rounds
    pairings = [p for p in map(t.current, range(1, last + 1)) if p is not None]
    rounds_of: dict[int, dict[int, TeamRound]] = {team: {} for team in t.teams}
    number, begun, legs = 0, dict[int, int](), dict[int, list[_Leg]]()
    byes: dict[tuple[int, int], list[Pairing]] = {}
    for pairing in pairings:
        number += any(m.leg == 1 for m in pairing.event.matches) or not pairing.event.matches
        for m in pairing.event.matches:
            begun.setdefault(m.match, number)
            legs.setdefault(m.match, []).append(_Leg(m, pairing))
        for team in teams_with_bye(t, pairing.event):
            byes.setdefault((team, number), []).append(pairing)
    table, over = scores(t, last), {n for n, m in matches(t, last).items() if m.over}
    for match, match_legs in legs.items():
        ended = match in over or len(match_legs) >= rounds_of_a_match(t, match_legs[0].pairing.event.stage)
        for team, record in _meeting(t, table, begun[match], match_legs, ended):
            if team in rounds_of:
                rounds_of[team][record.number] = record
    for (team, n), bye_pairings in byes.items():
        rounds_of[team][n] = _bye(t, n, bye_pairings)
    numbers = range(1, number + 1)
    return {
        team: TeamScore(team, tuple(of_team.get(n) or TeamRound(n, "none") for n in numbers))
        for team, of_team in rounds_of.items()
    }


def teams_with_bye(t: Tournament, paired: RoundPaired, kind: ByeKind = "U") -> set[int]:
    """Return the teams whose players have byes of this kind. If these are pairing-allocated, the team has the bye 轮空."""
    teams = team_of(t)
    return {teams[s.player] for s in paired.byes if s.kind == kind and s.player in teams}


def _bye(t: Tournament, number: int, pairings: Sequence[Pairing]) -> TeamRound:
    points, conditions = _points(t), board_conditions(t)
    assert conditions is not None, "matches of teams have boards"
    rounds = rounds_of_a_match(t, pairings[0].event.stage)
    boards = HalfPoints(points.bye_board * conditions.boards * rounds)
    games = _walkover_games(t, boards, rounds) if points.bye == points.win else boards
    paired = tuple(p.seq for p in pairings)
    return TeamRound(number, "bye", match_points=points.bye, game_points=games, paired=paired)


def _walkover_games(t: Tournament, boards: HalfPoints, rounds: int) -> HalfPoints:
    """Return the game points of a match of ``rounds`` rounds that a team won unplayed, by the ruleset (002-X 21.4).

    ``boards``: the points of its boards.
    """
    choice, conditions, worth = _points(t).walkover_games, board_conditions(t), t.regulations.points
    assert conditions is not None, "matches of teams have boards"
    games = conditions.boards * rounds
    least = worth.draw * (games - 1) + worth.win
    return HalfPoints({"boards": boards, "least": least, "none": 0}[choice])


def _points(t: Tournament) -> TeamPoints:
    assert t.regulations.teams is not None, "teams play by regulations for them"
    return t.regulations.teams


def _meeting(
    t: Tournament, table: dict[PlayerId, Score], number: int, legs: Sequence[_Leg], ended: bool
) -> list[tuple[int, TeamRound]]:
    """Return the record of a match for each of its teams. A match against nobody has none, because it is a bye.

    ``table``: the scores of all players. ``number``: the round of matches, from 1. ``legs``: the rounds that it was paired in.
    ``ended``: whether no more of its rounds will be paired.
    """
    match, paired = legs[0].match, tuple(leg.pairing.seq for leg in legs)
    if not match.second:
        return []
    first, second = (
        _Share(tuple(b for leg in legs for b in _boards(t, table, leg, team))) for team in (match.first, match.second)
    )
    kind, rounds = _kind(first, second, ended), rounds_of_a_match(t, legs[0].pairing.event.stage)
    annulled_by = _annulled_match(t, legs)
    counted = annulled_by is None and any(b.score.counted for b in first.boards + second.boards)
    records = []
    for team, other, side, own, opponent in (
        (match.first, match.second, WHITE, first, second),
        (match.second, match.first, BLACK, second, first),
    ):
        worth = match_points(_points(t), own.points, opponent.points, kind) if counted else HalfPoints(0)
        won_unplayed = kind == "forfeit" and own.points > opponent.points
        games = _walkover_games(t, own.points, rounds) if won_unplayed else own.points
        games = games if counted else HalfPoints(0)
        lines = paired if annulled_by is None else (*paired, annulled_by)
        record = TeamRound(number, kind, match.match, other, side, worth, games, own.boards, lines, counted)
        records.append((team, record))
    return records


def annulling_event(t: Tournament, team: int) -> Seq | None:
    """Return the sequence number of the event that annuls 注销 a team's results, or None if they count.

    They are annulled if the team left too early (002-X 20.3).
    """
    table = annulled_table(t, team)
    return None if table is None else table.seq


def annulled_table(t: Tournament, team: int) -> AnnulledTable | None:
    """Return the table in which a team's results are annulled 注销 because it left too early (002-X 20.3), or None."""
    return next(filter(None, map(t.annulled_table, t.teams[team].members)), None)


def _annulled_match(t: Tournament, legs: Sequence[_Leg]) -> Seq | None:
    """Return the sequence number of the event that annuls a match because a team of it left too early, or None."""
    match, round = legs[0].match, legs[0].pairing.event.round
    for table in (annulled_table(t, match.first), annulled_table(t, match.second)):
        if table is not None and table.has(round, match.first, match.second):
            return table.seq
    return None


def match_points(points: TeamPoints, own: HalfPoints, other: HalfPoints, kind: Kind) -> HalfPoints:
    """Return a side's match points, in half-points, for its ``own`` game points and those of the ``other`` (002-X 14.2).

    An absent side has lost, even if the other side was absent too (21.4). An open match (``kind``) gives 0.
    """
    if kind == "open":
        return HalfPoints(0)
    if own == other:
        return points.loss if kind == "forfeit" and not own else points.draw
    return points.win if own > other else points.loss


def _kind(first: _Share, second: _Share, ended: bool) -> Kind:
    boards = first.boards + second.boards
    if not ended or any(b.score.kind == "open" for b in boards):
        return "open"
    took_place = any(b.score.kind == "played" for b in boards) or (first.points and second.points)
    return "played" if took_place else "forfeit"


def _boards(t: Tournament, table: dict[PlayerId, Score], leg: _Leg, team: int) -> list[BoardScore]:
    """Return the boards of a team in one round of a match.

    If a board of the match has no game, one side's player had no opponent. These players are among the pairing's full-point
    byes, in the order of the boards.
    """
    pairing = leg.pairing.event
    seats = {b.board: (b.white, b.black) for b in pairing.boards}
    of_either = {p for side in (leg.match.first, leg.match.second) for p in t.teams[side].members}
    unopposed = iter([s.player for s in pairing.byes if s.kind == "F" and s.player in of_either])
    own, boards = set(t.teams[team].members), list[BoardScore]()
    for n, number in enumerate(leg.match.boards, 1):
        players = seats[number] if number in seats else (next(unopposed, PlayerId(0)),)
        boards += [BoardScore(n, p, table[p].rounds[pairing.round - 1]) for p in players if p in own]
    return boards
