"""The table of the calendar in standings' database."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from shared.log.calendar import CalendarEntry, CalendarFilter, CalendarOrder, CalendarPlace
from shared.log.sql import projections
from shared.log.sql.statements import DatabaseTransaction, insert_or_change
from shared.log.sql.tables import CALENDAR
from shared.log.sql.transactions import translated_errors

_LOCK = ("calendar",)
"""Transactions that compare stored entries with new ones run one after another."""
_COLUMNS = tuple(CALENDAR.c[name] for name in CalendarEntry._fields)
_ROW = CALENDAR.c


class DatabaseCalendar:
    """`shared.log.calendar.CalendarLog` in standings' database. ``lines``: the table of the official log."""

    def __init__(
        self,
        reader: Engine,
        transaction: Callable[[Sequence[str]], AbstractContextManager[DatabaseTransaction]],
        lines: sa.Table,
    ) -> None:
        self._reader, self._transaction, self._lines = reader, transaction, lines

    def outdated(self, version: int) -> dict[str, int]:
        with translated_errors(), self._reader.connect() as connection:
            return projections.outdated(connection, self._lines, CALENDAR, version)

    def missing(self, version: int) -> int:
        with translated_errors(), self._reader.connect() as connection:
            stored = set(connection.execute(sa.select(_ROW.tournament).where(_ROW.version >= version)).scalars())
            return len(projections.last_events(connection, self._lines).keys() - stored)

    def mark_outdated(self) -> None:
        with self._transaction(_LOCK) as tx:
            for t in projections.mark_outdated(tx.connection, self._lines, CALENDAR):
                tx.connection.execute(sa.delete(CALENDAR).where(_ROW.tournament == t))

    def store(self, entries: Sequence[CalendarEntry], version: int) -> None:
        if not entries:
            return
        given = [entry.tournament for entry in entries]
        with self._transaction(_LOCK) as tx:
            known = sa.select(_ROW.tournament, _ROW.seq, _ROW.version).where(_ROW.tournament.in_(given))
            stored = {row.tournament: row for row in tx.connection.execute(known)}
            new = [one for one in entries if not projections.is_later(stored.get(one.tournament), one.seq, version)]
            if new:
                values = [entry._asdict() | {"version": version} for entry in new]
                insert_or_change(tx.connection, CALENDAR, ["tournament"], values)

    def page(
        self, chosen: CalendarFilter, order: CalendarOrder, after: CalendarPlace | None, limit: int
    ) -> list[CalendarEntry]:
        keys = [_ROW.tournament] if order == "id" else [_ROW.first_day, _ROW.tournament]
        statement = sa.select(*_COLUMNS).where(*_conditions(chosen))
        if after is not None:
            place = [after.tournament] if order == "id" else list(after)
            here, there = sa.tuple_(*keys), sa.tuple_(*place)
            statement = statement.where(here < there if order == "-date" else here > there)
        statement = statement.order_by(*(key.desc() if order == "-date" else key for key in keys)).limit(limit)
        with translated_errors(), self._reader.connect() as connection:
            return [CalendarEntry(*row) for row in connection.execute(statement)]

    def games(self) -> list[str]:
        with translated_errors(), self._reader.connect() as connection:
            found = connection.execute(sa.select(_ROW.game).where(_ROW.state != "").distinct())
            return sorted(found.scalars())

    def unlisted(self, limit: int) -> list[str]:
        chosen = sa.select(_ROW.tournament).where(_ROW.state == "").order_by(_ROW.tournament.desc()).limit(limit)
        with translated_errors(), self._reader.connect() as connection:
            return list(connection.execute(chosen).scalars())


def _conditions(chosen: CalendarFilter) -> list[sa.ColumnElement[bool]]:
    if chosen.state is None:
        found = [_ROW.state != ""]
    else:
        found = [_ROW.state == chosen.state]
    if chosen.game:
        found.append(_ROW.game == chosen.game)
    found += [_ROW.venue.contains(word, autoescape=True) for word in chosen.place]
    found += [_ROW.words.contains(word, autoescape=True) for word in chosen.words]
    if chosen.date_from:
        found.append(_ROW.last_day >= chosen.date_from)
    if chosen.date_to:
        found.append(_ROW.first_day <= chosen.date_to)
    if chosen.current_on:
        found.append(_ROW.current_until >= chosen.current_on)
    if chosen.over_on:
        found.append(_ROW.current_until < chosen.over_on)
    if chosen.dated:
        found.append(_ROW.dated == 1)
    return found
