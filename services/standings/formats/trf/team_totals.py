"""The records of teams in an export with kept ones: each as it was written where it still holds, else written anew, with the
points that no game was played for (240, 299, 320, 330)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from services.standings.formats.trf.comparison import matches_told, team_differences
from services.standings.formats.trf.model import Record, TrfFile, TrfTeam
from services.standings.formats.trf.points import points_text
from services.standings.formats.trf.reader import read
from services.standings.formats.trf.team_records import TeamRound, TeamTotal, team_rounds, totals
from services.standings.formats.trf.teams import read as teams_of
from services.standings.formats.trf.writer import write
from shared.core.regulations import Points

MATCHES_GIVEN = ("240", "299", "320", "330")
"""Records by which a file of teams gives points that no game was played for."""
OF_TEAMS = ("013", "310", "801", "802")
"""Records that say what teams are and made."""
_Key = tuple[str, int]


def recounted(exported: TrfFile, file: TrfFile, points: Points) -> TrfFile:
    """The export with kept records (``file``), its teams' lines as they hold. Raises `TrfError` where a record cannot be
    read."""
    own = dict(_of_teams(exported))
    counted = read(write(replace(file, records=(*_others(file), *own.values(), file.records[-1]))), file.file)
    rounds = team_rounds(counted, points)
    made = {} if rounds is None else totals(counted, rounds)
    check = _Check({t.id: t for t in exported.settings.teams}, rounds or {}, made, counted)
    lines = {key: _counted(record, check) for key, record in own.items()}
    keys = {record.line: key for key, record in _of_teams(file)}
    records: list[Record] = []
    for record in file.records[:-1]:
        key = keys.get(record.line)
        if key is None or check.holds(key, record):
            records.append(record)
        elif key in lines:
            records.append(lines[key])
    records += [*(line for key, line in lines.items() if key not in keys.values()), file.records[-1]]
    return replace(file, records=tuple(structs.replace(r, line=n) for n, r in enumerate(records, 1)))


def _of_teams(file: TrfFile) -> Iterator[tuple[_Key, Record]]:
    """The records of teams by code and number; 013 counts its own."""
    count = 0
    for record in file.records:
        code, number = record.text[:3], record.text[4:7].strip()
        if code == "013":
            count += 1
            yield (code, count), record
        elif code in OF_TEAMS and not record.player:
            yield (code, int(number) if number.isdigit() else 0), record


def _others(file: TrfFile) -> Iterator[Record]:
    return (r for r in file.records[:-1] if r.player or r.text[:3] not in OF_TEAMS)


@dataclass(frozen=True, slots=True)
class _Check:
    """What teams are and made, by their numbers. ``counted``: the file that it was counted from."""

    teams: Mapping[int, TrfTeam]
    rounds: Mapping[int, tuple[TeamRound, ...]]
    made: Mapping[int, TeamTotal]
    counted: TrfFile

    def holds(self, key: _Key, record: Record) -> bool:
        """Whether a record says of its team what is so."""
        code, number = key
        team = self.teams.get(number)
        if team is None:
            return False
        if code == "801":
            same = number in self.made
        elif code == "802":
            same = matches_told(record.text) == len(self.rounds.get(number, ()))
        else:
            (said,) = teams_of([structs.replace(record, line=1)], frozenset(self.counted.numbered), self.counted.file)
            same = (said.name, said.members) == (team.name, team.members)
        return same and not any(team_differences(self.counted, record, self.rounds, self.made))


def _counted(record: Record, check: _Check) -> Record:
    """An own record with the totals that the whole file gives."""
    code, number = record.text[:3], record.text[4:7].strip()
    team = int(number) if number.isdigit() else 0
    if code not in ("310", "802") or team not in check.made:
        return record
    total = check.made[team]
    match, game = points_text(total.match_points), points_text(total.game_points)
    if code == "310":
        return structs.replace(record, text=f"{record.text[:54]}{match:>6s} {game:>6s}{record.text[67:]}")
    words = "".join(f"  {_match(one)}" for one in check.rounds[team])
    head = f"802 {team:3d} {'':5s} {total.match_points / 2:4g} {game:>6s}"
    return structs.replace(record, text=(head + words).rstrip())


def _match(one: TeamRound) -> str:
    game = points_text(one.game_points)
    if not one.opponent:
        return f"{one.bye}   {game:>4s} "
    return f"{one.opponent:3d} {'b' if one.side == 'black' else 'w'} {game:>4s}{'f' if one.forfeit else ' '}"
