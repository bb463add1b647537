"""On which boards the players of a team sat: records 300 and 801."""

import re
from collections.abc import Iterator, Mapping, Sequence

from shared.core.language.messages import say
from shared.trf.model.model import Record
from shared.trf.model.reader_state import ReaderState, number_at, numbers_from, round_at

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


def lineups_in(text: str, members: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Team, round and players (0: nobody) of each line-up in a record 801, as far as it can be read."""
    number, text = text[4:7].strip(), text.rstrip()
    head = HEAD.match(text, NICKNAME_ENDS)
    if not (number.isascii() and number.isdigit()) or head is None:
        return
    own, at = members.get(int(number), ()), head.end()
    round = 0
    while (found := ROUND.match(text, at)) is not None:
        round, at = round + 1, found.end()
        seated = [member(own, seat) for seat in found["seats"] or ""]
        if any(seated):
            yield int(number), round, tuple(seated)


def lineups_of_801(state: ReaderState, record: Record) -> None:
    """801: what it says otherwise than the games, or than a 300, is a difference, not an error."""
    for team, round, seated in lineups_in(record.text, state.members):
        state.lineups.setdefault((team, round), seated)


def seats_of_300(text: str) -> list[tuple[int, int]]:
    """Who sat on each board by a record 300 (0: nobody), with his column; its numbers have been read."""
    return [(int(found[0]), found.start() + 16) for found in re.finditer(r"[^\s,/]+", text[15:])]


def out_of_order(state: ReaderState, record: Record) -> None:
    """300: round, both teams, the players of the first from the first board on (0: nobody)."""
    round, teams = round_at(state, record, 5, 7), []
    for first, last in ((9, 11), (13, 15)):
        team = number_at(state, record, first, last, say("team"))
        if state.teams and team not in state.teams:
            raise state.error(record, first, say("{team} is not a team of the file; correct the number", team=team))
        teams.append(team)
    players = numbers_from(state, record, 15, state.known, say("player"), nobody=True)
    for player, column in players:
        if state.teams and player not in state.members[teams[0]]:
            detail = say("player {player} is not a member of team {team}", player=player, team=teams[0])
            raise state.error(record, column, detail)
    first = state.stands.setdefault(f"300 {teams[0]} {round}", record.line)
    if first != record.line:
        detail = say(
            "the line-up of team {team} in round {round} is already on line {line}",
            team=teams[0],
            round=round,
            line=first,
        )
        raise state.error(record, 5, detail)
    state.lineups[teams[0], round] = tuple(seat for seat, _ in seats_of_300(record.text))
