"""Finding tournaments: the filtered list, its order and pages, the calendar feed, and the front page."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from time import thread_time
from typing import Any, get_type_hints
from urllib.parse import quote, urlencode
from zlib import crc32

import pytest
import sqlalchemy as sa

from services.standings.tables.calendar.entries import VERSION, FirstEvent
from services.standings.tables.calendar.icalendar import Occasion, icalendar
from services.standings.tables.calendar.projection import project_outdated, rebuild
from shared.core.rulebook.ranking_rules import StageRule
from shared.core.terms import Conditions, TeamConditions, TimeControl
from shared.desk.replay import View
from shared.desk.views import stream_of
from shared.http.app import close
from shared.http.common_routes import RegulationsInForceAnswer, TournamentAnswer
from shared.log.calendar import CalendarEntry, CalendarFilter
from shared.log.sql.tables import CALENDAR
from tests.log.distributed import until
from tests.people import PeopleHall

EVENTS: dict[str, dict[str, Any]] = {
    "spring": {"name": "春季杯 Spring Cup", "place": "Zürich", "begins": "2026-03-07", "ends": "2026-03-08"},
    "autumn": {"name": "Autumn Cup", "place": "北京体育馆", "begins": "2026-10-10", "ends": "2026-10-12"},
    "league": {"name": "League 100%", "game": "xiangqi", "regulations": "campus", "begins": "2026-01-10", "ends": "2026-12-20"},
    "undated": {"name": "Club evening", "place": "Zurich West"},
}  # fmt: skip
FINISHED, RUNNING = "spring", "league"


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopleHall]:
    """Yield an embedded server with a finished, a running and two announced tournaments."""
    hall = PeopleHall(tmp_path_factory.mktemp("calendar"))
    for t, more in EVENTS.items():
        hall.begin(t, *(("Anna", "Berta") if t in (FINISHED, RUNNING) else ()), rounds=1, **more)
    hall.play(FINISHED, 1, 1, 2, "1-0")
    hall.tell(f"/v1/tournaments/{FINISHED}/publications", {"final": True})
    hall.tell(f"/v1/tournaments/{RUNNING}/rounds", {"boards": [[1, 2]], "reason": "as drawn"})
    settle(hall)
    yield hall
    close(hall.app)


def settle(hall: PeopleHall) -> None:
    """Wait until the calendar includes every event. A request waits for at most a second."""
    calendar = hall.app.extensions["arbiter"].desk.log.calendar
    until(lambda: not calendar.outdated(VERSION))


def listed(hall: PeopleHall, **query: str) -> list[str]:
    settle(hall)
    return [t["id"] for t in hall.get(f"/v1/tournaments?{urlencode(query)}")["tournaments"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"state": "announced"}, ["autumn", "undated"]),
        ({"state": "running"}, ["league"]),
        ({"state": "finished"}, ["spring"]),
        ({"game": "xiangqi"}, ["league"]),
        ({"game": "go"}, []),
        ({"q": "CUP"}, ["autumn", "spring"]),
        ({"q": "cup spring"}, ["spring"]),
        ({"q": "chunji"}, ["spring"]),
        ({"q": "体育"}, ["autumn"]),
        ({"q": "league xiangqi"}, ["league"]),
        ({"q": "Anna"}, []),
        ({"q": "100%"}, ["league"]),
        ({"q": "%"}, ["league"]),
        ({"q": "_"}, []),
        ({"place": "zurich"}, ["spring", "undated"]),
        ({"place": "zürich west"}, ["undated"]),
        ({"place": "cup"}, []),
        ({"date_from": "2026-03-08", "date_to": "2026-03-31", "game": "chess"}, ["spring"]),
        ({"date_from": "2026-03-09", "date_to": "2026-10-09"}, ["league"]),
        ({"date_to": "2026-01-09"}, []),
        ({"state": "announced", "q": "cup", "place": "北京"}, ["autumn"]),
        ({"order": "id"}, ["autumn", "league", "spring", "undated"]),
    ],
)
def test_conditions_choose_tournaments(hall: PeopleHall, query: dict[str, str], found: list[str]):
    assert listed(hall, **query) == found


def test_list_is_ordered_by_first_day(hall: PeopleHall):
    dated = ["league", "spring", "autumn"]
    assert listed(hall, order="date", date_to="2026-10-31") == dated
    assert listed(hall, order="-date", date_to="2026-10-31") == dated[::-1]


def test_found_row_equals_the_tournament(hall: PeopleHall):
    for row in hall.get("/v1/tournaments?order=date")["tournaments"]:
        assert row == hall.get(f"/v1/tournaments/{row['id']}")
    (spring,) = hall.get("/v1/tournaments?q=spring")["tournaments"]
    assert (spring["state"], spring["place"], spring["begins"], spring["ends"], spring["time_zone"]) == (
        "finished", "Zürich", "2026-03-07", "2026-03-08", None,
    )  # fmt: skip


def test_list_without_conditions_keeps_its_scheme(hall: PeopleHall):
    first = hall.get("/v1/tournaments?limit=3")
    assert first["next"] == "/v1/tournaments?from=spring&limit=3"
    assert [t["id"] for t in hall.get(first["next"])["tournaments"]] == ["undated"]


def followed(hall: PeopleHall, path: str | None) -> list[Any]:
    """Return the tournaments of a page and of all pages after it."""
    rows: list[Any] = []
    while path is not None:
        page = hall.get(path)
        rows, path = rows + page["tournaments"], page["next"]
    return rows


@pytest.mark.parametrize("order", ["id", "date", "-date"])
def test_pages_list_each_tournament_once(hall: PeopleHall, order: str):
    found = [t["id"] for t in followed(hall, f"/v1/tournaments?limit=1&order={order}&q=u")]
    assert found == listed(hall, order=order, q="u") and len(found) == 4


@pytest.mark.parametrize("order", ["date", "-date"])
def test_tournament_created_between_two_pages_moves_no_other(tmp_path: Path, order: str):
    hall = PeopleHall(tmp_path)
    for n in (2, 4, 6, 8):
        hall.begin(f"t{n}", begins=f"2026-05-0{n}")
    settle(hall)
    first = hall.get(f"/v1/tournaments?order={order}&limit=2")
    for n in (1, 3, 5, 9):
        hall.begin(f"t{n}", begins=f"2026-05-0{n}")
    settle(hall)
    shown = [t["id"] for t in first["tournaments"] + followed(hall, first["next"])]
    assert len(shown) == len(set(shown)) and {"t2", "t4", "t6", "t8"} <= set(shown)
    close(hall.app)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("state=open", "state"),
        ("game=Chess!", "game"),
        ("date_from=7.3.2026", "date_from"),
        ("date_to=2026-02-30", "date_to"),
        ("date_from=", "date_from"),
        ("date_from=2026-03-08&date_to=2026-03-07", "date_to"),
        (f"q={'x' * 201}", "q"),
        (f"q={'+'.join('abcdefghijk')}", "q"),
        (f"place={'x' * 201}", "place"),
        ("q=a&q=b", "q"),
        ("q=%00", "q"),
        ("order=name", "order"),
        ("limit=501&order=id", "limit"),
        ("from=autumn&order=id", "from"),
        ("colour=red", "colour"),
        ("cursor=YQ", "cursor"),
        ("cursor=ZDE6MjAyNi0wMS0wMS8A", "cursor"),
    ],
)
def test_invalid_query_is_rejected_by_name(hall: PeopleHall, query: str, field: str):
    assert field in hall.get(f"/v1/tournaments?{query}", status=422)["errors"]


def test_withdrawn_pairing_changes_the_state_back(tmp_path: Path):
    hall = PeopleHall(tmp_path)
    hall.begin("a", "Anna", "Berta")
    assert listed(hall, state="announced") == ["a"]
    hall.tell("/v1/tournaments/a/rounds", {"boards": [[1, 2]], "reason": "as drawn"})
    assert (listed(hall, state="announced"), listed(hall, state="running")) == ([], ["a"])
    hall.tell("/v1/tournaments/a/rounds/1/withdrawal", {"reason": "drawn wrongly"})
    assert (listed(hall, state="announced"), listed(hall, state="running")) == (["a"], [])
    close(hall.app)


def test_entries_of_another_version_are_computed_again(tmp_path: Path):
    hall = PeopleHall(tmp_path)
    hall.begin("x")
    assert listed(hall, q="event") == ["x"]
    log = hall.app.extensions["arbiter"].desk.log
    stored = log.calendar.outdated(VERSION)
    log.calendar.mark_outdated()
    assert (stored, log.calendar.outdated(VERSION).keys(), log.calendar.missing(VERSION)) == ({}, {"x"}, 1)
    close(hall.app)
    again = PeopleHall(tmp_path)
    assert listed(again, q="event") == ["x"]
    close(again.app)


def test_compressed_tournament_is_found_as_before(tmp_path: Path):
    hall = PeopleHall(tmp_path)
    hall.begin("x", "Anna", "Berta", rounds=1)
    hall.play("x", 1, 1, 2, "1-0")
    hall.tell("/v1/tournaments/x/publications", {"final": True})
    assert listed(hall, state="finished") == ["x"]
    desk = hall.app.extensions["arbiter"].desk
    before = desk.log.calendar.page(CalendarFilter(), "id", None, 2)
    desk.log.compress("x", [stream_of("x")])
    assert desk.log.calendar.outdated(VERSION) == {} and listed(hall, state="finished") == ["x"]
    assert rebuild(desk.log, desk.folds) == 1 and desk.log.calendar.page(CalendarFilter(), "id", None, 2) == before
    close(hall.app)


def test_incomplete_list_is_reported(hall: PeopleHall, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("services.standings.tables.calendar.calendar_query.Calendar.count_missing", lambda self: 3)
    answer = hall.call("GET", "/v1/tournaments?order=date", role=None)
    assert (answer.status_code, answer.json["type"]) == (503, "urn:arbiter:problem:list-incomplete")
    assert answer.headers["Retry-After"] and hall.get("/v1/tournaments")["tournaments"]
    assert "3 tournaments are still missing" in hall.call("GET", "/", role=None).text


def test_list_is_complete_without_a_tournament_that_cannot_be_replayed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    hall = PeopleHall(tmp_path)
    hall.begin("x", "Anna", "Berta", rounds=1)
    hall.begin("y", "Anna", "Berta", rounds=1)
    desk, path = hall.app.extensions["arbiter"].desk, "services.standings.tables.calendar.projection"
    computed = import_module(path).calendar_entry

    def failing(view: View, first: FirstEvent) -> CalendarEntry:
        assert view.state.id != "x", "x cannot be replayed"
        return computed(view, first)

    with monkeypatch.context() as planted:
        planted.setattr(f"{path}.calendar_entry", failing)
        with desk.log.transaction() as tx:
            tx.connection.execute(sa.delete(CALENDAR))
        project_outdated(desk.log, desk.folds)
        assert desk.log.calendar.missing(VERSION) == 0 and desk.log.calendar.outdated(VERSION).keys() == {"x"}
        assert [t["id"] for t in hall.get("/v1/tournaments?q=event")["tournaments"]] == ["y"]
    # when it can be replayed again, the next start finds it
    close(hall.app)
    again = PeopleHall(tmp_path)
    assert listed(again, q="event") == ["x", "y"]
    close(again.app)


def test_stored_rows_have_the_members_of_their_version():
    kinds = (TournamentAnswer, RegulationsInForceAnswer, StageRule, Conditions, TeamConditions, TimeControl)
    names = [name for kind in kinds for name in get_type_hints(kind)]
    assert (VERSION, crc32(" ".join(names).encode())) == (1, 3667407663), "raise VERSION with a change of the members"


# ---------------------------------------------------------------- feed


def feed(hall: PeopleHall, query: str = "") -> list[str]:
    """Return the lines of the feed, unfolded."""
    answer = hall.call("GET", f"/v1/calendar.ics{query}", role=None)
    assert answer.status_code == 200 and answer.mimetype == "text/calendar"
    assert all(len(line) <= 75 for line in answer.data.split(b"\r\n"))
    return answer.data.decode().replace("\r\n ", "").split("\r\n")


def test_feed_has_an_event_for_each_dated_tournament(hall: PeopleHall):
    lines = feed(hall)
    assert (lines[:2], lines[-2:]) == (["BEGIN:VCALENDAR", "VERSION:2.0"], ["END:VCALENDAR", ""])
    names = [line for line in lines if line.startswith("SUMMARY:")]
    assert names == ["SUMMARY:Autumn Cup", "SUMMARY:春季杯 Spring Cup", "SUMMARY:League 100%"]
    spring = lines[lines.index(names[1]) - 6 : lines.index("END:VEVENT", lines.index(names[1]))]
    assert "DTSTART;VALUE=DATE:20260307" in spring and "DTEND;VALUE=DATE:20260309" in spring
    assert "LOCATION:Zürich" in spring and "URL:http://localhost/t/spring" in spring
    assert re.fullmatch(r"DTSTAMP:\d{8}T\d{6}Z", next(line for line in spring if line.startswith("DTSTAMP")))


def test_uid_is_the_id_of_the_first_event(hall: PeopleHall):
    first = hall.get("/v1/tournaments/autumn/events?limit=1")["events"][0]["event"]["id"]
    assert f"UID:{first}" in feed(hall, f"?q={quote('体育')}")


def test_feed_is_not_sent_again_if_unchanged(hall: PeopleHall):
    tag = hall.call("GET", "/v1/calendar.ics", role=None).headers["ETag"]
    assert hall.call("GET", "/v1/calendar.ics", role=None, If_None_Match=tag).status_code == 304
    assert hall.get("/v1/calendar.ics?state=open", status=422)["errors"].keys() == {"state"}


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a, b; c\\d", r"SUMMARY:a\, b\; c\\d"),
        ("one\ntwo\r\x07", r"SUMMARY:one\ntwo"),
        ("全国\u3000象棋\u00a0A", "SUMMARY:全国 象棋 A"),
        ("👩\u200d🎓", "SUMMARY:👩\u200d🎓"),
        ("x" * 67, f"SUMMARY:{'x' * 67}"),
        ("x" * 68, f"SUMMARY:{'x' * 67}\r\n x"),
        ("杯" * 23, f"SUMMARY:{'杯' * 22}\r\n 杯"),
        ("é" * 60, f"SUMMARY:{'é' * 33}\r\n {'é' * 27}"),
    ],
)
def test_texts_are_escaped_and_folded(text: str, written: str):
    one = Occasion("u", "2026-01-02T03:04:05.678901Z", "2026-12-31", "9999-12-31", text, "", "chess", "http://x/")
    content = icalendar("Tournaments", [one]).decode()
    assert f"\r\n{written}\r\n" in content
    assert "DTSTAMP:20260102T030405Z" in content and "LOCATION" not in content


# ---------------------------------------------------------------- front page


@pytest.fixture
def today(hall: PeopleHall, monkeypatch: pytest.MonkeyPatch) -> str:
    day = "2026-09-01"
    monkeypatch.setattr(hall.app.extensions["arbiter"].desk, "now", lambda: f"{day}T12:00:00.000000Z")
    return day


def sections(page: str) -> dict[str, list[str]]:
    """Return the tournaments of the front page by heading."""
    parts = re.split(r"<h2>(.*?)</h2>", page)[1:]
    return {
        heading: re.findall(r'<h3><a href="/t/(\w+)"', part)
        for heading, part in zip(parts[::2], parts[1::2], strict=True)
    }


def test_front_page_lists_now_coming_and_earlier(hall: PeopleHall, today: str):
    page = hall.call("GET", "/", role=None).text
    assert sections(page) == {
        "Now playing": ["league"],
        "Not begun yet": ["autumn", "undated"],
        "Earlier tournaments": ["spring"],
    }
    assert "1 board open" in page and "round 1 of 1" in page
    assert "正在进行" in hall.call("GET", "/", role=None, Accept_Language="zh-CN").text


def test_search_on_the_front_page_lists_what_was_found(hall: PeopleHall, today: str):
    page = hall.call("GET", "/?q=cup&state=&game=&date_from=&date_to=&order=date", role=None).text
    assert sections(page) == {"Tournaments found": ["spring", "autumn"]}
    assert 'value="cup"' in page and 'href="/v1/calendar.ics?q=cup"' in page
    assert "No tournament was found." in hall.call("GET", "/?q=nothing", role=None).text


def test_invalid_search_on_the_front_page_is_explained(hall: PeopleHall):
    answer = hall.call("GET", "/?date_from=tomorrow", role=None)
    assert answer.status_code == 422 and "must be a date such as 2026-03-07" in answer.text


# ---------------------------------------------------------------- 10,000 tournaments

MOST_SECONDS = 0.1
"""CPU time of an answer."""


@pytest.fixture(scope="module")
def federation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopleHall]:
    """Yield a server with one tournament, and the entries of 10,000 that are like it."""
    hall = PeopleHall(tmp_path_factory.mktemp("federation"))
    hall.begin("t", "Anna", "Berta", place="体育馆 Sports hall", begins="2026-01-01")
    listed(hall, order="id")
    calendar = hall.app.extensions["arbiter"].desk.log.calendar
    (one,) = calendar.page(CalendarFilter(), "id", None, 2)
    states = ("announced", "running", "finished", "finished", "finished")
    days = [f"20{year}-{month:02}-{day:02}" for year in range(20, 30) for month in range(1, 13) for day in range(1, 29)]
    entries = [
        one._replace(
            tournament=f"t{n:05}",
            uid=f"{n}",
            state=states[n % 5],
            first_day=days[n % len(days)],
            last_day=days[n % len(days)],
            current_until="" if states[n % 5] == "finished" else days[n % len(days)],
            words=f"{one.words} {n}",
            content=one.content.replace(b'"id":"t"', f'"id":"t{n:05}"'.encode()),
        )
        for n in range(10_000)
    ]
    calendar.store(entries, VERSION)
    yield hall
    close(hall.app)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?q=hall+9",
        "/v1/tournaments?order=date",
        "/v1/tournaments?order=-date&limit=100&state=finished&date_to=2023-01-01",
        "/v1/tournaments?q=nowhere",
        "/v1/tournaments?q=tiyuguan+9999&place=sports",
        "/v1/calendar.ics?q=hall",
    ],
)
def test_answer_among_10_000_tournaments_takes_little_time(federation: PeopleHall, path: str):
    client, seconds = federation.app.test_client(), []
    for _ in range(6):
        began = thread_time()
        assert client.get(path).status_code == 200
        seconds.append(thread_time() - began)
    assert min(seconds) < MOST_SECONDS, seconds
