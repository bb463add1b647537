"""Writing the rows of people: those of a tournament are replaced by its record, and what differs is written."""

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.readings.person_records import PersonEntry, PersonResult, TournamentRecord
from shared.log.sql.statements import DatabaseTransaction
from shared.log.sql.tables import PEOPLE, PEOPLE_ENTRIES, PEOPLE_RESULTS, TEXTS

AT_ONCE = 500
"""Maximum number of values in one condition, since SQLite limits the parameters of a statement."""
Rows = list[dict[str, Any]]


def person_of(salt: str, fide_id: str) -> str:
    """Return the hash by which a person is known: the first 128 bits of HMAC-SHA256, in hex."""
    return hmac.digest(salt.encode(), b"fide\0" + fide_id.encode(), "sha256").hex()[:32]


def texts_of(connection: Connection, hashes: Iterable[str]) -> dict[str, str]:
    wanted = sorted(hashes)
    found: dict[str, str] = {}
    for start in range(0, len(wanted), AT_ONCE):
        chosen = sa.select(TEXTS.c.hash, TEXTS.c.text).where(TEXTS.c.hash.in_(wanted[start : start + AT_ONCE]))
        found |= {row.hash: row.text for row in connection.execute(chosen)}
    return found


def replace_rows(tx: DatabaseTransaction, record: TournamentRecord, people: Mapping[str, str]) -> None:
    """Make the rows of a tournament those of its record. ``people``: the person of each identifier whose text is available."""
    known = {e.player for e in record.entries if e.identifier in people}
    entries = [
        {"tournament": record.tournament, "person": people[e.identifier], **_stored(e)}
        for e in record.entries
        if e.player in known
    ]
    results = [{"tournament": record.tournament, **_stored(r)} for r in record.results if r.player in known]
    _exchange(tx.connection, PEOPLE_RESULTS, record.tournament, results)
    removed, added = _exchange(tx.connection, PEOPLE_ENTRIES, record.tournament, entries)
    before, after = ({(row["player"], row["person"]) for row in rows} for rows in (removed, added))
    if before - after:
        # The files of SQLite must not keep rows of a person who is no longer identified.
        tx.erased |= {PEOPLE_ENTRIES, PEOPLE}
    counted, counting = ({(row["player"], row["person"], row["rank"]) for row in rows} for rows in (removed, added))
    _count(tx.connection, sorted({person for _, person, _ in counted ^ counting}))


def _stored(one: PersonEntry | PersonResult) -> dict[str, Any]:
    return {**one._asdict(), "events": json.dumps(one.events)}


def _exchange(connection: Connection, table: sa.Table, tournament: str, rows: Rows) -> tuple[Rows, Rows]:
    """Write only the rows that differ from the stored ones. Return the rows that were deleted and those inserted."""
    names = sorted(column.name for column in table.c)
    stored = connection.execute(sa.select(table).where(table.c.tournament == tournament)).mappings()
    before = {tuple(row[name] for name in names) for row in stored}
    after = {tuple(row[name] for name in names) for row in rows}
    removed, added = (
        [dict(zip(names, row, strict=True)) for row in sorted(some, key=repr)]
        for some in (before - after, after - before)
    )
    key = [column.name for column in table.primary_key]
    if removed:
        same = sa.and_(*(table.c[name] == sa.bindparam(f"old_{name}") for name in key))
        connection.execute(
            sa.delete(table).where(same), [{f"old_{name}": row[name] for name in key} for row in removed]
        )
    if added:
        connection.execute(sa.insert(table), added)
    return removed, added


def _count(connection: Connection, people: Sequence[str]) -> None:
    """Count the places and tournaments of these people again, and delete those without an entry."""
    entry = PEOPLE_ENTRIES.c
    places = [sa.func.sum(sa.case((entry.rank == place, 1), else_=0)) for place in (1, 2, 3)]
    for start in range(0, len(people), AT_ONCE):
        some = people[start : start + AT_ONCE]
        chosen = sa.select(entry.person, *places, sa.func.count(entry.tournament.distinct()))
        rows = connection.execute(chosen.where(entry.person.in_(some)).group_by(entry.person))
        counted = [dict(zip(PEOPLE.c.keys(), row, strict=True)) for row in rows]
        connection.execute(sa.delete(PEOPLE).where(PEOPLE.c.person.in_(some)))
        if counted:
            connection.execute(sa.insert(PEOPLE), counted)
