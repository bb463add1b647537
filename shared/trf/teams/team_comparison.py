"""What a file says of its teams, held against their games and the records that give points without one."""

from collections.abc import Iterator, Mapping, Sequence

from shared.core.language.messages import say
from shared.core.rulebook.regulations import Points
from shared.trf.model.difference import Difference, half_points_of, possible_ranks, rank_detail
from shared.trf.model.model import Record, TrfFile
from shared.trf.model.points import points_text
from shared.trf.teams.matches import Games, matches_held, no_match
from shared.trf.teams.team_lineups import lineups_that_differ, otherwise, settings_that_differ
from shared.trf.teams.team_matches import round_differences, totals_of
from shared.trf.teams.team_records import TeamRound, TeamTotal, team_rounds, totals

_Held = Mapping[int, Mapping[tuple[int, int], Games]]
"""The matches of each round."""
_OF_310 = ((55, 60), (62, 67))
"""The columns of match and game points in record 310."""
RANK_OF_310 = 69
"""The first column of its rank."""


def differences_of_teams(trf: TrfFile, points: Points) -> Iterator[Difference]:
    """What records 310, 801 and 802 say otherwise; where games are no matches of the teams, the first such game, if totals are
    said that it keeps from being compared."""
    records = [r for r in trf.records if not r.player]
    yield from _misnamed(trf, records)
    yield from lineups_that_differ(trf)
    held = matches_held(trf)
    yield from settings_that_differ(trf, held)
    rounds = team_rounds(trf, points)
    if rounds is None:
        if any(r.text[:3] in ("801", "802") or (r.text[:3] == "310" and r.text[54:67].strip()) for r in records):
            yield from _no_matches(trf)
        return
    yield from _said_twice(trf, held)
    yield from _too_many_games(trf, records, held)
    made = totals(trf, rounds)
    for record in records:
        yield from team_differences(trf, record, rounds, made)


def _misnamed(trf: TrfFile, records: Sequence[Record]) -> Iterator[Difference]:
    """Records 801 and 802 of no team of the file, or of one that has such a record already."""
    teams = {team.id for team in trf.settings.teams}
    seen: dict[tuple[str, int], int] = {}
    for record in records:
        code, number = record.text[:3], record.text[4:7].strip()
        if code not in ("801", "802"):
            continue
        if not (number.isascii() and number.isdigit()):
            detail = say("no number of the team")
            if number:
                detail = say("{what} {text} is not a number", what=say("team"), text=repr(number))
            yield Difference(record.line, 5, detail)
        elif int(number) not in teams:
            yield Difference(record.line, 5, say("{team} is not a team of the file", team=int(number)))
        elif (first := seen.setdefault((code, int(number)), record.line)) != record.line:
            yield Difference(record.line, 5, say("team {id} stands on line {line} already", id=int(number), line=first))


def _no_matches(trf: TrfFile) -> Iterator[Difference]:
    for number in range(1, trf.rounds_recorded + 1):
        found = no_match(trf, number)
        if found is not None:
            player, why = found
            entry = player.entry(number)
            detail = say("{why}, so the points of teams are not compared", why=why)
            yield Difference(player.line, entry.column if entry is not None else 1, detail)
            return


def _said_twice(trf: TrfFile, held: _Held) -> Iterator[Difference]:
    """Byes and forfeited matches (240, 320, 330) of teams that have another one, or games, in that round."""
    playing = {number: {team for pair in pairs for team in pair} for number, pairs in held.items()}
    seen: dict[tuple[int, int], int] = {}
    for team, number, line, column in trf.settings.unplayed:
        first = seen.setdefault((team, number), line)
        if first != line:
            detail = say(
                "team {team} has a bye or a forfeit in round {round} on line {line}",
                team=team,
                round=number,
                line=first,
            )
            yield Difference(line, column, detail)
        if team in playing.get(number, ()):
            detail = say("team {team} has games in round {round}, which count", team=team, round=number)
            yield Difference(line, column, detail)


def _too_many_games(trf: TrfFile, records: Sequence[Record], held: _Held) -> Iterator[Difference]:
    """The first match with more games than 352 has boards."""
    boards = trf.settings.boards
    line = next((r.line for r in records if r.text.startswith("352")), 0)
    for number, pairs in held.items() if boards else ():
        for (first, second), games in pairs.items():
            if len(games) > boards:
                detail = say(
                    "teams {first} and {second} have {games} games in round {round}, on {boards} boards",
                    first=first,
                    second=second,
                    games=len(games),
                    round=number,
                    boards=boards,
                )
                yield Difference(line, 5, detail)
                return


def team_differences(
    trf: TrfFile, record: Record, rounds: Mapping[int, tuple[TeamRound, ...]], made: Mapping[int, TeamTotal]
) -> Iterator[Difference]:
    """What a record 310, 801 or 802 says otherwise than the rounds and totals of its team; nothing for another record."""
    code, text = record.text[:3], record.text
    team = int(text[4:7]) if code in ("310", "801", "802") and text[4:7].strip().isdigit() else 0
    if team not in made:
        return
    own = made[team]
    if code == "801":
        yield from _team_boards(trf, record, team, rounds[team], own)
        return
    yield from _team_points(record.line, text, team, _OF_310 if code == "310" else totals_of(text), own)
    if code == "802":
        yield from round_differences(record, team, rounds[team])
    elif text[68:71].strip() and trf.rounds_recorded:
        rank = text[68:71].strip()
        first, last = possible_ranks([total.match_points for total in made.values()])(own.match_points)
        if not (rank.isascii() and rank.isdigit()) or (int(rank) and not first <= int(rank) <= last):
            detail = rank_detail(say("team {team}", team=team), rank, own.match_points, first, last)
            yield Difference(record.line, RANK_OF_310, detail)


def _team_boards(
    trf: TrfFile, record: Record, team: int, rounds: Sequence[TeamRound], made: TeamTotal
) -> Iterator[Difference]:
    own = next(t for t in trf.settings.teams if t.id == team)
    for column, round in otherwise(record.text, trf, own, rounds, made):
        detail = say("team {team}: its boards in round {round} are not those of its games", team=team, round=round)
        totals = say("team {team}: its totals are not those of its results", team=team)
        yield Difference(record.line, column, detail if round else totals)


def _team_points(
    line: int, text: str, team: int, columns: tuple[tuple[int, int], ...], own: TeamTotal
) -> Iterator[Difference]:
    """Both totals that are said: a blank says nothing, and what is no number is none that the results give."""
    said_of = [(first, text[first - 1 : last].strip()) for first, last in columns]
    (match, game) = [*said_of, (1, ""), (1, "")][:2]
    if match[1] and half_points_of(match[1]) != own.match_points:
        made = points_text(own.match_points)
        detail = say(
            "team {team} has {said} match points, its results give {made}", team=team, said=_said(match[1]), made=made
        )
        yield Difference(line, match[0], detail)
    if game[1] and half_points_of(game[1]) != own.game_points:
        made = points_text(own.game_points)
        detail = say(
            "team {team} has {said} game points, its results give {made}", team=team, said=_said(game[1]), made=made
        )
        yield Difference(line, game[0], detail)


def _said(text: str) -> str:
    half = half_points_of(text)
    return repr(text) if half is None else points_text(half)
