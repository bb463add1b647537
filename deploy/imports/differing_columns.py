"""The columns of an imported table that differ from the table that the file was exported with."""

from collections.abc import Iterator

from shared.client import Client
from shared.core.language.messages import Message, and_more, say
from shared.trf.event_records import EventRecords, event_records
from shared.trf.model.model import TrfFile
from shared.trf.model.points import half_points_of
from shared.trf.reader import read

_PLAYERS = 10


def differing_columns(trf: TrfFile, stated: EventRecords, to: Client, id: str, seen: str) -> Iterator[Message]:
    """Yield a message for each column of the exported table that the imported tournament does not reproduce.

    Points and ranks are in the records of players. The file has a digest for each tie-break. Nothing is yielded
    for a file that does not state a table: another program's, or a team event.
    """
    if not stated.table:
        return
    rows = {row["id"]: row for row in to.get(f"/v1/tournaments/{id}/standings?after={seen}").json["players"]}
    imported = event_records(read(to.get(f"/v1/tournaments/{id}/trf?after={seen}").content, id))
    if (stated.game, stated.ruleset) != (imported.game, imported.ruleset):
        yield say(
            "{file}: the file is of {game} by {ruleset}; the tournament is of {other} by {used}",
            file=trf.file,
            game=stated.game,
            ruleset=stated.ruleset,
            other=imported.game,
            used=imported.ruleset,
        )
    differing = {
        "points": [n for n, row in rows.items() if half_points_of(trf.numbered[n].points) != 2 * row["points"]],
        "rank": [n for n, row in rows.items() if trf.numbered[n].rank != str(row["rank"])],
    }
    for code in dict.fromkeys((*stated.table, *imported.table)):
        if stated.table.get(code) == imported.table.get(code):
            continue
        detail = say("the column {column} differs from the exported table", column=code)
        if players := differing.get(code):
            listed = and_more(map(str, sorted(players)), _PLAYERS)
            detail = say("{detail}, for players {players}", detail=detail, players=listed)
        yield say("{file}: {detail}", file=trf.file, detail=detail)
