"""Writing the rows of people: those of a tournament are replaced by its record, and what differs is written."""

import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.readings.person_records import PersonEntry, PersonResult, TournamentRecord
from shared.log.sql.people_tables import PEOPLE, PEOPLE_ENTRIES, PEOPLE_PUBLIC, PEOPLE_RESULTS
from shared.log.sql.statements import DatabaseTransaction
from shared.log.sql.tables import TEXTS

AT_ONCE = 500
"""Maximum number of values in one condition, since SQLite limits the parameters of a statement."""
Rows = list[dict[str, Any]]
_ENTRY = PEOPLE_ENTRIES.c


def person_of_fide_id(salt: str, fide_id: str) -> str:
    """Return the hash by which the person with a FIDE ID is known."""
    return _hash(salt, "fide", fide_id)


def person_of_national_id(salt: str, federation: str, national_id: str) -> str:
    """Return the hash by which a person is known whose FIDE ID is unknown."""
    return _hash(salt, "national", federation, national_id)


def _hash(salt: str, *parts: str) -> str:
    """Return the first 128 bits of HMAC-SHA256, in hex."""
    return hmac.digest(salt.encode(), "\0".join(parts).encode(), "sha256").hex()[:32]


def texts_of(connection: Connection, hashes: Iterable[str]) -> dict[str, str]:
    wanted = sorted(hashes)
    found: dict[str, str] = {}
    for start in range(0, len(wanted), AT_ONCE):
        chosen = sa.select(TEXTS.c.hash, TEXTS.c.text).where(TEXTS.c.hash.in_(wanted[start : start + AT_ONCE]))
        found |= {row.hash: row.text for row in connection.execute(chosen)}
    return found


def replace_rows(tx: DatabaseTransaction, record: TournamentRecord, texts: Mapping[str, str], salt: str) -> None:
    """Make the rows of a tournament those of its record. ``texts``: the available texts of its identifiers by hash."""
    entries = [row for entry in record.entries for row in _entry_rows(entry, texts, salt)]
    for row in entries:
        row["tournament"] = record.tournament
    nationals = {row["national_person"] for row in entries} - {None}
    linked = _links(tx.connection, nationals, entries, besides=record.tournament)
    for row in entries:
        row["person"] = _person(row, linked)
    known = {row["player"] for row in entries}
    results = [{"tournament": record.tournament, **_stored(r)} for r in record.results if r.player in known]
    _exchange(tx.connection, PEOPLE_RESULTS, record.tournament, results)
    removed, added = _exchange(tx.connection, PEOPLE_ENTRIES, record.tournament, entries)
    before, after = ({(row["player"], row["person"]) for row in rows} for rows in (removed, added))
    counted, counting = (
        {(row["player"], row["person"], row["rank"], row["public"]) for row in rows} for rows in (removed, added)
    )
    moved = _move_linked(tx.connection, _stated(removed) ^ _stated(added))
    if before - after or moved:
        # The files of SQLite must not keep rows of a person who is no longer identified.
        tx.erased |= {PEOPLE_ENTRIES, PEOPLE, PEOPLE_PUBLIC}
    people = sorted({row[1] for row in counted ^ counting} | moved)
    for table, chosen in ((PEOPLE, sa.true()), (PEOPLE_PUBLIC, _ENTRY.public == 1)):
        _count(tx.connection, table, chosen, people)


def _entry_rows(entry: PersonEntry, texts: Mapping[str, str], salt: str) -> Iterable[dict[str, Any]]:
    """Yield the row of an entry without its person, if the text of an ID is available."""
    fide, national = (texts.get(hash or "") for hash in (entry.fide_id, entry.national_id))
    if fide is not None or national is not None:
        yield {
            **_stored(entry),
            "identifier": entry.fide_id if fide is not None else entry.national_id,
            "fide_person": None if fide is None else person_of_fide_id(salt, fide),
            "national_person": None
            if national is None
            else person_of_national_id(salt, entry.federation or "", national),
        }


def _person(row: Mapping[str, Any], linked: Mapping[str, str]) -> str:
    person: str = row["fide_person"] or linked.get(row["national_person"]) or row["national_person"]
    return person


def _stated(rows: Rows) -> set[tuple[str, str]]:
    """Return the national and the FIDE person of each row that states both."""
    return {
        (row["national_person"], row["fide_person"]) for row in rows if row["national_person"] and row["fide_person"]
    }


def _links(connection: Connection, nationals: Iterable[str], rows: Rows, besides: str = "") -> dict[str, str]:
    """Return the FIDE person of each of these national IDs, if all entries that state both agree.

    These are ``rows``, and the stored ones of all tournaments ``besides`` that of the rows.
    """
    found = _stated(rows)
    wanted = sorted(nationals)
    for start in range(0, len(wanted), AT_ONCE):
        both = _ENTRY.national_person.in_(wanted[start : start + AT_ONCE]), _ENTRY.fide_person.is_not(None)
        chosen = sa.select(_ENTRY.national_person, _ENTRY.fide_person).distinct()
        found |= {(one, other) for one, other in connection.execute(chosen.where(*both, _ENTRY.tournament != besides))}
    linked = dict(found)
    return {one: person for one, person in linked.items() if sum(pair[0] == one for pair in found) == 1}


def _move_linked(connection: Connection, changed: Iterable[tuple[str, str]]) -> set[str]:
    """Update the person of entries that state only a national ID whose link to a FIDE ID has changed.

    Return the people who lost or got such an entry.
    """
    nationals = {national for national, _ in changed}
    linked = _links(connection, nationals, [])
    moved: set[str] = set()
    for national in sorted(nationals):
        now = linked.get(national, national)
        other = _ENTRY.national_person == national, _ENTRY.fide_person.is_(None), _ENTRY.person != now
        before = set(connection.execute(sa.select(_ENTRY.person).where(*other)).scalars())
        if before:
            connection.execute(sa.update(PEOPLE_ENTRIES).where(*other).values(person=now))
            moved |= before | {now}
    return moved


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


def _count(connection: Connection, table: sa.Table, counted: sa.ColumnElement[bool], people: Sequence[str]) -> None:
    """Count the places and tournaments of these people again in a table, and delete those without a ``counted`` entry."""
    places = [sa.func.sum(sa.case((_ENTRY.rank == place, 1), else_=0)) for place in (1, 2, 3)]
    for start in range(0, len(people), AT_ONCE):
        some = people[start : start + AT_ONCE]
        chosen = sa.select(_ENTRY.person, *places, sa.func.count(_ENTRY.tournament.distinct()))
        rows = connection.execute(chosen.where(_ENTRY.person.in_(some), counted).group_by(_ENTRY.person))
        values = [dict(zip(table.c.keys(), row, strict=True)) for row in rows]
        connection.execute(sa.delete(table).where(table.c.person.in_(some)))
        if values:
            connection.execute(sa.insert(table), values)
