"""The end of an event: what its checklist finds open, the final table published by a form, and tables for spreadsheets."""

import csv
import re
from html import unescape
from io import StringIO

import pytest
from werkzeug.test import TestResponse

from tests.former_names import any_name_accepted
from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import Person, pair

PUBLICATION = "/t/<t>/publication"
CLOSING = "/t/<t>/closing"
LOST = {"kind": "set_marks", "white": {"points": 0}, "black": {"points": 1}}
HOSTILE = ("=1+1", "\u200b＝cmd|' /C calc'!A0", 'Anna "A", jr.', "+4\n-5", "<b>李娜</b>", "\u00a0@SUM(1)")


def state(person: Person, name: str) -> tuple[str, str]:
    """A line of the checklist: whether it is done, and the whole of its text."""
    found = re.search(
        rf'<li id="check-{name}" data-done="(\w+)"[^>]*>(.*?)</li>\n(?=<li id|</ol>)', person.sees(CLOSING).text, re.S
    )
    assert found, name
    return found[1], unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", found[2]))).strip()


def reported(call: Call, results: tuple[str, ...] = ("1-0", "1/2-1/2", "0-1"), round: int = 1) -> None:
    body = {"round": round, "results": [{"board": n, "result": r} for n, r in enumerate(results, 1)]}
    assert call("POST", "/v1/tournaments/<t>/results", body).status_code == 201


def read(answer: TestResponse) -> list[list[str]]:
    assert (answer.status_code, answer.mimetype) == (200, "text/csv")
    assert answer.data.startswith(b"\xef\xbb\xbf"), "Excel and WPS take it for UTF-8 by its mark"
    return list(csv.reader(StringIO(answer.data.decode("utf-8-sig"), newline="")))


def test_the_checklist_leads_to_the_form_that_settles_each_point(call: Call, comes: Comes, t: str):
    guest = comes(None)
    assert state(guest, "results") == (
        "no",
        "to do Results are missing Round 1, board 1: no result enter it Round 1, board 2: no result enter it "
        "Round 1, board 3: no result enter it",
    )
    page = guest.sees(CLOSING).text
    assert f'href="/t/{t}/rounds/1/boards/3/result"' in page and f'href="/t/{t}/rounds/2/pairing"' in page
    reported(call)
    assert state(guest, "results") == ("yes", "done Results: all are in")
    assert state(guest, "rounds")[1] == "to do Rounds: 1 of 5 are paired pair the next one"
    assert state(guest, "published")[0] == "no"
    assert call("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees", "which the page shows once it is made"
    assert state(guest, "audit")[0] == "yes"
    call("POST", "/v1/tournaments/<t>/rulings", {"player": 1, "round": 1, "infraction": "foul"})
    answer = call("POST", "/v1/tournaments/<t>/appeals", {"ruling": "r1", "by": 1, "grounds": "no foul"})
    assert answer.status_code == 201, answer.json
    assert state(guest, "appeals")[0] == "no"
    assert f'href="/t/{t}/rulings/r1"' in guest.sees(CLOSING).text
    assert re.search(r'href="[^"]*/appeals/[^"/]+/decision"', comes("appeals").sees(CLOSING).text)


def test_a_copy_of_the_event_is_one_click_from_its_end_and_from_the_desk_of_a_round(call: Call, comes: Comes, t: str):
    button = f'href="/v1/tournaments/{t}/archive" download'
    assert button in comes(None).sees(CLOSING).text and button in comes().sees("/t/<t>/rounds/1").text
    assert comes(None).sees(f"/v1/tournaments/{t}/archive").mimetype == "application/zip"


def test_the_final_table_is_published_by_a_button_and_told_to_hold_until_it_changes(call: Call, comes: Comes, t: str):
    reported(call)
    chief = comes("chief_arbiter")
    shown = chief.sees(PUBLICATION).text
    assert "Player 1" in shown and "After round 1: 6 players." in shown
    answer = chief.fills(PUBLICATION, final="yes")
    assert answer.status_code == 303, answer.text
    assert answer.headers["Location"].startswith(f"/t/{t}/closing?after=")
    events = call("GET", "/v1/tournaments/<t>/events?limit=500").json["events"]
    (published,) = [e["event"] for e in events if e["event"]["type"].startswith("arbiter.standings.published.")]
    assert (published["data"]["final"], published["data"]["round"]) == (True, 1)
    assert state(chief, "published")[0] == "yes"
    ruling = {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": LOST}
    assert call("POST", "/v1/tournaments/<t>/rulings", ruling).status_code == 201
    assert "changed since" in state(chief, "published")[1]


def test_a_table_so_far_is_published_and_does_not_close_the_event(call: Call, comes: Comes, t: str):
    reported(call)
    chief = comes("chief_arbiter")
    shown = chief.sees(PUBLICATION).text
    assert 'class="lead" name="final" value="no"' in shown and re.search(
        r"\d rounds? (is|are) still to be played", shown
    )
    assert chief.fills(PUBLICATION, final="no").status_code == 303
    assert state(chief, "published")[1].startswith("to do Standings: published after round 1 (event")
    pair(call, [[1, 3], [5, 2], [4, 6]])
    assert "changed since" in state(chief, "published")[1]


def test_what_keeps_a_table_from_being_final_is_told_by_the_form(call: Call, comes: Comes):
    answer = comes("chief_arbiter").fills(PUBLICATION, final="yes")
    assert answer.status_code == 409
    assert "round 1, board 1 has no result yet" in answer.text


def test_a_table_is_published_only_as_it_was_seen(call: Call, comes: Comes):
    chief = comes("chief_arbiter")
    fields = chief.opens(PUBLICATION) | {"final": "no"}
    reported(call)
    assert chief.sends(PUBLICATION, fields).status_code == 412
    assert chief.sends(PUBLICATION, chief.opens(PUBLICATION) | {"final": "perhaps"}).status_code == 422


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("arbiter", 403), ("auditor", 403)])
def test_who_may_not_publish_is_told_so(call: Call, comes: Comes, role, status: int):
    assert comes(role).fills(PUBLICATION, final="no").status_code == status


def test_a_tournament_without_regulations_or_unknown_is_a_page(comes: Comes):
    for path in (CLOSING, PUBLICATION, "/t/<t>/standings.csv", "/t/<t>/rounds/1.csv"):
        answer = comes().sees(path.replace("<t>", "nowhere"))
        assert (answer.status_code, answer.mimetype) == (404, "text/html")


@pytest.fixture
def hostile(call: Call) -> Call:
    players = [{"name": name, "rating": 2000 - n, "title": "GM", "federation": "CHN"} for n, name in enumerate(HOSTILE)]
    with any_name_accepted():
        answer = call("POST", "/v1/tournaments/<t>/entries", {"players": players})
    assert answer.status_code == 201, answer.json
    return call


def test_no_cell_of_a_spreadsheet_is_a_formula_and_numbers_are_numbers(hostile: Call, comes: Comes, t: str):
    reported(hostile)
    guest = comes(None)
    answer = guest.sees("/t/<t>/standings.csv")
    head, *rows = read(answer)
    assert re.search(rf'filename="{t}\.standings\.\d+\.csv"', answer.headers["Content-Disposition"])
    assert head[:8] == ["Rank", "No.", "Player", "Title", "Rating", "Federation", "Unit", "Points"]
    table = hostile("GET", "/v1/tournaments/<t>/standings").json["players"]
    assert [float(row[7]) for row in rows] == [p["points"] for p in table]
    assert [row[2].lstrip("'") for row in rows] == [p["name"].lstrip("'") for p in table]
    for row in rows:
        for cell in row:
            seen = cell.lstrip("\u200b\u00a0 \t\r\n")
            assert not seen.startswith(("=", "+", "@", "＝")), row
    assert {row[4] for row in rows} >= {"2000", "1995"}
    for path in ("/t/<t>/crosstable.csv", "/t/<t>/rounds/1.csv"):
        assert all(not cell.startswith(("=", "+", "@", "-")) for row in read(guest.sees(path)) for cell in row)


def test_each_table_is_a_file_in_the_language_of_its_reader(call: Call, comes: Comes):
    reported(call, ("1-0", "+/-", "-/-"))
    guest = comes(None)
    head, *rows = read(guest.sees("/t/<t>/rounds/1.csv"))
    assert head == ["Board", "No.", "Red", "Unit", "Points", "Result", "No.", "Black", "Unit", "Points"]
    assert [row[5] for row in rows] == ["1 – 0", "'+ : −", "− : −"]
    assert [row[2] for row in rows] == ["Player 1", "Player 3", "Player 5"]
    head, *rows = read(guest.sees("/t/<t>/crosstable.csv"))
    assert head == ["Rank", "No.", "Player", "Unit", "Points", "1"]
    crossed = call("GET", "/v1/tournaments/<t>/crosstable").json["players"]
    met, colours = [p["rounds"][0] for p in crossed], {"white": "r", "black": "b"}
    assert [row[-1] for row in rows] == [
        f"{r['opponent']}{colours[r['side']]}{r['result'].replace('-', '−')}" for r in met
    ], "entry and starting numbers are equal here"
    guest.client.set_cookie("arbiter_language", "zh-CN")
    assert read(guest.sees("/t/<t>/standings.csv"))[0][:3] == ["名次", "编号", "棋手"]


def test_a_bye_has_as_many_cells_as_a_board(call: Call, comes: Comes, t: str):
    """All lines of CSV have the same number of fields (RFC 4180, 2.4)."""
    reported(call)
    for player in (1, 2):
        bye = {"player": player, "round": 2, "kind": "H"}
        assert call("POST", "/v1/tournaments/<t>/byes", bye).status_code == 201
    pair(call, [[3, 5], [6, 4]])
    head, *rows = read(comes(None).sees("/t/<t>/rounds/2.csv"))
    assert {len(row) for row in rows} == {len(head)}
    assert any(not row[0] for row in rows), "a row of who sits out"


def test_the_checklist_is_in_one_language(call: Call, comes: Comes):
    guest = comes(None)
    guest.client.set_cookie("arbiter_language", "zh-CN")
    text = re.sub(
        r"<[^>]+>", "", guest.sees(CLOSING).text.partition('<ol class="checklist">')[2].partition("</main>")[0]
    )
    assert not set(re.findall("[A-Za-z]{3,}", unescape(text))) - {"CSV", "TRF", "chief", "arbiter"}, text
