"""What a file says of points and ranks, held against its own results."""

import re
from collections.abc import Iterator
from dataclasses import replace

from shared.core.language.messages import Message, MessageFact, say
from shared.core.rulebook.regulations import Points
from shared.trf.model.abnormal import given_in
from shared.trf.model.differences import Difference
from shared.trf.model.model import Abnormal, TrfFile
from shared.trf.model.points import (
    half_points_of,
    points_text,
    possible_ranks,
    rank_detail,
    worth_of_bye,
    worth_of_entry,
)
from shared.trf.model.reader_state import BYES_240
from shared.trf.records import unknown
from shared.trf.teams.team_comparison import differences_of_teams
from shared.trf.teams.team_records import counts_that_differ, rounds_told


def differences(trf: TrfFile, points: Points) -> tuple[Difference, ...]:
    """Points and ranks of players and teams that are not those of the file's results; ``points``: where it is silent.

    Points may count the byes of rounds to come, or not. A rank differs where no tie-break could make it: fewer have more
    points, or more.
    """
    worth = _worth(trf, points)
    ways = [_sums(worth, upto) for upto in (trf.rounds_recorded, None)]
    point_faults = [list(_points_of_players(trf, way)) for way in ways]
    rank_faults = [list(_ranks_of_players(trf, way)) for way in ways]
    found = [*min(point_faults, key=len), *min(rank_faults, key=len)]
    found += _not_counted(trf)
    found += _byes_that_differ(trf)
    found += counts_that_differ(trf)
    if trf.settings.teams:
        found += differences_of_teams(trf, points)
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
    return say("unknown records are stored unchanged: {named}", named=named)


def _not_counted(trf: TrfFile) -> Iterator[Difference]:
    """Records 299 that give nobody anything: those that name nobody, and of teams those of an outcome; with those of a round
    that the file does not have, and those that stand twice, and are counted twice."""
    last, seen = rounds_told(trf), dict[Abnormal, int]()
    for given in trf.settings.abnormal:
        if not given.of:
            yield Difference(
                given.line, 1, say("record 299 was not counted, because it does not state a player or team")
            )
        elif given.round > last:
            detail = say(
                "record 299 was not counted, because it is of round {round}, but the file has only {last} rounds",
                round=given.round,
                last=last,
            )
            yield Difference(given.line, given.column, detail)
        elif trf.settings.teams and given.sign != " ":
            yield Difference(given.line, 5, say("record 299 {sign} of teams was not counted", sign=repr(given.sign)))
        first = seen.setdefault(replace(given, line=0, column=0), given.line)
        if first != given.line:
            yield Difference(given.line, 1, say("record 299 is already on line {line}", line=first))


def _byes_that_differ(trf: TrfFile) -> Iterator[Difference]:
    """Yield records 240 of players whose own line has a game or another bye in that round; the line counts."""
    for record in () if trf.settings.teams else trf.records:
        if record.text[:3] != "240" or record.player:
            continue
        kind, round = BYES_240[record.text[4:5].upper()], int(record.text[5:9])
        for match in re.finditer(r"[0-9]+", record.text[9:]):
            entry = trf.numbered[int(match[0])].entry(round)
            if entry is None or entry.bye == kind:
                continue
            has = say("a game") if entry.bye is None else say("the bye {kind}", kind=entry.bye)
            detail = say(
                "record 240 gives player {player} the bye {kind} in round {round}, but the player's line has {has}",
                player=int(match[0]),
                kind=kind,
                round=round,
                has=has,
            )
            yield Difference(record.line, match.start() + 10, detail)


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
        half, own = half_points_of(player.points), made[player.id]
        if half is not None and half != own:
            facts: dict[str, MessageFact] = {"player": player.id, "said": player.points, "made": points_text(own)}
            yield Difference(
                player.line, 81, say("{player} has {said} points in the file, but the results give {made}", **facts)
            )


def _ranks_of_players(trf: TrfFile, made: dict[int, int]) -> Iterator[Difference]:
    ranks = possible_ranks(list(made.values()))
    for player in trf.players if trf.rounds_recorded else ():
        rank, own = int(player.rank or 0), made[player.id]
        first, last = ranks(own)
        if rank and not first <= rank <= last:
            yield Difference(
                player.line, 86, rank_detail(say("player {number}", number=player.id), rank, own, first, last)
            )
