"""What holds at every point of a history, read from pairings and marks alone."""

from collections.abc import Iterator

from services.standings.rules.table.table import standings
from services.standings.rules.teams.table import is_team_event, team_standings
from shared.core.events import RoundPaired
from shared.core.rounds.stages import stage_named
from shared.core.rulebook.formats import FORMATS
from shared.core.state.tournament import Tournament
from shared.core.terms import PLAY_OFF, PlayerId
from tests.metamorphic.history import History


def broken(history: History) -> Iterator[str]:
    """Yield each invariant that does not hold, with its source."""
    t = history.t
    ranks = _ranks(t)
    yield from _later_stages_first(t, ranks)
    yield from _barred_players(t)
    if history.over:
        yield from _one_champion(t, ranks)
    yield from history.faults


def _ranks(t: Tournament) -> dict[int, int]:
    if is_team_event(t) and t.announced.conditions.teams_meet:
        return {row.team: row.rank for row in team_standings(t).rows}
    return {int(row.player): row.rank for row in standings(t).rows}


def _pairings(t: Tournament) -> list[RoundPaired]:
    return [p.event for p in t.pairings if p.withdrawn is None and p.event.stage != PLAY_OFF]


def _sides(t: Tournament, paired: RoundPaired) -> set[int]:
    """The sides that a pairing names: in its matches, its groups, or on its boards."""
    if paired.matches or paired.groups:
        named = {side for match in paired.matches for side in (match.first, match.second)}
        return {side for side in named.union(*map(set, paired.groups)) if side}
    teams = {member: team.team for team in t.teams.values() for member in team.members}
    return {teams.get(p, int(p)) for board in paired.boards for p in (board.white, board.black)}


def _results_annulled(t: Tournament, side: int) -> bool:
    """True if a side is behind all others because its results were annulled (002-X 20.3)."""
    member = t.teams[side].members[0] if side in t.teams else PlayerId(side)
    withdrawal = t.players[member].withdrawal
    return withdrawal is not None and not withdrawal.results_stand


def _later_stages_first(t: Tournament, ranks: dict[int, int]) -> Iterator[str]:
    """A side that reached a later stage is ranked before one that did not (002-X 11.3, 11.1)."""
    names = [stage.name for stage in t.regulations.stages]
    reached: dict[int, int] = {}
    for paired in _pairings(t):
        for side in _sides(t, paired):
            if paired.stage in names:
                reached[side] = max(reached.get(side, 0), names.index(paired.stage))
    for one, stage in reached.items():
        for other, rank in ranks.items():
            if reached.get(other, 0) < stage and rank <= ranks[one] and not _results_annulled(t, one):
                yield f"{other} did not reach stage {stage} and is ranked {rank}, {one} did and is {ranks[one]}"


def _one_champion(t: Tournament, ranks: dict[int, int]) -> Iterator[str]:
    """When a bracket is over, exactly one side is first, and it was seated in the last round (000-B 4, 9)."""
    last = _pairings(t)[-1]
    if not FORMATS[stage_named(t, last.stage).format].winner_needed:
        return
    first = [side for side, rank in ranks.items() if rank == 1]
    out = [match for match in last.matches if match.places and match.places[0] == 1]
    if len(first) != 1 and not _nobody_left(t, last):
        yield f"first are {first}"
    elif (
        out
        and len(first) == 1
        and not _nobody_left(t, last)
        and first[0] not in {s for m in out for s in (m.first, m.second)}
    ):
        yield f"first is {first[0]}, not a side of the final"


def _nobody_left(t: Tournament, paired: RoundPaired) -> bool:
    """True if both sides of the last match lost it, so that nobody won the bracket (002-X 21.3)."""
    last = next((match for match in paired.matches if match.places and match.places[0] == 1), None)
    boards = [board for board in paired.boards if last is None or board.board in last.boards]
    settings = [t.setting(t.games[board.game]) for board in boards]
    return all(s is not None and s.white.points == s.black.points == t.regulations.points.loss for s in settings)


def _barred_players(t: Tournament) -> Iterator[str]:
    """A removed player has no game in progress, and wins none of a round from which they are barred (002-X 18.2, 18.3)."""
    for game in t.games_in_force():
        for player, side in ((game.white, "white"), (game.black, "black")):
            rulings = [r.event for r in t.rulings.values() if r.event.player == player and t.has_effect(r.event.ruling)]
            pardoned = any(t.rulings[r].event.because and t.annulled_by.get(r) for r in game.rulings)
            expelled = any(e.effect.kind == "expel" for e in rulings)
            barred = any(e.effect.kind == "exclude" and game.round in e.effect.rounds for e in rulings)
            withdrawal = t.players[player].withdrawal
            left = withdrawal is not None and withdrawal.unplayed == "forfeit"
            setting = t.setting(game)
            if (expelled or barred or left) and not pardoned and game.started is not None and setting is None:
                yield f"{game.game} is still in progress although {player} was removed"
            # An exclusion that was annulled for a while did not bar from what was reported meanwhile.
            since = [
                t.rulings[e.ruling].seq for e in rulings if e.effect.kind == "exclude" and e.ruling not in t.annulled_by
            ]
            reported = t.reported.get(game.game)
            # The loss by the removal was annulled: that pardons it, and the game is played on.
            if (
                barred
                and not pardoned
                and since
                and reported == setting
                and reported is not None
                and reported.seq > max(since)
                and (getattr(reported, side).points == t.regulations.points.win)
            ):
                yield f"{player}, barred from round {game.round}, wins {game.game}"
