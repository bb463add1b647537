"""The matches of a file of teams: which games of a round belong together."""

from collections.abc import Mapping

from shared.core.language.messages import Message, say
from shared.core.terms import TeamConditions
from shared.trf.model.model import TrfFile, TrfPlayer
from shared.trf.rounds import boards

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
    """The games of each two teams in a round, board after board; None where they are no matches.

    Boards are in the order of the first line-up that the file tells (801, 300); of two that it is silent of, in the order of the
    first team's members.
    """
    if no_match(trf, round) is not None:
        return None
    place = trf.places
    by_pair: dict[tuple[int, int], Games] = {}
    for white, black in boards(trf, round):
        teams = place[white.id][0], place[black.id][0]
        by_pair.setdefault((min(teams), max(teams)), []).append((white, black))
    for pair, games in by_pair.items():
        team, order = _order(trf, round, pair, games)
        games.sort(key=lambda game: min(order[p.id] for p in game if place[p.id][0] == team))
    return dict(sorted(by_pair.items()))


def matches_held(trf: TrfFile) -> dict[int, dict[tuple[int, int], Games]]:
    """The matches of each round of the file; none in a round whose games are no matches."""
    return {number: matches(trf, number) or {} for number in range(1, trf.rounds_recorded + 1)}


def alone(trf: TrfFile, team: int, round: int) -> tuple[int, ...]:
    """Members of a team with a full point without an opponent: nobody sat opposite."""
    entries = {m: trf.numbered[m].entry(round) for m in trf.members[team]}
    return tuple(m for m, e in entries.items() if e is not None and not e.opponent and e.bye == "F")


def no_match(trf: TrfFile, round: int) -> tuple[TrfPlayer, Message] | None:
    """A player whose game of a round is in no match of two teams, and why; None where there is none."""
    place = trf.places
    opponents: dict[int, int] = {}
    for white, black in boards(trf, round):
        for player in (white, black):
            if player.id not in place:
                return player, say("player {player} must be in a team, but is not", player=player.id)
        first, second = place[white.id][0], place[black.id][0]
        if first == second:
            return white, say(
                "players {white} and {black} must not meet, because they are in the same team",
                white=white.id,
                black=black.id,
            )
        for team, other in ((first, second), (second, first)):
            if opponents.setdefault(team, other) != other:
                return white, say("team {team} must not meet two teams in round {round}", team=team, round=round)
    return None


def first_board(trf: TrfFile, round: int, pair: tuple[int, int], games: Games) -> int | None:
    """On which board, from 0, the first game of a match was; None where neither a line-up tells it nor both teams are complete
    and in the order of their members."""
    team, lineup = _lineup(trf, round, pair, games)
    if lineup:
        return next(lineup[p.id] for p in games[0] if trf.places[p.id][0] == team)
    second = [next(trf.places[p.id][1] for p in game if trf.places[p.id][0] == pair[1]) for game in games]
    return 0 if second == sorted(second) and len(games) >= trf.settings.boards else None


def _order(trf: TrfFile, round: int, pair: tuple[int, int], games: Games) -> tuple[int, Mapping[int, int]]:
    """By which team's players the games of a match are ordered, and the order."""
    team, lineup = _lineup(trf, round, pair, games)
    if lineup:
        return team, lineup
    players = [p.id for game in games for p in game]
    return pair[0], {p: trf.places[p][1] for p in players if trf.places[p][0] == pair[0]}


def _lineup(trf: TrfFile, round: int, pair: tuple[int, int], games: Games) -> tuple[int, Mapping[int, int]]:
    """The first line-up that names every player of its team, with their boards from 0; empty where none does."""
    for team in pair:
        lineup = {m: n for n, m in enumerate(trf.settings.lineups.get((team, round), ())) if m}
        if lineup and all(p.id in lineup for game in games for p in game if trf.places[p.id][0] == team):
            return team, lineup
    return pair[0], {}
