"""Matches: two sides over several boards or rounds; their score, whether they are over, and who won.

Sides are entries, or teams in a team event. Standard library only.
"""

from typing import NamedTuple

from shared.core import events as ev
from shared.core.entities import Game
from shared.core.formats import FORMATS
from shared.core.stages import stage_named, stage_of
from shared.core.terms import HalfPoints, PlayerId
from shared.core.tournament import Tournament


class MatchScore(NamedTuple):
    """A match as it stands.

    ``points`` of the first and the second side in half-points, those of games (局分) in a team event; ``legs``: the
    rounds it was paired in, the last of them ``round``, of this ``stage``; ``open``: games that have no result yet.
    ``absent``: both sides lost the last round of it unplayed 双方弃权. ``over``: no more games of it are due; ``winner`` 0
    where it is not over, was drawn (``drawn``), or nobody is left of it.
    """

    match: int
    first: int
    second: int
    points: tuple[HalfPoints, HalfPoints]
    legs: int
    round: int
    open: int
    stage: str
    places: tuple[int, ...]
    over: bool
    winner: int
    drawn: bool
    absent: bool

    @property
    def loser(self) -> int:
        """Who lost it: 0 where nobody did."""
        return 0 if not self.winner else self.second if self.winner == self.first else self.first


def of_teams(t: Tournament) -> bool:
    """Whether the sides of this event are teams."""
    return t.announced.conditions.teams_meet


def team_of(t: Tournament) -> dict[PlayerId, int]:
    """The team of every member."""
    return {member: team.team for team in t.teams.values() for member in team.members}


def rounds_of_a_match(t: Tournament, stage: str = "") -> int:
    """Rounds that a match of a stage takes unless it is decided before: its games; 全队轮赛 one for each board (002-X 12.4)."""
    team = t.announced.conditions.team
    if team is not None and team.kind == "everybody":
        return team.boards
    return stage_named(t, stage).games


def matches(t: Tournament, rounds: int | None = None) -> dict[int, MatchScore]:
    """Every match of a standing pairing, by number, over the first ``rounds`` rounds paired (default: all)."""
    last = t.rounds_paired() if rounds is None else rounds
    legs: dict[int, list[tuple[ev.RoundPaired, ev.Match]]] = {}
    for pairing in filter(None, map(t.current, range(1, last + 1))):
        for match in pairing.event.matches:
            legs.setdefault(match.match, []).append((pairing.event, match))
    members = team_of(t) if of_teams(t) else {}
    return {number: _score(t, of_match, members) for number, of_match in legs.items()}


def match_of(t: Tournament, game: Game) -> int | None:
    """The number of the match that a game is one of; None where its round has no matches."""
    pairing = t.pairings[game.pairing - 1].event
    return next((match.match for match in pairing.matches if game.board in match.boards), None)


def places(t: Tournament, rounds: int | None = None) -> dict[int, int]:
    """The best place that each side of a knock-out can still have: that of the last match it has played to its end.

    Where nobody has won, both are out: they have the loser's place, or, where a loser would have played on, stand behind all
    who were still there.
    """
    best: dict[int, int] = {}
    out: dict[int, int] = {}
    brackets = [m for m in matches(t, rounds).values() if FORMATS[stage_named(t, m.stage).format].winner_needed]
    sides = {side for m in brackets for side in (m.first, m.second) if side}
    for match in sorted(brackets, key=lambda m: (m.round, m.match)):
        for side in (match.first, match.second):
            best.setdefault(side, 1)
        if match.over and match.places:
            if not match.winner and t.regulations.decisions >= 2:
                left = len(sides) - sum(match.round > round for side, round in out.items() if side)
                place = match.places[-1] if match.places[-1] > match.places[0] else left
                best[match.first] = best[match.second] = place
                out |= {match.first: match.round, match.second: match.round}
            best[match.winner] = match.places[0]
            best[match.loser] = match.places[-1]
            if match.places[-1] > match.places[0]:
                out[match.loser] = match.round
    best.pop(0, None)
    return best


def _score(t: Tournament, legs: list[tuple[ev.RoundPaired, ev.Match]], members: dict[PlayerId, int]) -> MatchScore:
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
        alone = _alone(t, round, members)
        first, second = first + alone.get(leg.first, 0), second + alone.get(leg.second, 0)
    absent = not open and _both_absent(t, pairing, match)
    over, winner = _outcome(t, pairing, match, len(legs), first - second, open, absent)
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
        absent,
    )


def _both_absent(t: Tournament, pairing: ev.RoundPaired, match: ev.Match) -> bool:
    """Whether both sides lost all boards of a round of a match unplayed: 双方弃权 (002-X 21.3)."""
    games = [t.games[board.game] for board in pairing.boards if board.board in match.boards]
    settings = [setting for setting in map(t.setting, games) if setting is not None]
    loss = t.regulations.points.loss
    return len(settings) == len(match.boards) > 0 and all(
        not mark.played and mark.points == loss for one in settings for mark in (one.white, one.black)
    )


def _alone(t: Tournament, pairing: ev.RoundPaired, members: dict[PlayerId, int]) -> dict[int, int]:
    """Half-points of each team in a round on boards that nobody of the other team sat at: won by forfeit."""
    points: dict[int, int] = {}
    for seat in pairing.byes if members else ():
        if seat.kind == "F" and seat.player in members:
            team = members[seat.player]
            points[team] = points.get(team, 0) + t.regulations.points.full_bye
    return points


def _outcome(
    t: Tournament, pairing: ev.RoundPaired, match: ev.Match, legs: int, lead: int, open: int, absent: bool
) -> tuple[bool, int]:
    """Whether a match is over, and its winner (0: none).

    Over is a match without boards, won by who has the bye for it; one whose games are played, or, ``best`` of them,
    whose lead the games left cannot make good; a drawn one after its extra games and the lot, where a winner is
    needed (000-B 4, 9); one that both sides have given up, where the regulations say so: who leads has won it, else both
    are out (002-X 21.3); and one of which somebody has left, with the other as its winner where one is needed.
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
    if needed and match.match in t.lots:
        return True, t.lots[match.match].winner
    if needed and absent and t.regulations.pairing.both_absent == "both_out":
        return True, ahead
    there = [side for side in sides if any(plays(t, pairing.round + 1, p) for p in members_of(t, side))]
    if len(there) < 2:
        return True, sum(there) if needed else ahead
    return not needed and not left, 0


def extra_due(t: Tournament, match: MatchScore) -> bool:
    """Whether another game of a match that is not over is due: one announced, or an extra one 加赛 (000-B 4, 9).

    Who did not come to the last of the games announced has no extra one: the lots decide.
    """
    due, rules = rounds_of_a_match(t, match.stage), t.regulations.pairing
    if match.legs < due:
        return True
    if rules.drawn_match == "lots" or (match.absent and t.regulations.decisions >= 2):
        return False
    return rules.drawn_match == "extra" or match.legs < due + stage_named(t, match.stage).extra


def members_of(t: Tournament, side: int) -> tuple[PlayerId, ...]:
    """The entries that a side consists of."""
    return t.teams[side].members if of_teams(t) else (PlayerId(side),)


def plays(t: Tournament, round: int, player: PlayerId) -> bool:
    """Whether a player still has games to come in what was drawn up before: a table, or a bracket.

    Who left has none. In a table, where what is left to play is won by the opponents by forfeit, it is paired on, unless
    all its results are annulled (002-X 20.3); in a bracket the other side goes on without a game. Who is barred from
    one round loses that game, and so has it. An expelled player is out of a bracket from the ruling on.
    """
    absence = t.absence(player, round)
    bracket = FORMATS[stage_of(t, round).format].winner_needed
    if absence is None:
        return not (bracket and t.removals_lapse() and t.expelled_by(player) is not None)
    return not bracket and absence.withdrawal.unplayed == "forfeit" and absence.withdrawal.results_stand
