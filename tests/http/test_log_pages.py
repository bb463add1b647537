"""The pages of the log: lines chosen by a form, a line jumped to, the time line; and what each line changed."""

import re
from collections.abc import Callable, Iterator
from html import unescape
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient

from services.standings.descriptions import log_filter
from tests.played import Played, a_desk, an_app, spring_cup

EMPTY = "type=&player=&round=&board=&role=&actor=&since=&until="


@pytest.fixture(scope="module")
def cup(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, Played]]:
    data = tmp_path_factory.mktemp("log")
    desk = a_desk(data)
    played = spring_cup(desk)
    yield an_app(data, desk).test_client(), played
    desk.close()


@pytest.fixture
def page(cup) -> Callable[[str], str]:
    """The HTML of a page of the cup, in English."""

    def of(path: str) -> str:
        answer = cup[0].get(f"/t/cup/{path}", headers={"Accept-Language": "en"})
        assert answer.status_code == 200, answer.text
        return answer.text

    return of


def shown(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html.partition("<main")[2])).split())


def seqs(html: str) -> list[int]:
    return [int(seq) for seq in re.findall(r'<li id="l(\d+)"', html)]


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        (EMPTY, list(range(1, 21))),
        ("type=arbiter.ruling.annulled.v1", [17]),
        ("player=5&round=1", [10]),
        ("round=2&board=2", [19, 20]),
        ("role=appeals", [17]),
        ("actor=li.wei&type=arbiter.ruling.made.v2", [12, 13, 14]),
        ("actor= LI.WEI &type=arbiter.ruling.made.v2", [12, 13, 14]),
        ("since=2999-01-01", []),
        ("until=1999-12-31", []),
        ("since=1999-12-31&until=2999-01-01&role=appeals", [17]),
    ],
)
def test_the_form_of_the_log_chooses_lines_and_fields_left_empty_choose_all(page, query: str, lines: list[int]):
    assert seqs(page(f"log?{query}")) == lines


def test_a_page_of_chosen_lines_keeps_what_was_asked_and_says_how_far_it_has_looked(page, monkeypatch):
    monkeypatch.setattr(log_filter, "SCANNED_AT_MOST", 15)
    first = page("log?actor=board&round=1")
    assert seqs(first) == [] and "Events 1 to 15 of 20 were searched." in shown(first)
    later = unescape(re.search(r'rel="next" href="([^"]+)"', first)[1])
    assert "actor=board" in later and "round=1" in later
    second = page(later.removeprefix("/t/cup/"))
    assert seqs(second) == [17] and "From the beginning" in shown(second)


def test_a_day_is_one_of_the_hall(cup, page):
    day = cup[1].desk.lines("tournaments/cup")[0].line.split(b'"time":"')[1][:10].decode()
    assert seqs(page(f"log?since={day}&until={day}&role=appeals")) == [17]


@pytest.mark.parametrize(
    ("query", "named"),
    [
        ("since=2026-02-30", "since"),
        ("player=x", "player"),
        ("type=nothing", "type"),
        ("since=2026-02-02&until=2026-02-01", "until"),
    ],
)
def test_what_cannot_be_asked_is_told_on_a_page(cup, query: str, named: str):
    answer = cup[0].get(f"/t/cup/log?{query}", headers={"Accept-Language": "en"})
    assert answer.status_code == 422 and named in answer.text


def test_a_line_is_jumped_to(cup):
    answer = cup[0].get("/t/cup/log?line=17")
    assert answer.status_code == 303 and answer.headers["Location"].endswith("/t/cup/log#l17")
    for wrong, status in (("99", 404), ("x", 422), ("0", 422)):
        assert cup[0].get(f"/t/cup/log?line={wrong}").status_code == status


def test_the_time_line_counts_what_happened_between_one_pairing_and_the_next(page):
    told = shown(page("timeline"))
    assert "Before the first round events 1 to 9" in told
    first = told.partition("Round 1")[2].partition("Round 2")[0]
    assert re.search(r"Ruling made 4 .*\( 12 \) .*\( 15 \)", first), first
    assert "Ruling annulled 1" in first and "Standings published 1" in first
    assert told.partition("Round 2")[2].count("Result reported 1") == 1


def test_the_time_line_goes_on_where_it_ended_and_knows_the_past(tmp_path):
    desk = a_desk(tmp_path)
    cup = spring_cup(desk)
    client = an_app(tmp_path, desk).test_client()

    def rounds(query: str = "") -> list[str]:
        text = client.get(f"/t/cup/timeline{query}", headers={"Accept-Language": "en"}).text
        return re.findall(r"events \d+ to \d+", text)

    assert rounds() == ["events 1 to 9", "events 10 to 18", "events 19 to 20"]
    cup.report(2, "1-0", "*")
    assert rounds() == ["events 1 to 9", "events 10 to 18", "events 19 to 21"]
    assert rounds("?at=12") == ["events 1 to 9", "events 10 to 12"]
    assert rounds() == ["events 1 to 9", "events 10 to 18", "events 19 to 21"]
    desk.close()


def test_a_line_says_what_it_changed_in_the_table(page):
    told = shown(page("log/15"))
    assert "round 1 against José Núñez : none → 1" in told, "the third foul loses a game that was open"
    assert "The standings did not change." in shown(page("log/16"))
    assert "The standings did not exist yet." in shown(page("log/1"))
    assert "entered" in shown(page("log/5"))


def test_beneath_what_changed_each_code_of_a_tie_break_is_told_without_a_pointer(page):
    html = page("log/15")
    codes = set(re.findall(r"<abbr [^>]*>([^<]+)</abbr>", html.partition('id="changes"')[2].partition("</table>")[0]))
    told = dict(
        re.findall(r"<li><b>([^<]+)</b> ([^<]+)</li>", html.partition('class="facts legend"')[2].partition("</ul>")[0])
    )
    abbreviations = {code for code in codes if code.isupper()}
    assert abbreviations and set(told) == abbreviations and all(told.values())


def test_a_line_that_was_decided_before_any_other_stood_says_so(page):
    log = shown(page("log"))
    assert "based on an empty log" in log and "based on event 16" in log and "based on event 0" not in log


def test_a_line_says_what_its_decider_had_seen_and_what_came_between(cup, page):
    root = cup[1].desk.root("cup", 16).hex()
    told = shown(page("log/17"))
    assert "The log up to event 16" in told
    assert f"Nothing before it can be changed without notice: {root}" in told
    assert "Nothing was written between that event and the decision." in told


def test_the_line_as_it_is_stored_is_folded_and_words_stand_before_it(page):
    html = page("log/17")
    assert "<details><summary>The event as it is stored</summary><pre>" in html
    assert html.index("Ruling r2 is annulled") < html.index("<pre>")
    assert "What if r5 had not been made?" in shown(html)


def test_a_line_that_is_not_there_is_told(cup):
    assert [cup[0].get(f"/t/cup/log/{seq}").status_code for seq in (0, 21)] == [404, 404]


def test_every_link_of_the_log_stays_in_the_tournament(page):
    links = {urlsplit(unescape(href)).path for href in re.findall(r'<a class="seq" href="([^"]+)"', page("log"))}
    assert links == {f"/t/cup/log/{seq}" for seq in range(1, 21)}
