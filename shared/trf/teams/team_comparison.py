"""What a file says of its teams, held against their games and the records that give points without one."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from shared.core.language.messages import say
from shared.core.rulebook.regulations import Points
from shared.core.terms import Side
from shared.trf.model.differences import Difference
from shared.trf.model.model import Record, TrfFile, TrfTeam
from shared.trf.model.points import doubled, half_points_of, points_text, possible_ranks, rank_detail
from shared.trf.teams.lineups import HEAD, NICKNAME_ENDS, ROUND, lineups_in, member, seats_of_300
from shared.trf.teams.matches import Games, alone, matches_held, no_match
from shared.trf.teams.team_matches import round_differences, totals_of
from shared.trf.teams.team_records import USUAL_MATCH, TeamRound, TeamTotal, team_rounds, totals

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
            detail = say("the number of the team is missing")
            if number:
                detail = say("{what} {text} is not a number", what=say("team"), text=repr(number))
            yield Difference(record.line, 5, detail)
        elif int(number) not in teams:
            yield Difference(
                record.line, 5, say("{team} is not a team of the file; correct the number", team=int(number))
            )
        elif (first := seen.setdefault((code, int(number)), record.line)) != record.line:
            yield Difference(record.line, 5, say("team {id} is already on line {line}", id=int(number), line=first))


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
                "team {team} already has a bye or a forfeit in round {round}, on line {line}",
                team=team,
                round=number,
                line=first,
            )
            yield Difference(line, column, detail)
        if team in playing.get(number, ()):
            detail = say("team {team} has games in round {round}, so only these count", team=team, round=number)
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
        detail = say(
            "team {team}: the boards stated in round {round} differ from those of its games", team=team, round=round
        )
        totals = say("team {team}: the stated totals differ from those of its results", team=team)
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
            "team {team} has {said} match points, but its results give {made}",
            team=team,
            said=_said(match[1]),
            made=made,
        )
        yield Difference(line, match[0], detail)
    if game[1] and half_points_of(game[1]) != own.game_points:
        made = points_text(own.game_points)
        detail = say(
            "team {team} has {said} game points, but its results give {made}", team=team, said=_said(game[1]), made=made
        )
        yield Difference(line, game[0], detail)


def _said(text: str) -> str:
    half = half_points_of(text)
    return repr(text) if half is None else points_text(half)


def lineups_that_differ(trf: TrfFile) -> Iterator[Difference]:
    """Boards at which a record 300 has another player than the 801 of its team."""
    of_801: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
    rows = [r for r in trf.records if not r.player]
    for record in rows:
        if record.text.startswith("801"):
            for team, round, seats in lineups_in(record.text, trf.members):
                of_801.setdefault((team, round), (record.line, seats))
    for record in rows:
        if not record.text.startswith("300"):
            continue
        round, team = int(record.text[4:7]), int(record.text[8:11])
        line, other = of_801.get((team, round), (0, ()))
        end = len(record.text.rstrip()) + 1
        for board, (word, sat) in enumerate(
            zip_longest(seats_of_300(record.text), other, fillvalue=None) if line else (), 1
        ):
            said, column = word or (0, end)
            if said != (sat or 0):
                detail = say(
                    "team {team} has {said} at board {board} in round {round}, but {made} by its record 801 "
                    "(line {line})",
                    team=team,
                    said=said or say("nobody"),
                    board=board,
                    round=round,
                    line=line,
                    made=sat or say("nobody"),
                )
                yield Difference(record.line, column, detail)
                break


def settings_that_differ(trf: TrfFile, held: Mapping[int, Mapping[tuple[int, int], Games]]) -> Iterator[Difference]:
    """Yield symbols of 362 that are not counted, and a 352 with more boards than any match, or fewer than a line-up.

    ``held``: the matches of each round.
    """
    for record in trf.records:
        if record.text.startswith("362"):
            for found in re.finditer(r"[A-Z]+", record.text[4:].upper()):
                if found[0] not in USUAL_MATCH:
                    detail = say("points for {symbol} are not counted", symbol=found[0])
                    yield Difference(record.line, found.start() + 5, detail)
        elif record.text.startswith("352"):
            boards, longest = trf.settings.boards, max(map(len, trf.settings.lineups.values()), default=0)
            told = max(longest, _most_boards(trf, held))
            if 0 < told < boards or longest > boards:
                detail = say("the file states {said} boards, but the matches have {made}", said=boards, made=told)
                yield Difference(record.line, 5, detail)


def _most_boards(trf: TrfFile, held: Mapping[int, Mapping[tuple[int, int], Games]]) -> int:
    """Return the most boards of a match, with those won without an opponent, or 0 without a match."""
    return max(
        (
            len(games) + sum(len(alone(trf, team, round)) for team in pair)
            for round, pairs in held.items()
            for pair, games in pairs.items()
        ),
        default=0,
    )


_BYES = {"FPB": "F", "HPB": "H", "ZPB": "Z", "PAB": "U"}
"""The word of a bye in record 802 -> the letter that stands on each board."""
_COLOURS: dict[str, Side] = {"w": "white", "b": "black"}


class Otherwise(NamedTuple):
    """A place of a record 801 that its team's games say otherwise: the ``round``, 0 for the totals."""

    column: int
    round: int


def otherwise(
    text: str, trf: TrfFile, team: TrfTeam, rounds: Sequence[TeamRound], total: TeamTotal
) -> Iterator[Otherwise]:
    """Yield the differences between a record 801 and the games of its ``team``.

    Compared are the totals, and in each round the opponent, the colour of the first board, and each board's result and member.
    """
    head = HEAD.match(text, NICKNAME_ENDS)
    if head is None or [doubled(head[1]), doubled(head[2])] != [total.match_points, total.game_points]:
        yield Otherwise(NICKNAME_ENDS + 1, 0)
        if head is None:
            return
    at, line = head.end(), text.rstrip()
    for number, own in enumerate(rounds, 1):
        found = ROUND.match(line, at)
        if found is None or not _same(found, trf, team, number, own):
            blanks = len(line[at:]) - len(line[at:].lstrip())
            yield Otherwise(at + blanks + 1, number)
        if found is None:
            return
        at = found.end()
    if at < len(line):
        yield Otherwise(at + 1, len(rounds) + 1)


def _same(found: re.Match[str], trf: TrfFile, team: TrfTeam, number: int, own: TeamRound) -> bool:
    """Whether a round's words are what the team made in it."""
    if found["bye"]:
        return found["bye"] == _BYES.get(own.bye)
    results, seats = found["results"], found["seats"]
    if int(found["opponent"]) != own.opponent:
        return False
    if own.forfeit:
        return set(results) == {"+" if own.game_points else "-"} and own.side == _COLOURS[found["colour"]]
    if seats is None or len(seats) != len(results):
        return False
    seated = [member(team.members, seat) for seat in seats]
    entries = [None if sat == 0 else trf.numbered[sat].entry(number) for sat in seated]
    said = ["-" if sat == 0 else entry.letter if entry else "" for sat, entry in zip(seated, entries, strict=True)]
    first = entries[0].side if entries[0] is not None and entries[0].opponent else None
    played = {m for m in team.members if (e := trf.numbered[m].entry(number)) is not None and e.opponent}
    return said == list(results) and played <= set(seated) and first in (None, _COLOURS[found["colour"]])
