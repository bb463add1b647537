"""The stored calendar on every backend: entries are replaced, never by earlier ones, and found in pages."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from shared.log.calendar import CALENDAR_ORDERS, CalendarEntry, CalendarFilter, CalendarLog, CalendarPlace
from shared.log.sql import projections
from shared.log.sql.engines import open_url
from shared.log.sql.projections.calendar import DatabaseCalendar
from shared.log.sql.tables import CALENDAR, LEDGER
from tests.deploy.servers import SERVERS, database
from tests.log.conftest import Backend

VERSION = 3
ALL = CalendarFilter()


def entry(t: str, seq: int = 9, day: str = "2026-05-01", **more: object) -> CalendarEntry:
    values = CalendarEntry(t, seq, "running", "chess", day, day, day, 1, "zurich hall", f"{t}\nzurich hall\nchess")
    return values._replace(content=b"{}", **more)


@pytest.fixture
def calendar(backend: Backend) -> CalendarLog:
    return backend.open().calendar


def found(calendar: CalendarLog, chosen: CalendarFilter = ALL) -> list[str]:
    return [one.tournament for one in calendar.page(chosen, "id", None, 10)]


def test_earlier_entry_never_replaces_a_later_one(calendar: CalendarLog):
    calendar.store([entry("a", 9)], VERSION)
    calendar.store([entry("a", 8, state="finished"), entry("b", 4)], VERSION)
    assert [(one.tournament, one.seq) for one in calendar.page(ALL, "id", None, 10)] == [("a", 9), ("b", 4)]
    calendar.store([entry("a", 10, state="finished")], VERSION)
    assert found(calendar, CalendarFilter(state="finished")) == ["a"]


def test_entry_of_a_former_version_is_replaced(calendar: CalendarLog):
    calendar.store([entry("a", 9)], VERSION)
    calendar.store([entry("a", 8, state="announced")], VERSION + 1)
    assert [one.state for one in calendar.page(ALL, "id", None, 10)] == ["announced"]


def test_entries_without_a_state_are_found_by_no_page_but_as_unlisted(calendar: CalendarLog):
    calendar.store([entry("a"), entry("b", state=""), entry("c", state="")], VERSION)
    assert found(calendar) == ["a"] and calendar.unlisted(10) == ["c", "b"] and calendar.unlisted(1) == ["c"]


def test_former_version_replaces_no_entry_that_is_as_late(backend: Backend):
    log = backend.open()
    backend.append(log, count=2)
    backend.settle()
    log.calendar.store([entry("T", 2, state="announced")], VERSION + 1)
    for seq in (1, 2):
        log.calendar.store([entry("T", seq)], VERSION)
    assert [one.state for one in log.calendar.page(ALL, "id", None, 10)] == ["announced"]
    assert (log.calendar.missing(VERSION), log.calendar.outdated(VERSION)) == (0, {})
    log.calendar.store([entry("T", 3)], VERSION)
    assert [one.state for one in log.calendar.page(ALL, "id", None, 10)] == ["running"], "after a return to it"
    assert log.calendar.outdated(VERSION + 1) == {"T": 2}


def test_pages_follow_the_order_of_bytes(calendar: CalendarLog):
    ids = ["B", "a", "a-1", "a.1", "b"]
    calendar.store([entry(t, day="2026-05-02" if t == "B" else "2026-05-01") for t in ids], VERSION)
    places = {"id": ids, "date": [*ids[1:], "B"], "-date": ["B", *ids[:0:-1]]}
    for order, expected in places.items():
        walked: list[CalendarEntry] = []
        while page := calendar.page(
            ALL, order, CalendarPlace(walked[-1].first_day, walked[-1].tournament) if walked else None, 2
        ):
            walked += page
        assert [one.tournament for one in walked] == expected, order


@SERVERS
def test_pages_are_read_from_an_index_on_postgresql(tmp_path: Path):
    plans: list[str] = []

    def explain(connection: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        if "calendar" in statement:
            cursor.execute("SET enable_seqscan = off; SET enable_sort = off")
            cursor.execute("EXPLAIN " + statement, parameters)
            plans.append("\n".join(row[0] for row in cursor.fetchall()))

    with database(tmp_path / "postgres") as postgres:
        writer, reader = open_url(postgres.url())
        sa.event.listen(reader, "before_cursor_execute", explain)
        calendar = DatabaseCalendar(reader, None, LEDGER)  # type: ignore[arg-type]
        for order in CALENDAR_ORDERS:
            for after in (None, CalendarPlace("2026-05-01", "a")):
                assert calendar.page(ALL, order, after, 10) == []
        with writer.begin() as connection:
            assert projections.mark_outdated(connection, LEDGER, CALENDAR) == []
        writer.dispose()
        reader.dispose()
    assert len(plans) == 6
    for plan in plans:
        assert "Index Scan" in plan and "Sort" not in plan, plan


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        (CalendarFilter(words=("zurich", "100%")), ["100%"]),
        (CalendarFilter(words=("_",)), []),
        (CalendarFilter(place=("hall",), date_from="2026-05-02"), ["x"]),
        (CalendarFilter(date_to="2026-05-01", game="chess"), ["100%"]),
        (CalendarFilter(current_on="2026-05-02"), ["x"]),
        (CalendarFilter(over_on="2026-05-02"), ["100%"]),
        (CalendarFilter(dated=True, state="running"), ["100%", "x"]),
    ],
)
def test_every_condition_must_be_met(calendar: CalendarLog, chosen: CalendarFilter, expected: list[str]):
    calendar.store([entry("100%"), entry("x", day="2026-05-02"), entry("unannounced", state="")], VERSION)
    assert found(calendar, chosen) == expected


def test_games_are_those_of_announced_tournaments(calendar: CalendarLog):
    calendar.store([entry("a"), entry("b", game="go"), entry("c", state="", game="")], VERSION)
    assert calendar.games() == ["chess", "go"]


def test_tournaments_of_the_log_are_missing_or_outdated(backend: Backend):
    log = backend.open()
    backend.append(log, count=2)
    backend.settle()
    log.calendar.store([entry("gone")], VERSION)
    assert (log.calendar.missing(VERSION), log.calendar.outdated(VERSION)) == (1, {"T": 2})
    log.calendar.store([entry("T", 1)], VERSION)
    assert (log.calendar.missing(VERSION), log.calendar.outdated(VERSION)) == (0, {"T": 2})
    log.calendar.store([entry("T", 2)], VERSION)
    assert log.calendar.outdated(VERSION) == {}
    log.calendar.mark_outdated()
    assert (found(log.calendar), log.calendar.outdated(VERSION)) == (["T"], {"T": 2})
