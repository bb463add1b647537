"""What a file of teams says of boards in two places: line-ups (300, 801), and how many boards a match has (352); and symbols
of 362 that are none of a match's results."""

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from shared.core.language.messages import say
from shared.trf.model.difference import Difference
from shared.trf.model.model import TrfFile
from shared.trf.teams.lineups import lineups_in, seats_of_300
from shared.trf.teams.matches import Games, alone
from shared.trf.teams.team_records import USUAL_MATCH


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
    """Symbols of 362 that are not counted, and a 352 with more boards than any match had, or fewer than a line-up; ``held``: the
    matches of each round."""
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
    """The most boards of a match, with those won because nobody sat opposite; 0 where no match is."""
    return max(
        (
            len(games) + sum(len(alone(trf, team, round)) for team in pair)
            for round, pairs in held.items()
            for pair, games in pairs.items()
        ),
        default=0,
    )
