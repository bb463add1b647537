"""Whole events in a browser, in Chinese: from the first login to the signed report, by mouse and keyboard alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.browser.city_cup import ABSENT, LEAVER, Day
from tests.browser.counted import compare_or_store, counting
from tests.browser.event_desk import EventDesk
from tests.browser.record_book import RecordBook
from tests.browser.serving import click, served
from tests.browser.test_papers import printed

pytestmark = pytest.mark.xdist_group("browser")
FAMILIES = "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董曹"
GIVEN = ("建国", "志强", "文博", "思远", "雨桐", "子涵", "一鸣", "浩然", "嘉怡", "晓东")
CITIES = ("北京", "上海", "广东", "浙江", "江苏", "四川", "湖北", "河北", "福建", "山东")
UNITS = [f"{city}{kind}" for city in CITIES for kind in ("棋院", "体校", "协会")]
"""30 families and 10 given names are 300 players, of 30 units."""


@contextmanager
def opened(browser: Chrome, data: Path, event: str) -> Iterator[tuple[EventDesk, str]]:
    """Yield the desk of a new server, and the link of its first invitation. At the end, the counted jobs are compared."""
    data.mkdir()
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120, audit_seconds=120))
    with served(app) as address, counting(browser) as counted:
        yield EventDesk(browser, address, "zh-CN", counted), address + embedded.first_invitation(data)
        compare_or_store(event, counted)
    close(app)
    assert [one for one in browser.get_log("browser") if "409" not in one["message"]] == [], "a slip is refused by 409"


def test_xiangqi_swiss_of_24_reaches_its_signed_report(browser: Chrome, tmp_path: Path):
    downloads = tmp_path / "downloads"
    downloads.mkdir()
    with opened(browser, tmp_path / "data", "xiangqi Swiss, 24 players, Chinese") as (desk, invitation):
        day = Day(desk)
        day.prepares(invitation)
        day.checks_in()
        day.pairs("give an absent player a bye, pair and publish", absent="bye")
        assert day.book.byes[0][ABSENT] == "Z"
        day.prints()
        foul, late = day.quiet_boards()[:2]
        day.loses_by_the_third_foul(foul)
        day.appeals(foul)
        day.comes_late(late)
        click(browser, "#single")
        day.enters()
        day.pairs("give an absent player a bye, pair and publish", absent="here")
        day.enters("enter a round of 12")
        day.pairs("pair and publish")
        day.corrects(2)
        desk.clicks("nav.rounds a[href$='/rounds/3']")
        day.enters()
        day.withdraws(LEAVER)
        for _ in (4, 5):
            day.pairs("pair and publish")
            day.enters()
        day.closes()
        day.report_is_right(tmp_path / "data", downloads)


def test_xiangqi_swiss_of_300_is_paired_and_entered_for_two_rounds(browser: Chrome, tmp_path: Path):
    names = {f"{family}{given}": n for n, (given, family) in enumerate(product(GIVEN, FAMILIES), 1)}
    book = RecordBook(len(names))
    with opened(browser, tmp_path / "data", "xiangqi Swiss, 300 players, Chinese") as (desk, invitation):
        desk.accepts("organiser", invitation)
        desk.creates("2026年全国象棋公开赛", "杭州", "陈主任", [("lin", "chief_arbiter", "林裁判长")])
        players = [(name, 2400 - number, UNITS[number % 30]) for name, number in names.items()]
        rows = (f"{name}\t{rating}\t{club}" for name, rating, club in players[:-2])
        desk.pastes("add 298 players, pasted", "\n".join(("姓名\t等级分\t参赛队", *rows)))
        with desk.counted.job("add 298 players, pasted", more=True):
            desk.clicks("button[name=confirm]")
        desk.one("#one summary").click()
        desk.one("#name").click()
        desk.types_player(*players[-2])
        with desk.counted.job("add a player, typed"):
            desk.types_player(*players[-1])
        desk.accepts("lin", desk.invites("lin", "chief_arbiter"))
        desk.sits("lin")
        desk.room("office")
        with desk.counted.job("check in 300"):
            desk.clicks(f"a[href='/t/{desk.t}/check-in']")
            desk.clicks("#list [name=everyone]")
        assert "300 / 300" in desk.text("h1")
        for round in (1, 2):
            with desk.counted.job("pair and publish"):
                desk.clicks(f"main a[href$='/rounds/{round}/pairing']")
                desk.clicks("#form button.lead")
            book.pair(*desk.pairs_of(names))
            if round == 1:
                click(browser, "#single")
            for board, (red, black) in book.pairs[-1].items():
                book.result(board, "=" if (red + black) % 7 == 0 else "1" if red < black else "0")
            desk.types_results([*book.results[-1].values()], "enter 150 results")
            desk.room("standings")
            assert desk.standings(names) == book.ranks()
            desk.room("")
        with desk.counted.job("print a round"):
            desk.clicks("#by a[href$='/papers']")
            desk.prints()
        papers = printed(browser).texts
        assert sum("对局成绩单" in one for one in papers) == 38, "four slips per sheet"
