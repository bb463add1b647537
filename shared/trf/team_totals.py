"""The records of teams in an export with kept ones: each as it was written where it still holds, else written anew, with the
points that no game was played for (240, 299, 320, 330)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from msgspec import structs

from shared.core.rulebook.regulations import Points
from shared.trf.model.model import Record, TrfFile, TrfTeam
from shared.trf.model.points import points_text
from shared.trf.reader import read
from shared.trf.teams.team_comparison import RANK_OF_310, team_differences
from shared.trf.teams.team_matches import rounds_told
from shared.trf.teams.team_records import TeamRound, TeamTotal, team_rounds, totals
from shared.trf.teams.teams import read as teams_of
from shared.trf.writer import write

MATCHES_GIVEN = ("240", "299", "320", "330")
"""Records by which a file of teams gives points that no game was played for."""
OF_TEAMS = ("013", "310", "801", "802")
"""Records that say what teams are and made."""
_Key = tuple[str, int]


def recounted(exported: TrfFile, file: TrfFile, points: Points) -> TrfFile:
    """The export with kept records (``file``), its teams' lines as they hold. Raises `TrfError` where a record cannot be
    read."""
    own = dict(_of_teams(exported))
    seats = [record for record in file.records if record.text.startswith("801") and not record.player]
    others = (r for r in file.records[:-1] if r.player or r.text[:3] not in OF_TEAMS)
    counted = read(write(replace(file, records=(*others, *own.values(), *seats, file.records[-1]))), file.file)
    rounds = team_rounds(counted, points)
    made = {} if rounds is None else totals(counted, rounds)
    check = _Check({t.id: t for t in exported.settings.teams}, rounds or {}, made, counted)
    kept: dict[_Key, Record] = {}
    for of_team, record in _of_teams(file):
        kept.setdefault(of_team, record)
    lines = {key: _counted(record, check, kept.get(key)) for key, record in own.items()}
    keys = {record.line: key for key, record in _of_teams(file)}
    records: list[Record] = []
    for record in file.records[:-1]:
        key: _Key | None = keys.get(record.line)
        if key is not None and kept[key] is not record:
            continue  # a team says it once
        if key is None or check.holds(key, record):
            records.append(record)
        elif key in lines:
            records.append(lines[key])
    records += [*(line for key, line in lines.items() if key not in kept), file.records[-1]]
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
            same = len(rounds_told(record.text)) == len(self.rounds.get(number, ()))
        else:
            same = self.is_of(record, team)
        return same and not any(team_differences(self.counted, record, self.rounds, self.made))

    def is_of(self, record: Record, team: TrfTeam) -> bool:
        """Whether a record 013 or 310 has the name and the members of its team."""
        (said,) = teams_of([structs.replace(record, line=1)], frozenset(self.counted.numbered), self.counted.file)
        return (said.name, said.members) == (team.name, team.members)


def _counted(record: Record, check: _Check, kept: Record | None) -> Record:
    """An own record with the totals that the whole file gives; what the one that was ``kept`` says else (nickname, rating, a
    rank that is possible) stands as it stood."""
    code, number = record.text[:3], record.text[4:7].strip()
    team = int(number) if number.isdigit() else 0
    if code not in ("310", "802") or team not in check.made:
        return record
    total = check.made[team]
    match, game = points_text(total.match_points), points_text(total.game_points)
    if code == "310":
        text = kept.text if kept is not None and check.is_of(kept, check.teams[team]) else record.text
        text = f"{text[:54]}{match:>6s} {game:>6s}{text[67:]}"
        counted = structs.replace(record, text=text)
        wrong = [
            d for d in team_differences(check.counted, counted, check.rounds, check.made) if d.column == RANK_OF_310
        ]
        return structs.replace(record, text=f"{text[:68]}   {text[71:]}") if wrong else counted
    told = rounds_told(record.text)
    words = "".join(f"  {_match(one, told[n] if n < len(told) else None)}" for n, one in enumerate(check.rounds[team]))
    nickname = "" if kept is None else kept.text[8:13]
    head = f"802 {team:3d} {nickname:5s} {total.match_points / 2:4g} {game:>6s}"
    return structs.replace(record, text=(head + words).rstrip())


def _match(one: TeamRound, own: re.Match[str] | None) -> str:
    """A round; the colour as the log has it (``own``) where the file does not tell which board was the first."""
    game = points_text(one.game_points)
    if not one.opponent:
        return f"{one.bye}   {game:>4s} "
    colour = "b" if one.side == "black" else "w"
    if not one.in_order and own is not None and own["colour"]:
        colour = own["colour"]
    return f"{one.opponent:3d} {colour} {game:>4s}{'f' if one.forfeit else ' '}"
