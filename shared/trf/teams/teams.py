"""The team section of a TRF file: records 013 and 310, and those that speak of teams."""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace

from shared.core.language.messages import say
from shared.trf.model.columns import TEAMS, TrfError, blank_faults, gather
from shared.trf.model.model import Abnormal, AllocatedByes, ForfeitedMatch, Record, TrfTeam, Unplayed
from shared.trf.model.reader_state import (
    ReaderState,
    half_points,
    kind_of_240,
    nothing_left,
    number_at,
    numbers_from,
    once,
    players_from,
    round_at,
    rounds_of_260,
)
from shared.trf.teams.lineups import out_of_order

FORFEITS = ("+-", "-+", "--", "WL", "LW", "LL", "10", "01", "00", "WZ", "ZW", "ZZ")
"""Record 330: who did not come to a match, the first team's sign first."""


def read(records: Iterable[Record], known: frozenset[int], file: str) -> tuple[TrfTeam, ...]:
    """The teams; those of 310 where the file has both kinds. `TrfError` where a line cannot be read."""
    old: list[TrfTeam] = []
    new: list[TrfTeam] = []
    for record in records:
        state = ReaderState(file, known, frozenset())
        if record.text.startswith("013"):
            old.append(_team(state, record, len(old) + 1, record.text[4:36], 36))
        elif record.text.startswith("310"):
            id = number_at(state, record, 5, 7, say("team"))
            for column, fault in blank_faults(record.text, TEAMS["310"].blanks):
                raise TrfError(file, record.line, column, fault)
            if not id:
                raise TrfError(file, record.line, 5, say("the number of the team is missing"))
            new.append(_team(state, record, id, record.text[8:40], 72))
    for teams in (old, new):
        _once(teams, file)
    return tuple(new or old)


def _team(state: ReaderState, record: Record, id: int, name: str, start: int) -> TrfTeam:
    members = tuple(p for p, _ in players_from(state, record, start))
    if not members:
        raise state.error(record, start + 1, say("team {id} has no members", id=id))
    return TrfTeam(id, gather(name), members, record.line)


def _once(teams: list[TrfTeam], file: str) -> None:
    """No number and no member twice."""
    ids: dict[int, TrfTeam] = {}
    of: dict[int, TrfTeam] = {}
    for team in teams:
        if team.id in ids:
            raise TrfError(
                file, team.line, 5, say("team {id} is already on line {line}", id=team.id, line=ids[team.id].line)
            )
        ids[team.id] = team
        for member in team.members:
            if member in of:
                first = of[member]
                detail = say(
                    "player {member} is already a member of team {team} (line {line})",
                    member=member,
                    team=first.id,
                    line=first.line,
                )
                raise TrfError(file, team.line, 5, detail)
            of[member] = team


def _colours(state: ReaderState, record: Record) -> None:
    """352: the colour of the first team on each board."""
    once(state, record)
    text = record.text[4:].strip()
    wrong = re.search(r"[^WB]", text.upper())
    if wrong or not text:
        column = record.text.index(text) + wrong.start() + 1 if wrong and text else 5
        raise state.error(record, column, say("colours must consist of W and B, not {text}", text=repr(text)))
    state.boards, state.colours = len(text), text.upper()


def _scores(state: ReaderState, record: Record) -> None:
    """362: what a match is worth, by symbols."""
    text, end = record.text[4:].upper(), 0
    for match in re.finditer(r"([A-Z]+)(?:\s+|(?=[0-9]))(\S+)", text):
        nothing_left(state, record, text, end, match.start())
        if match[1] in state.match_points:
            detail = say("points for {symbol} are given twice: remove one", symbol=match[1])
            raise state.error(record, match.start() + 5, detail)
        state.match_points[match[1]] = half_points(state, record, match.start(2) + 5, match[2])
        end = match.end()
    nothing_left(state, record, text, end, len(text))


def _allocation(state: ReaderState, record: Record) -> None:
    """320: match and game points of the pairing-allocated bye, and the team that had it in each round."""
    once(state, record)
    worth = []
    for first, last in ((5, 8), (10, 13)):
        text = record.text[first - 1 : last]
        column = first + len(text) - len(text.lstrip()) if text.strip() else first
        worth.append(half_points(state, record, column, text.strip() or "0"))
    teams: list[int] = []
    for start in range(14, len(record.text.rstrip()), 4):
        beside = record.text[start + 3 : start + 4].strip()
        if beside:
            raise state.error(
                record, start + 4, say("a blank is required between teams, not {text}", text=repr(beside))
            )
        team = number_at(state, record, start + 1, start + 3, say("team"))
        field = record.text[start : start + 3].ljust(3)
        if field.strip() and field.endswith(" ") and start > 14:
            raise state.error(
                record,
                start + 1 + len(field) - len(field.lstrip()),
                say(
                    "{text} may be the team of round {round} or, moved, of round {before}: a number ends where its columns end",
                    text=repr(field.strip()),
                    round=(start - 10) // 4,
                    before=(start - 14) // 4,
                ),
            )
        if team and team not in state.teams:
            raise state.error(record, start + 1, say("{team} is not a team of the file; correct the number", team=team))
        if team:
            state.unplayed.append(Unplayed(team, len(teams) + 1, record.line, start + 1))
        teams.append(team)
    state.allocated = AllocatedByes(worth[0], worth[1], tuple(teams))


def _forfeit(state: ReaderState, record: Record) -> None:
    """330: sign, round, both teams."""
    sign = record.text[4:6].upper()
    if sign not in FORFEITS:
        raise state.error(
            record,
            5,
            say("a forfeit must be one of {known}, not {sign}", sign=repr(sign), known=" ".join(FORFEITS[:3])),
        )
    if not number_at(state, record, 8, 10, say("round")):
        raise state.error(record, 8, say("the round is missing"))
    round, pair = round_at(state, record, 8, 10), []
    for first, last in ((12, 14), (16, 18)):
        team = number_at(state, record, first, last, say("team"))
        if not team and not record.text[18:].strip():
            raise state.error(record, first, say("the number of the team is missing"))
        if state.teams and team:
            if team not in state.teams:
                raise state.error(record, first, say("{team} is not a team of the file; correct the number", team=team))
            if team in pair:
                raise state.error(record, first, say("team {team} against itself", team=team))
            state.unplayed.append(Unplayed(team, round, record.line, first))
        pair.append(team)
    state.forfeits.append(ForfeitedMatch(sign, round, *pair))


_COLUMNS_299 = (((8, 11), (14, 17), (20, 22), 23), ((7, 10), (12, 15), (17, 19), 20))
"""Match points, game points, round, and what stands before the numbers: in FIDE's table, and in its own sample."""


def _abnormal(state: ReaderState, record: Record) -> None:
    """299: a sign, match and game points, a round, and whom they are given to. In the columns that part its words."""
    fit = [c for c in _COLUMNS_299 if _parts(record.text, c)]
    readings = {_abnormal_at(state, record, columns) for columns in fit or _COLUMNS_299[:1]}
    if len(readings) > 1:
        raise state.error(record, 7, say("the columns of this record are ambiguous"))
    if not fit:
        raise state.error(record, 7, say("the numbers must be in the columns of this record"))
    given = readings.pop()
    column = fit[0][2][0]
    if given.of and given.sign != " " and not given.round:
        raise state.error(record, column, say("the round is missing"))
    state.abnormal.append(replace(given, column=column))


def _parts(text: str, columns: tuple[tuple[int, int], tuple[int, int], tuple[int, int], int]) -> bool:
    """Whether every word of the line after the sign stands within one of the columns."""
    match, game, round, rest = columns
    words = [(m.start() + 1, m.end()) for m in re.finditer(r"\S+", text) if m.end() > 5]
    return all(first > rest or any(a <= first and last <= b for a, b in (match, game, round)) for first, last in words)


def _abnormal_at(
    state: ReaderState, record: Record, columns: tuple[tuple[int, int], tuple[int, int], tuple[int, int], int]
) -> Abnormal:
    match, game, round, rest = columns

    def points(first: int, last: int) -> int:
        field = record.text[first - 1 : last]
        column = first + len(field) - len(field.lstrip()) if field.strip() else first
        return half_points(state, record, column, field.strip() or "0", signed=True)

    known = state.teams or state.known
    of = numbers_from(state, record, rest, known, say("team") if state.teams else say("player"), nobody=True)
    sign = record.text[4:5].upper() or " "
    if sign not in "WDLFHZ+- ":
        raise state.error(record, 5, say("unknown kind of abnormal points: {sign}", sign=repr(sign)))
    number = number_at(state, record, *round, say("round"))
    return Abnormal(sign, points(*match), points(*game), number, tuple(n for n, _ in of), record.line)


def _byes(state: ReaderState, record: Record) -> None:
    """240 of teams: kind, round, teams."""
    kind, round = kind_of_240(state, record), round_at(state, record, 7, 9)
    for team, column in numbers_from(state, record, 9, state.teams, say("team")):
        state.unplayed.append(Unplayed(team, round, record.line, column))
        state.team_byes.append((team, round, kind))


def _forbidden_pairs(state: ReaderState, record: Record) -> None:
    """260 of teams: first and last round, teams."""
    rounds_of_260(state, record)
    numbers_from(state, record, 11, state.teams, say("team"))


def _virtual_points(state: ReaderState, record: Record) -> None:
    """250 of teams: match points, game points, first and last round, first and last team."""
    for first, last in ((5, 8), (10, 13)):
        if text := record.text[first - 1 : last].strip():
            half_points(state, record, first, text)
    round_at(state, record, 15, 17)
    number_at(state, record, 19, 21, say("round"))
    for first, last in ((23, 26), (28, 31)):
        team = number_at(state, record, first, last, say("team"))
        if team not in state.teams and (team or first == 23):
            raise state.error(record, first, say("{team} is not a team of the file; correct the number", team=team))


CHECKS: dict[str, Callable[[ReaderState, Record], None]] = {
    "352": _colours,
    "362": _scores,
    "320": _allocation,
    "330": _forfeit,
    "299": _abnormal,
    "250": _virtual_points,
    "300": out_of_order,
    "240": _byes,
    "260": _forbidden_pairs,
}
"""Records that are kept as they stand; read only so that what is wrong in them is named."""
