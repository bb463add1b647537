"""What a file says of points and ranks, held against its own results."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from services.standings.formats.trf.abnormal import given_in
from services.standings.formats.trf.model import Record, TrfFile
from services.standings.formats.trf.points import doubled, points_text, worth_of_bye, worth_of_entry
from services.standings.formats.trf.records import unknown
from services.standings.formats.trf.team_boards import otherwise
from services.standings.formats.trf.team_records import TeamRound, TeamTotal, team_rounds, totals
from shared.core.messages import Message, MessageFact, say
from shared.core.regulations import Points

_AFTER_NICKNAME = 13
_MATCH = re.compile(r"(\d+|[PFHZ]PB|PAB)\s+[wbWB]?\s*([0-9.,]+)[fF]?")


class Difference(NamedTuple):
    """A place of the file, from 1, and what is otherwise than its results say."""

    line: int
    column: int
    detail: Message


def differences(trf: TrfFile, points: Points) -> tuple[Difference, ...]:
    """Points and ranks of players and teams that are not those of the file's results; ``points``: where it is silent.

    Points may count the byes of rounds to come, or not. A rank differs where no tie-break could make it: fewer have more
    points, or more.
    """
    worth = _worth(trf, points)
    ways = [_sums(worth, upto) for upto in (trf.rounds_recorded, None)]
    found = [*min((list(_points_of_players(trf, way)) for way in ways), key=len)]
    found += min((list(_ranks_of_players(trf, way)) for way in ways), key=len)
    if trf.settings.teams:
        found += _of_teams(trf, points)
    return tuple(sorted(found, key=lambda d: (d.line, d.column)))


def points_made(trf: TrfFile, points: Points, upto: int | None) -> dict[int, int]:
    """What each player made by the results of the file and its record 299, in half-points; byes of rounds after ``upto`` are
    left out."""
    return _sums(_worth(trf, points), upto)


def not_understood(trf: TrfFile) -> Message | None:
    """The records of no known kind, which are kept as they stand; None where there is none."""
    kept = unknown(trf.records, frozenset(trf.numbered))
    if not kept:
        return None
    lines: dict[str, list[int]] = {}
    for record in kept:
        lines.setdefault(record.text[:3].strip() or " ", []).append(record.line)
    named = tuple(
        say("{code} (line {line})", code=repr(code), line=numbers[0])
        if len(numbers) == 1
        else say("{code} (line {line} and {count} more)", code=repr(code), line=numbers[0], count=len(numbers) - 1)
        for code, numbers in lines.items()
    )
    return say("records that are not known here are kept as they stand: {named}", named=named)


_Worth = dict[int, dict[int, int]]
"""Half-points by starting number and round; round 0 has those of no round."""
_NO_ROUND = 0


def _sums(worth: _Worth, upto: int | None) -> dict[int, int]:
    if upto is None:
        return {player: sum(rounds.values()) for player, rounds in worth.items()}
    return {player: sum(w for n, w in rounds.items() if n <= upto) for player, rounds in worth.items()}


def _worth(trf: TrfFile, points: Points) -> _Worth:
    values = trf.settings.points
    worth: _Worth = {
        p.id: {n: worth_of_entry(e, points, values) for n, e in enumerate(p.rounds, 1) if e is not None}
        for p in trf.players
    }
    for id, round, kind in trf.settings.byes:
        if id in worth:
            worth[id].setdefault(round, worth_of_bye(kind, points, values))
    for given in given_in(trf):
        own = worth[given.player]
        if given.sign == " ":
            own[_NO_ROUND] = own.get(_NO_ROUND, 0) + given.points
        else:
            own[given.round] = given.points
    return worth


def _points_of_players(trf: TrfFile, made: dict[int, int]) -> Iterator[Difference]:
    for player in trf.players:
        half, own = _half(player.points), made[player.id]
        if half is not None and half != own:
            facts: dict[str, MessageFact] = {"player": player.id, "said": player.points, "made": points_text(own)}
            yield Difference(player.line, 81, say("{player} has {said} points, his results give {made}", **facts))


def _ranks_of_players(trf: TrfFile, made: dict[int, int]) -> Iterator[Difference]:
    ranks = _possible_ranks(list(made.values()))
    for player in trf.players if trf.rounds_recorded else ():
        rank, own = int(player.rank or 0), made[player.id]
        first, last = ranks(own)
        if rank and not first <= rank <= last:
            yield Difference(
                player.line, 86, _rank_detail(say("player {number}", number=player.id), rank, own, first, last)
            )


def _of_teams(trf: TrfFile, points: Points) -> Iterator[Difference]:
    rounds = team_rounds(trf, points)
    if rounds is None:
        return
    made = totals(trf, rounds)
    for record in trf.records:
        yield from team_differences(trf, record, rounds, made)


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
    yield from _team_points(record.line, text, team, ((55, 60), (62, 67)) if code == "310" else _words(text), own)
    if code == "802":
        yield from _team_matches(record.line, text, team, rounds[team])
    elif text[68:71].strip().isdigit() and trf.rounds_recorded:
        rank = int(text[68:71])
        first, last = _possible_ranks([total.match_points for total in made.values()])(own.match_points)
        if rank and not first <= rank <= last:
            yield Difference(
                record.line, 69, _rank_detail(say("team {team}", team=team), rank, own.match_points, first, last)
            )


def _team_boards(
    trf: TrfFile, record: Record, team: int, rounds: Sequence[TeamRound], made: TeamTotal
) -> Iterator[Difference]:
    own = next(t for t in trf.settings.teams if t.id == team)
    for column, round in otherwise(record.text, trf, own, rounds, made):
        detail = say("team {team}: its boards in round {round} are not those of its games", team=team, round=round)
        totals = say("team {team}: its totals are not those of its results", team=team)
        yield Difference(record.line, column, detail if round else totals)


def matches_told(text: str) -> int:
    """How many rounds a record 802 tells of."""
    return len(_MATCH.findall(text, max((last for _, last in _words(text)), default=len(text))))


def _team_points(
    line: int, text: str, team: int, columns: tuple[tuple[int, int], ...], own: TeamTotal
) -> Iterator[Difference]:
    said_of = [(first, _half(text[first - 1 : last].strip())) for first, last in columns]
    (match, game) = [*said_of, (1, None), (1, None)][:2]
    if match[1] not in (None, own.match_points):
        said, made = points_text(match[1] or 0), points_text(own.match_points)
        detail = say("team {team} has {said} match points, its results give {made}", team=team, said=said, made=made)
        yield Difference(line, match[0], detail)
    if game[1] not in (None, own.game_points):
        said, made = points_text(game[1] or 0), points_text(own.game_points)
        detail = say("team {team} has {said} game points, its results give {made}", team=team, said=said, made=made)
        yield Difference(line, game[0], detail)


def _words(text: str) -> tuple[tuple[int, int], ...]:
    """The columns of both totals of a record 802: FIDE's table and its sample have them one column apart."""
    return tuple((m.start() + 1, m.end()) for m in islice(re.compile(r"\S+").finditer(text, _AFTER_NICKNAME), 2))


def _team_matches(line: int, text: str, team: int, rounds: tuple[TeamRound, ...]) -> Iterator[Difference]:
    """The rounds of a record 802: an opponent or a bye, a colour, game points."""
    totals_end = max((last for _, last in _words(text)), default=len(text))
    for number, (own, found) in enumerate(zip(rounds, _MATCH.finditer(text, totals_end), strict=False), 1):
        opponent, game = found[1], _half(found[2])
        meant = own.bye or str(own.opponent)
        if opponent != meant or (game is not None and game != own.game_points):
            facts: dict[str, MessageFact] = {
                "team": team,
                "round": number,
                "said": f"{opponent} {found[2]}",
                "made": f"{meant} {points_text(own.game_points)}",
            }
            detail = say("team {team} has {said} in round {round}, its results give {made}", **facts)
            yield Difference(line, found.start(1) + 1, detail)


def _rank_detail(who: Message, rank: int, half: int, first: int, last: int) -> Message:
    facts: dict[str, MessageFact] = {"rank": rank, "points": points_text(half), "first": first, "last": last}
    return say("{who} has rank {rank}, with {points} points it is from {first} to {last}", who=who, **facts)


def _possible_ranks(points: list[int]) -> Callable[[int], tuple[int, int]]:
    """The ranks that a number of points allows, whatever breaks ties."""
    ordered = sorted(points)

    def of(own: int) -> tuple[int, int]:
        return len(ordered) - bisect_right(ordered, own) + 1, len(ordered) - bisect_left(ordered, own)

    return of


def _half(said: str) -> int | None:
    """Half-points that a field says; None for a blank or what is no number of them."""
    twice = doubled(said)
    return int(twice) if twice is not None and twice.denominator == 1 else None
