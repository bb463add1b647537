"""The tables of the projection of people. Every read joins the erasable texts: a row without its text is left out."""

import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from shared.core.readings.person_records import PersonEntry, PersonResult, TournamentRecord
from shared.log.people import EntryRow, Identifiers, Person, ResultRow, Totals, TournamentFacts
from shared.log.sql import projections
from shared.log.sql.people_tables import (
    PEOPLE,
    PEOPLE_ENTRIES,
    PEOPLE_PUBLIC,
    PEOPLE_RESULTS,
    PEOPLE_SALT,
    PEOPLE_TOURNAMENTS,
)
from shared.log.sql.projections.people_rows import person_of_fide_id, person_of_national_id, replace_rows, texts_of
from shared.log.sql.statements import DatabaseTransaction, insert_new
from shared.log.sql.tables import TEXTS
from shared.log.sql.transactions import translated_errors

_LOCK = ("people",)
"""Transactions that count places and then write run one after another."""
_ENTRY, _OTHER = PEOPLE_ENTRIES.alias("entry"), PEOPLE_ENTRIES.alias("other")
_NAMED, _OTHER_TEXT, _FIDE, _NATIONAL = (TEXTS.alias(name) for name in ("named", "other_text", "fide", "national"))
_FACTS = tuple(PEOPLE_TOURNAMENTS.c[name] for name in TournamentFacts._fields)
_OF_ENTRY = tuple(_ENTRY.c[name] for name in PersonEntry._fields)
_OF_RESULT = tuple(PEOPLE_RESULTS.c[name] for name in PersonResult._fields)
_VALID = (
    PEOPLE_TOURNAMENTS.join(_ENTRY, _ENTRY.c.tournament == PEOPLE_TOURNAMENTS.c.tournament)
    .join(TEXTS, TEXTS.c.hash == _ENTRY.c.identifier)
    .join(_NAMED, _NAMED.c.hash == _ENTRY.c.name, isouter=True)
)
"""Entries with their tournaments, the texts of their identifiers, and their names if available."""
_PLAYED = (
    PEOPLE_TOURNAMENTS.join(_ENTRY, _ENTRY.c.tournament == PEOPLE_TOURNAMENTS.c.tournament)
    .join(TEXTS, TEXTS.c.hash == _ENTRY.c.identifier)
    .join(
        PEOPLE_RESULTS,
        sa.and_(PEOPLE_RESULTS.c.tournament == _ENTRY.c.tournament, PEOPLE_RESULTS.c.player == _ENTRY.c.player),
    )
    .join(
        _OTHER,
        sa.and_(_OTHER.c.tournament == PEOPLE_RESULTS.c.tournament, _OTHER.c.player == PEOPLE_RESULTS.c.opponent),
        isouter=True,
    )
    .join(_OTHER_TEXT, _OTHER_TEXT.c.hash == _OTHER.c.identifier, isouter=True)
    .join(_NAMED, _NAMED.c.hash == PEOPLE_RESULTS.c.opponent_name, isouter=True)
)
"""Results of valid entries, with their opponents."""
_LATEST = (PEOPLE_TOURNAMENTS.c.begins.desc(), PEOPLE_TOURNAMENTS.c.tournament.desc())


class DatabasePeople:
    """`shared.log.people.PeopleLog` in standings' database. ``lines``: the table of the official log."""

    def __init__(
        self,
        reader: Engine,
        transaction: Callable[[Sequence[str]], AbstractContextManager[DatabaseTransaction]],
        lines: sa.Table,
        consenting: bool = False,
    ) -> None:
        self._reader, self._transaction, self._lines = reader, transaction, lines
        self._salt: str | None = None
        self._people = PEOPLE_PUBLIC if consenting else PEOPLE
        self._readable, self._linkable = (one.c.public == 1 if consenting else sa.true() for one in (_ENTRY, _OTHER))

    @property
    def public(self) -> "DatabasePeople":
        return DatabasePeople(self._reader, self._transaction, self._lines, consenting=True)

    # ------------------------------------------------------------ writing

    def outdated(self, version: int) -> dict[str, int]:
        with translated_errors(), self._reader.connect() as connection:
            return projections.outdated(connection, self._lines, PEOPLE_TOURNAMENTS, version)

    def mark_outdated(self) -> None:
        with self._transaction(_LOCK) as tx:
            for id in projections.mark_outdated(tx.connection, self._lines, PEOPLE_TOURNAMENTS):
                replace_rows(tx, TournamentRecord(id, 0), {}, "")
                tx.connection.execute(sa.delete(PEOPLE_TOURNAMENTS).where(PEOPLE_TOURNAMENTS.c.tournament == id))

    def store(self, records: Sequence[TournamentRecord], version: int) -> None:
        entries = [entry for record in records for entry in record.entries]
        identifiers = {hash for entry in entries for hash in (entry.fide_id, entry.national_id) if hash is not None}
        salt = self._given_salt() if identifiers else ""
        with self._transaction(_LOCK) as tx:
            texts = texts_of(tx.connection, identifiers)
            for record in records:
                facts = {**{name: getattr(record, name) for name in TournamentFacts._fields}, "version": version}
                same = PEOPLE_TOURNAMENTS.c.tournament == record.tournament
                stored = tx.connection.execute(sa.select(PEOPLE_TOURNAMENTS).where(same)).first()
                if projections.is_later(stored, record.seq, version):
                    continue
                replace_rows(tx, record, texts, salt)
                if stored is None:
                    tx.connection.execute(PEOPLE_TOURNAMENTS.insert(), [facts])
                else:
                    tx.connection.execute(sa.update(PEOPLE_TOURNAMENTS).where(same).values(facts))

    def _given_salt(self) -> str:
        """Return the salt, which is created at its first use."""
        if self._salt is None:
            with self._transaction(_LOCK) as tx:
                insert_new(tx.connection, PEOPLE_SALT, [{"id": 1, "salt": secrets.token_hex(32)}])
                self._salt = tx.connection.execute(sa.select(PEOPLE_SALT.c.salt)).scalar_one()
        return self._salt

    # ------------------------------------------------------------ reading

    def _read(self, chosen: sa.Select[Any]) -> list[Any]:
        with translated_errors(), self._reader.connect() as connection:
            return list(connection.execute(chosen))

    def counts(self) -> tuple[int, int]:
        tournaments, people = (
            sa.select(sa.func.count()).select_from(one) for one in (PEOPLE_TOURNAMENTS, self._people)
        )
        return int(self._read(tournaments)[0][0]), int(self._read(people)[0][0])

    def ranked(self, offset: int, limit: int) -> list[Person]:
        people = self._people
        order = (people.c.first.desc(), people.c.second.desc(), people.c.third.desc(), people.c.person)
        return self._named(sa.select(people).order_by(*order).offset(offset).limit(limit))

    def person(self, person: str) -> Person | None:
        found = self._named(sa.select(self._people).where(self._people.c.person == person))
        return found[0] if found else None

    def _named(self, chosen: sa.Select[Any]) -> list[Person]:
        """Return people with the texts of their latest entries. A person without any valid entry is left out."""
        rows = self._read(chosen)
        number = sa.func.row_number().over(
            partition_by=_ENTRY.c.person, order_by=(sa.case((_NAMED.c.text.is_(None), 1), else_=0), *_LATEST)
        )
        entries = (
            sa.select(_ENTRY.c.person, _NAMED.c.text.label("name"), number.label("n"))
            .select_from(_VALID)
            .where(_ENTRY.c.person.in_([row.person for row in rows]), self._readable)
            .subquery()
        )
        latest = {row.person: row for row in self._read(sa.select(entries).where(entries.c.n == 1))} if rows else {}
        return [Person(**row._mapping, name=latest[row.person].name) for row in rows if row.person in latest]

    def identifiers(self, people: Sequence[str]) -> Mapping[str, Identifiers]:
        chosen = (
            sa.select(_ENTRY.c.person, _ENTRY.c.federation, _FIDE.c.text, _NATIONAL.c.text)
            .distinct()
            .select_from(
                _VALID.join(_FIDE, _FIDE.c.hash == _ENTRY.c.fide_id, isouter=True).join(
                    _NATIONAL, _NATIONAL.c.hash == _ENTRY.c.national_id, isouter=True
                )
            )
            .where(_ENTRY.c.person.in_(people), self._readable)
        )
        found: dict[str, Identifiers] = {}
        for person, federation, fide, national in self._read(chosen) if people else ():
            fide_id, national_ids = found.get(person, Identifiers())
            stated = () if national is None else (f"{federation} {national}",)
            found[person] = Identifiers(fide or fide_id, tuple(sorted({*national_ids, *stated})))
        return found

    def person_of_fide_id(self, fide_id: str) -> str:
        return person_of_fide_id(self._stored_salt(), fide_id)

    def person_of_national_id(self, federation: str, national_id: str) -> str:
        hash = person_of_national_id(self._stored_salt(), federation, national_id)
        rows = self._read(
            sa.select(_ENTRY.c.person).select_from(_VALID).where(_ENTRY.c.national_person == hash).limit(1)
        )
        return rows[0].person if rows else hash

    def _stored_salt(self) -> str:
        rows = self._read(sa.select(PEOPLE_SALT.c.salt))
        return rows[0].salt if rows else ""

    def person_of_entry(self, tournament: str, player: int) -> str | None:
        here = _ENTRY.c.tournament == tournament, _ENTRY.c.player == player
        rows = self._read(sa.select(_ENTRY.c.person).select_from(_VALID).where(*here, self._readable))
        return rows[0].person if rows else None

    def best_places(self, people: Sequence[str], most: int) -> Mapping[str, list[EntryRow]]:
        number = sa.func.row_number().over(partition_by=_ENTRY.c.person, order_by=(_ENTRY.c.rank, *_LATEST))
        chosen = (
            sa.select(_ENTRY.c.tournament, _ENTRY.c.player, number.label("n"))
            .select_from(_VALID)
            .where(_ENTRY.c.person.in_(people), _ENTRY.c.rank <= 3, self._readable)
            .subquery()
        )
        here = sa.and_(chosen.c.tournament == _ENTRY.c.tournament, chosen.c.player == _ENTRY.c.player)
        rows = sa.select(*_FACTS, *_OF_ENTRY, _NAMED.c.text, _ENTRY.c.person)
        rows = (
            rows.select_from(_VALID.join(chosen, here)).where(chosen.c.n <= most).order_by(_ENTRY.c.person, chosen.c.n)
        )
        found: dict[str, list[EntryRow]] = {}
        for row in self._read(rows) if people else ():
            found.setdefault(row[-1], []).append(_entry_row(row[:-1]))
        return found

    def entries(self, person: str, offset: int, limit: int) -> list[EntryRow]:
        own = _ENTRY.c.person == person, self._readable
        chosen = sa.select(*_FACTS, *_OF_ENTRY, _NAMED.c.text).select_from(_VALID).where(*own)
        return [
            _entry_row(row)
            for row in self._read(chosen.order_by(*_LATEST, _ENTRY.c.player).offset(offset).limit(limit))
        ]

    def results(self, person: str, opponent: str | None, offset: int, limit: int) -> list[ResultRow]:
        other = sa.case((sa.and_(_OTHER_TEXT.c.hash.is_not(None), self._linkable), _OTHER.c.person))
        order = (*_LATEST, PEOPLE_RESULTS.c.round.desc(), PEOPLE_RESULTS.c.game, PEOPLE_RESULTS.c.player)
        chosen = (
            sa.select(*_FACTS, *_OF_RESULT, other, _NAMED.c.text)
            .select_from(_PLAYED)
            .where(*self._against(person, opponent))
            .order_by(*order)
            .offset(offset)
            .limit(limit)
        )
        return [_result_row(row) for row in self._read(chosen)]

    def tournaments(self, person: str, opponent: str | None, limit: int) -> list[TournamentFacts]:
        joined = _VALID if opponent is None else _PLAYED
        chosen = sa.select(*_FACTS).distinct().select_from(joined).where(*self._against(person, opponent))
        return [TournamentFacts(*row) for row in self._read(chosen.order_by(*_LATEST).limit(limit))]

    def totals(self, person: str, opponent: str | None = None) -> Totals:
        theirs = PEOPLE_RESULTS.alias("theirs")
        won = sa.func.coalesce(sa.func.sum(PEOPLE_RESULTS.c.won), 0)
        lost = sa.func.coalesce(sa.func.sum(theirs.c.won), 0)
        of_opponent = sa.and_(
            theirs.c.tournament == PEOPLE_RESULTS.c.tournament,
            theirs.c.player == PEOPLE_RESULTS.c.opponent,
            theirs.c.game == PEOPLE_RESULTS.c.game,
        )
        chosen = sa.select(sa.func.count(), won, lost).select_from(_PLAYED.join(theirs, of_opponent, isouter=True))
        (row,) = self._read(chosen.where(*self._against(person, opponent)))
        return Totals(*map(int, row))

    def _against(self, person: str, opponent: str | None) -> tuple[sa.ColumnElement[bool], ...]:
        own = _ENTRY.c.person == person, self._readable
        other = _OTHER.c.person == opponent, _OTHER_TEXT.c.hash.is_not(None), self._linkable
        return own if opponent is None else (*own, *other)


def _entry_row(row: Sequence[Any]) -> EntryRow:
    facts = len(_FACTS)
    entry = PersonEntry._make((*row[facts:-2], _numbers(row[-2])))
    return EntryRow(TournamentFacts(*row[:facts]), entry, row[-1])


def _result_row(row: Sequence[Any]) -> ResultRow:
    facts = len(_FACTS)
    result = PersonResult._make((*row[facts:-3], _numbers(row[-3])))
    return ResultRow(TournamentFacts(*row[:facts]), result, row[-2], row[-1])


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(json.loads(text))
