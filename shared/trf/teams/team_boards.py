"""Record 801: a team's matches board by board, held against the games of the file."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shared.core.terms import Side
from shared.trf.model.model import TrfFile, TrfTeam
from shared.trf.model.points import doubled
from shared.trf.teams.lineups import HEAD, NICKNAME_ENDS, ROUND, member
from shared.trf.teams.team_records import TeamRound, TeamTotal

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
    """What a record 801 says otherwise than its ``team`` made: totals, and of each round the opponent, the colour of the first
    board, each board's result and the member who sat there (1: the first; 0: nobody)."""
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
