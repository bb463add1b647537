"""Withdrawals of teams (002-X 20.3, 20.4): all members at once, judged by the teams that they met."""

from collections.abc import Sequence

from services.pairing.rules.sides.stages import group_of, is_of_table, rounds_with_each
from shared.core.readings.scoring import RoundScore
from shared.core.readings.team_scoring import TeamRound, annulling_event, team_scores
from shared.core.rounds.matches import team_of
from shared.core.rounds.stages import stage_now
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId


def count_met_and_due(t: Tournament, player: PlayerId, going: Sequence[PlayerId]) -> tuple[int, int]:
    """Return how many teams the player's team has met, and how many it was to meet.

    The ratio decides whether the results count. If the regulations count games, both numbers are rounds with these teams.
    ``going``: players who leave together with this one. If other members stay, the results count in any case, so both
    numbers are equal. Returns (0, 0) for a player without a team.
    """
    team = team_of(t).get(player)
    if team is None:
        return 0, 0
    staying = [m for m in t.teams[team].members if m not in going and t.withdrawal_of(m) is None]
    met = _count_met(t, team)
    return met, met if staying else _count_due(t, team)


def _count_met(t: Tournament, team: int) -> int:
    """Return how many teams a team has met, or the number of rounds with them if the regulations count games.

    Matches won or lost by forfeit count if the regulations count them.
    """
    leaving = t.regulations.leaving
    met = [r for r in team_scores(t)[team].rounds if r.counted and (not t.removals_lapse() or _is_of_table(t, r))]
    if leaving.half_of == "opponents":
        broken_off = (r.opponent for r in met if any(is_broken_off(t, b.score) for b in r.boards))
        return len({*broken_off, *(r.opponent for r in met if r.kind in leaving.met_by)})
    games = ([b.score for b in r.boards] for r in met)
    return sum(len({g.round for g in own if g.kind in leaving.met_by or is_broken_off(t, g)}) for own in games)


def _is_of_table(t: Tournament, r: TeamRound) -> bool:
    """Return whether a match belongs to the current stage, or was carried over to it."""
    return any(is_of_table(t, board.score.round, r.opponent) for board in r.boards)


def is_broken_off(t: Tournament, r: RoundScore) -> bool:
    """Return whether a round is a game in progress that a withdrawal loses at the board (000-A 五子棋 F; 000-B 7, 注意 9).

    Always False before decision edition 3.
    """
    lost = t.removals_lapse() and t.regulations.leaving.rule_for(stage_now(t).format).unplayed == "forfeit"
    return lost and r.kind == "open" and r.game is not None and t.games[r.game].started is not None


def _count_due(t: Tournament, team: int) -> int:
    """Return how many teams a team was to meet: all others of its group, or of the event if it has no group.

    If the regulations count games, it is the number of rounds with them. Teams with annulled results are not counted.
    """
    others = sum(annulling_event(t, other) is None for other in group_of(t, team) or t.teams if other != team)
    return others * rounds_with_each(t) if t.regulations.leaving.half_of == "games" else others
