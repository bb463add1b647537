"""The log by what is asked for: type, player, round, board, role and time; over HTTP, whole, by pages and as it comes."""

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from services.standings.descriptions import log_filter
from services.standings.descriptions.log_filter import LogFilter, log_page
from shared.core.state.tournament import Tournament
from shared.log.port import Row
from tests.played import Played, a_desk, an_app, spring_cup

T = "/v1/tournaments/cup"


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, Played]]:
    data = tmp_path_factory.mktemp("filters")
    desk = a_desk(data)
    played = spring_cup(desk)
    yield an_app(data, desk).test_client(), played
    desk.close()


@pytest.fixture
def seqs(cup: tuple[FlaskClient, Played]) -> Callable[[str], list[int]]:
    """The lines that a query chooses."""

    def of(query: str) -> list[int]:
        answer = cup[0].get(f"{T}/events?{query}")
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return [line["seq"] for line in answer.get_json()["events"]]

    return of


@pytest.mark.parametrize("media", ["application/json", "application/x-ndjson", "text/event-stream"])
def test_a_last_event_id_that_is_none_is_refused_also_of_an_answer_that_is_not_live(cup, media: str):
    answer = cup[0].get(f"{T}/events", headers={"Last-Event-ID": "nw.,", "Accept": media})
    assert (answer.status_code, answer.json["type"]) == (422, "urn:arbiter:problem:bad-last-event-id")


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("board=1", [10, 11, 19]),
        ("board=2", [10, 12, 13, 14, 15, 17, 18, 19, 20]),
        ("board=2&round=2", [19, 20]),
        ("board=2&round=1&player=1", [10]),
        ("board=9", []),
        ("role=appeals", [17]),
        ("actor=board", [17]),
        ("actor=rulebook&round=1", [15]),
        ("role=rulebook,appeals", [15, 17]),
        ("role=chief_arbiter&round=1", [10, 16]),
        ("role=arbiter&type=arbiter.ruling.made.v2", [12, 13, 14]),
    ],
)
def test_lines_are_chosen_by_board_and_role_and_all_that_is_asked_must_fit(seqs, query: str, lines: list[int]):
    assert seqs(query) == lines


def test_lines_are_chosen_by_time_with_both_ends_and_in_any_offset(cup, seqs):
    rows = cup[1].desk.lines("tournaments/cup")
    times = [json.loads(row.line)["time"] for row in rows]
    first, last = times[9], times[10]
    assert seqs(f"since={first}&until={last}") == [n for n, time in enumerate(times, 1) if first <= time <= last]
    assert seqs(f"until={first}")[-1] >= 10
    hour, rest = int(first[11:13]), first[13:-1]
    if hour < 16:
        eastern = quote(f"{first[:11]}{hour + 8:02}{rest}+08:00", safe="")
        assert seqs(f"since={eastern}") == seqs(f"since={first}")
    assert seqs("since=2999-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    ("query", "field", "named"),
    [
        ("type=arbiter.game.lost.v1", "type", "arbiter.game.lost.v1"),
        ("role=referee", "role", "referee"),
        ("role=arbiter,arbiter", "role", "twice"),
        ("player=0", "player", "1"),
        ("round=two", "round", "integer"),
        ("board=0", "board", "1"),
        ("board=-1", "board", "1"),
        ("since=yesterday", "since", "2026-05-01T09:30:00Z"),
        ("since=2026-05-01T09:30:00", "since", "offset"),
        ("until=2026-05-01T09:30:00 08:00", "until", "%2B"),
        ("until=2026-13-01T09:30:00Z", "until", "offset"),
        ("since=2026-05-02T00:00:00Z&until=2026-05-01T00:00:00Z", "until", "before since"),
        ("actor=", "actor", "1"),
    ],
)
@pytest.mark.parametrize("media", ["application/json", "application/x-ndjson", "text/event-stream"])
def test_what_nobody_can_ask_for_is_refused_by_name(cup, query: str, field: str, named: str, media: str):
    answer = cup[0].get(f"{T}/events?{query}", headers={"Accept": media})
    assert answer.status_code == 422
    assert named in str(answer.get_json()["errors"][field])


def test_an_export_has_the_chosen_lines_byte_for_byte(cup):
    client, played = cup
    answer = client.get(f"{T}/events?role=appeals", headers={"Accept": "application/x-ndjson"})
    assert answer.data == played.desk.lines("tournaments/cup", 16, 17)[0].line + b"\n"


def test_a_stream_tells_the_chosen_lines_only(cup):
    headers = {"Accept": "text/event-stream"}
    answer = cup[0].get(f"{T}/events?board=2&round=2", headers=headers, buffered=False)
    found = b""
    for piece in answer.iter_encoded():
        found += piece
        if b"id: 20\n" in found:
            break
    answer.close()
    assert [line for line in found.split(b"\n") if line.startswith(b"id: ")] == [b"id: 19", b"id: 20"]


@pytest.fixture(scope="module")
def rows(cup: tuple[FlaskClient, Played]) -> tuple[list[Row], Tournament]:
    view = cup[1].desk.view("cup")
    assert view is not None
    return cup[1].desk.lines("tournaments/cup"), view.tournament


@given(
    st.integers(1, 7),
    st.integers(1, 9),
    st.sampled_from(
        [
            LogFilter(),
            LogFilter(player=4),
            LogFilter(board=2),
            LogFilter(roles=frozenset({"appeals"})),
            LogFilter(round=2, board=1),
            LogFilter(player=99),
        ]
    ),
)
def test_pages_of_any_size_have_every_chosen_line_once_and_look_at_no_more_lines_than_they_may(
    rows, limit: int, scanned: int, chosen: LogFilter
):
    log, t = rows
    looked: list[int] = []

    def lines(after: int, upto: int) -> list[Row]:
        looked.append(upto - after)
        return log[after:upto]

    found: list[int] = []
    after: int | None = 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(log_filter, "SCANNED_AT_MOST", scanned)
        while after is not None:
            looked.clear()
            page = log_page(lines, t, chosen, after=after, upto=len(log), limit=limit)
            assert sum(looked) <= scanned and len(page.rows) <= limit
            assert page.next is None or page.next > after
            found += [row.seq for row in page.rows]
            after = page.next
    assert found == [row.seq for row in log if chosen.fits(t, row)]


@pytest.mark.parametrize("line", [b"", b"{}", b"\xff", b'{"type":"x","role":"arbiter","time":"soon"}'])
def test_a_line_that_cannot_be_read_is_chosen_only_where_nothing_is_asked_for(rows, line: bytes):
    log, t = rows
    unreadable = log[0]._replace(line=line)
    assert LogFilter().fits(t, unreadable)
    for asked in ({"player": 1}, {"roles": frozenset({"organiser"})}, {"types": frozenset({"y"})}):
        assert not LogFilter(**asked).fits(t, unreadable)


def test_a_filter_of_a_page_stands_in_the_address_of_the_next(cup):
    client, _ = cup
    found: list[Any] = []
    url: str | None = f"{T}/events?role=arbiter&limit=2"
    while url is not None:
        answer = client.get(url)
        page = answer.get_json()
        assert answer.headers.get("Link") == (None if page["next"] is None else f'<{page["next"]}>; rel="next"')
        found += [line["event"]["role"] for line in page["events"]]
        url = page["next"]
    assert found == ["arbiter"] * 6
