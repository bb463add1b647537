"""The matches of a file of teams: which games of a round belong together."""

from services.standings.formats.trf.model import TrfFile, TrfPlayer
from services.standings.formats.trf.to_events import boards
from shared.core.terms import TeamConditions

Games = list[tuple[TrfPlayer, TrfPlayer]]


def team_conditions(trf: TrfFile) -> TeamConditions | None:
    """The conditions on which the file's teams meet; None where it has none, or its games are no matches of them.

    Line-ups are those of each round (002-X 12.3); boards as record 352 tells, else as many as a match had at most.
    """
    rounds = [matches(trf, round) for round in range(1, trf.rounds_recorded + 1)]
    if not trf.settings.teams or any(games_by_pair is None for games_by_pair in rounds):
        return None
    lengths = [len(games) for games_by_pair in rounds for games in (games_by_pair or {}).values()]
    count = trf.settings.boards or max(lengths, default=min(len(t.members) for t in trf.settings.teams))
    sizes = [len(team.members) for team in trf.settings.teams]
    if min(sizes) < count or max(lengths, default=0) > count:
        return None
    return TeamConditions("lineup", count, max(sizes) - count)


def matches(trf: TrfFile, round: int) -> dict[tuple[int, int], Games] | None:
    """The games of each two teams in a round, in the order of the first team's members; None where it is none."""
    place = {m: (team.id, n) for team in trf.settings.teams for n, m in enumerate(team.members)}
    by_pair: dict[tuple[int, int], Games] = {}
    for white, black in boards(trf, round):
        if white.id not in place or black.id not in place:
            return None
        teams = place[white.id][0], place[black.id][0]
        if teams[0] == teams[1]:
            return None
        by_pair.setdefault((min(teams), max(teams)), []).append((white, black))
    playing = [team for pair in by_pair for team in pair]
    if len(playing) != len(set(playing)):
        return None
    for (first, _), games in by_pair.items():
        games.sort(key=lambda game: min(place[p.id] for p in game if place[p.id][0] == first))
    return dict(sorted(by_pair.items()))
