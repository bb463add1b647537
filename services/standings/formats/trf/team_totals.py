"""The records 310 and 802 of an export whose file gives points that no game was played for (240, 299, 320, 330)."""

from dataclasses import replace

from msgspec import structs

from services.standings.formats.trf.model import Record, TrfFile
from services.standings.formats.trf.points import points_text
from services.standings.formats.trf.reader import read
from services.standings.formats.trf.team_records import TeamRound, TeamTotal, team_rounds, totals
from services.standings.formats.trf.writer import write
from shared.core.regulations import Points

MATCHES_GIVEN = ("240", "299", "320", "330")
"""Records by which a file of teams gives points that no game was played for."""


def recounted(exported: TrfFile, points: Points) -> TrfFile:
    """The export, its totals of teams counted from its own records; as it stands where its games are no matches of teams.

    Raises `TrfError` where a record cannot be read.
    """
    file = read(write(exported), exported.file)
    rounds = team_rounds(file, points)
    if rounds is None or {t.id for t in file.settings.teams} != {t.id for t in exported.settings.teams}:
        return exported
    made = totals(file, rounds)
    return replace(exported, records=tuple(_line(r, rounds, made) for r in exported.records))


def _line(record: Record, rounds: dict[int, tuple[TeamRound, ...]], made: dict[int, TeamTotal]) -> Record:
    code, number = record.text[:3], record.text[4:7].strip()
    team = int(number) if number.isdigit() else 0
    if record.player or code not in ("310", "802") or team not in made:
        return record
    match, game = points_text(made[team].match_points), points_text(made[team].game_points)
    if code == "310":
        return structs.replace(record, text=f"{record.text[:54]}{match:>6s} {game:>6s}{record.text[67:]}")
    words = "".join(f"  {_match(one)}" for one in rounds[team])
    head = f"802 {team:3d} {'':5s} {made[team].match_points / 2:4g} {game:>6s}"
    return structs.replace(record, text=(head + words).rstrip())


def _match(one: TeamRound) -> str:
    game = points_text(one.game_points)
    if not one.opponent:
        return f"{one.bye}   {game:>4s} "
    return f"{one.opponent:3d} {'b' if one.side == 'black' else 'w'} {game:>4s}{'f' if one.forfeit else ' '}"
