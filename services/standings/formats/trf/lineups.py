"""On which boards the players of a team sat: records 300 and 801."""

import re
from collections.abc import Sequence

from services.standings.formats.trf.errors import TrfError
from services.standings.formats.trf.model import Record
from services.standings.formats.trf.reader_state import ReaderState, number_at, numbers_from, round_at
from shared.core.messages import say

NICKNAME_ENDS = 13
HEAD = re.compile(r"\s*([-+]?[0-9.,]+)\s+([-+]?[0-9.,]+)(?=\s|$)")
ROUND = re.compile(
    r"\s+(?:(?P<bye>[FHZU])(?P=bye)*(?=\s|$)|(?P<opponent>\d+) (?P<colour>[wb]) (?P<results>\S+)(?: (?P<seats>\w+))?)"
)
"""A round of record 801: a bye, or the opponent, the first board's colour, each board's result, and who sat there."""


def member(members: Sequence[int], seat: str) -> int:
    """A member's starting number by his place in the team; 0 for nobody, also where there is no such place."""
    place = int(seat, 36) if seat.isascii() and seat.isalnum() else 0
    return members[place - 1] if 0 < place <= len(members) else 0


def lineups_of_801(state: ReaderState, record: Record) -> None:
    """801: as far as it can be read; what it says otherwise than the games is a difference, not an error."""
    number, text = record.text[4:7].strip(), record.text.rstrip()
    head = HEAD.match(text, NICKNAME_ENDS)
    if not (number.isascii() and number.isdigit()) or head is None:
        return
    members, at = state.members.get(int(number), ()), head.end()
    round = 0
    while (found := ROUND.match(text, at)) is not None:
        round, at = round + 1, found.end()
        seated = [member(members, seat) for seat in found["seats"] or ""]
        if any(seated):
            state.lineups.setdefault((int(number), round), tuple(seated))


def out_of_order(state: ReaderState, record: Record) -> None:
    """300: round, both teams, the players of the first from the first board on (0: nobody)."""
    round, teams = round_at(state, record, 5, 7), []
    for first, last in ((9, 11), (13, 15)):
        team = number_at(state, record, first, last, say("team"))
        if state.teams and team not in state.teams:
            raise TrfError(state.file, record.line, first, say("{team} is no team of the file", team=team))
        teams.append(team)
    players = numbers_from(state, record, 15, state.known, say("player"), nobody=True)
    seats = [int(word) for word in re.findall(r"[^\s,/]+", record.text[15:])]
    for player, column in players:
        if state.teams and player not in state.members[teams[0]]:
            detail = say("player {player} is no member of team {team}", player=player, team=teams[0])
            raise TrfError(state.file, record.line, column, detail)
    state.lineups[teams[0], round] = tuple(seats)
