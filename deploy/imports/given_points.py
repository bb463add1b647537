"""What tables lack of the points that a file gives beside its games (240, 299, 320, 330), which no event says."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from shared.core.language.messages import Message, say
from shared.core.rulebook.regulations import Points
from shared.trf.comparison import points_made
from shared.trf.model.model import TrfFile
from shared.trf.model.points import points_text
from shared.trf.teams.team_records import team_rounds, totals


def of_players(trf: TrfFile, points: Points, table: Mapping[int, int]) -> Iterator[Message]:
    """Each player whom 299 gives points that the ``table`` does not count; half-points by starting number."""
    named = () if trf.settings.teams else {player for given in trf.settings.abnormal for player in given.of}
    made = points_made(trf, points, trf.rounds_recorded) if named else {}
    differing = [player for player in sorted(named) if player in table and table[player] != made[player]]
    silent = replace(trf, settings=replace(trf.settings, abnormal=()))
    without = points_made(silent, points, trf.rounds_recorded) if differing else {}
    for player in differing:
        told = say(
            "{file}: player {player} has {table} points in the table and {made} by the file",
            file=trf.file,
            player=player,
            table=points_text(table[player]),
            made=points_text(made[player]),
        )
        yield say("{told}: 299 is not counted", told=told) if table[player] == without[player] else told


def of_teams(trf: TrfFile, points: Points, table: Mapping[int, tuple[int, int]], *, given: bool) -> Iterator[Message]:
    """Each team to which the file gives other points than the ``table`` counts; match and game points in half-points by
    number. ``given``: whether it has records that give some without a game."""
    rounds = team_rounds(trf, points)
    made = {} if rounds is None else totals(trf, rounds)
    for team, own in sorted(made.items()):
        if team in table and table[team] != own:
            told = say(
                "{file}: team {team} has {match} match points and {game} game points in the table, {match2} and {game2} by "
                "the file",
                file=trf.file,
                team=team,
                match=points_text(table[team][0]),
                game=points_text(table[team][1]),
                match2=points_text(own.match_points),
                game2=points_text(own.game_points),
            )
            without = say("{told}: what 240, 299, 320 and 330 give without a game is not imported", told=told)
            yield without if given else told
