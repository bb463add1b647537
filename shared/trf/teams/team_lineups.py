"""Comparison of a team file's boards: line-ups (300, 801), their number (352), symbols of 362, and records 801."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from shared.core.language.messages import say
from shared.core.terms import Side
from shared.trf.model.difference import Difference
from shared.trf.model.model import TrfFile, TrfTeam
from shared.trf.model.points import doubled
from shared.trf.teams.lineups import HEAD, NICKNAME_ENDS, ROUND, lineups_in, member, seats_of_300
from shared.trf.teams.matches import Games, alone
from shared.trf.teams.team_records import USUAL_MATCH, TeamRound, TeamTotal


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
                    "team {team} has {said} at board {board} in round {round}, by its 801 (line {line}) {made}",
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
                    detail = say("points of {symbol} are not counted", symbol=found[0])
                    yield Difference(record.line, found.start() + 5, detail)
        elif record.text.startswith("352"):
            boards, longest = trf.settings.boards, max(map(len, trf.settings.lineups.values()), default=0)
            told = max(longest, _most_boards(trf, held))
            if 0 < told < boards or longest > boards:
                detail = say("{said} boards are said, the matches have {made}", said=boards, made=told)
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
