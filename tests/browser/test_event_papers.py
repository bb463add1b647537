"""Every paper of whole events, printed by Chromium in Chinese and read back from the PDF: units, heads and results."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from services.pairing.rules import commands as co
from services.standings.rules.commands import PublishStandings
from shared import regulations
from shared.core.events import VisibilitySet
from shared.core.state.outcomes import NOTATION
from shared.core.terms import PAIRING, STANDINGS, Conditions, PlayerId
from shared.desk.desk import Desk
from shared.http.limits.rate_limits import Limits
from tests.browser.conftest import Site
from tests.browser.serving import served
from tests.browser.test_papers import A4, Printed, bare, paper
from tests.played import CHIEF, OFFICIALS, Played, a_desk, an_app

pytestmark = pytest.mark.xdist_group("browser")

PLAYERS = (
    ("王天一", "m"), ("唐丹", "f"), ("郑惟桐", "m"), ("左文静", "f"), ("汪洋", "m"), ("陈幸琳", "f"), ("赵鑫鑫", "m"),
)  # fmt: skip
UNITS = ("北京队", "杭州市实验外国语学校", "成都棋院")
HELD = {"place": "杭州市文化中心", "begins": "2026-11-27", "ends": "2026-11-29", "time_zone": "Asia/Shanghai"}


def begin(desk: Desk, id: str, game: str, format: str, rounds: int, players: int, **conditions: object) -> Played:
    """Announce an event of this format, and enter its players with units and sexes."""
    event, rules = Played(desk, id), regulations.load("campus")
    name = f"2026年{id}杯邀请赛"
    c = Conditions(**conditions)  # type: ignore[arg-type]
    more = {"conditions": c, "officials": OFFICIALS, "keys": desk.keys.announced, **HELD}
    event.do(PAIRING, co.AnnounceTournament(CHIEF, name, game, format, rounds, rules, **more))  # type: ignore[arg-type]
    text = event.text
    entries = tuple(
        co.Entry(PlayerId(n), text(name), club=text(UNITS[n % len(UNITS)]), sex=text(sex))
        for n, (name, sex) in enumerate(PLAYERS[:players], 1)
    )
    event.do(PAIRING, co.EnterPlayers(CHIEF, entries))
    event.do(PAIRING, co.SetVisibility(CHIEF, VisibilitySet(("name", "club", "sex"))))
    return event


def play(event: Played, *results: str) -> None:
    """Pair the next round by its format and report these results, in turn over its boards."""
    event.do(PAIRING, co.PairRound(CHIEF, seed=1))
    t = event.desk.view(event.id).tournament
    boards = t.current(t.rounds_paired()).event.boards
    assert set(results) <= set(NOTATION)
    event.report(t.rounds_paired(), *(results[n % len(results)] for n in range(len(boards))))


def play_events(desk: Desk) -> None:
    """Play a finished Swiss ``city``, a round robin ``ring`` and a knock-out ``ko`` in progress, and begin one of Go."""
    city = begin(desk, "city", "xiangqi", "swiss", 2, 7)
    play(city, "1-0", "1/2-1/2", "0-1")
    seated = desk.view("city").tournament.current(1).event.boards[0].white
    city.foul(seated, 1)
    play(city, "0-1", "1-0")
    city.do(STANDINGS, PublishStandings(CHIEF, ("BH", "PS"), "2026", 2, True))
    ring = begin(desk, "ring", "renju", "round_robin", 0, 5)
    play(ring, "1-0")
    play(ring, "1/2-1/2", "0-1")
    ko = begin(desk, "ko", "xiangqi", "knockout", 0, 6, games=2, extra=1, places=True)
    play(ko, "1-0")
    play(ko, "1/2-1/2")
    play(ko, "1-0")
    play(begin(desk, "go", "go", "swiss", 3, 4), "1-0")
    chess = begin(desk, "chess", "chess", "swiss", 3, 4)
    chess.do(PAIRING, co.PairRound(CHIEF, seed=1))


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    data = tmp_path_factory.mktemp("events")
    desk = a_desk(data)
    play_events(desk)
    with served(an_app(data, desk, Limits(rate=0, reads=0))) as address:
        yield Site(address, Played(desk, "city"), data)
    desk.close()


def is_read(sheets: Printed, *expected: str) -> list[str]:
    """Return what of the expected texts is missing in a printed document."""
    said = bare("".join(sheets.texts)).casefold()
    return [one for one in expected if bare(one).casefold() not in said]


ALL = tuple(name for name, _ in PLAYERS)
PRINTED: dict[str, tuple[int, tuple[str, ...]]] = {
    "city/papers/place-cards": (1, (*ALL, *UNITS, "1 号")),
    "city/papers/board-cards": (1, ("1", "3", "第 3 台")),
    "city/papers/score-sheet": (1, ("记录纸", "回合", "红方", "黑方", "60", "签字", "结果", "日期")),
    "go/papers/score-sheet": (1, ("记录纸", "黑方", "白方", "19", "T")),
    "ring/papers/score-sheet": (1, ("记录纸", "黑方", "白方", "15", "o")),
    "chess/rounds/1/papers/score-sheets": (2, ("白方", "黑方", "第 1 轮第 2 台", *ALL[:4], UNITS[1])),
    "city/papers/standings": (
        1,
        (*ALL, *UNITS, "最终名次", "性别", "女", "裁判长", "日期", "2026-11-27", "杭州市文化中心"),
    ),
    "city/papers/timetable": (1, ("轮次时间表", "编排公布", "成绩录齐", "2")),
    "city/rounds/2/papers/boards": (1, (*UNITS, "红方", "黑方", "台次")),
    "ring/papers/grid": (1, ("循环赛秩序表", *ALL[:5], *UNITS, "棋手", "积分", "各轮对阵", "第 5 轮")),
    "ko/papers/bracket": (
        2,
        ("淘汰赛对阵图", *ALL[:6], *UNITS, "预赛", "半决赛", "决赛", "轮空", "晋级", "第 3、4 名"),
    ),
    "city/papers/check-in": (1, (*ALL, *UNITS, "性别", "签字")),
}
"""Each paper: the number of its sheets, and texts that are read back from the PDF."""
BOOK = (
    *("成绩册", "裁判长", "棋手", "轮次时间表", "第 1 轮", "第 2 轮", "最终名次", "成绩交叉表", "犯规", "轮空", "日期"),
    *ALL,
    *UNITS,
)


def test_every_paper_is_printed_in_chinese_with_units_and_heads(hall: Site, browser: Chrome):
    browser.get_log("browser")
    missing = {}
    for path, (_, expected) in PRINTED.items():
        sheets = paper(hall, browser, path, "zh-CN")
        missing[path] = (is_read(sheets, *expected), len(sheets.sizes))
        assert {tuple(sorted(size)) for size in sheets.sizes} == {A4}, path
    assert {path: one for path, one in missing.items() if one != ([], PRINTED[path][0])} == {}
    assert browser.get_log("browser") == []


def test_result_book_is_one_job_with_everything_of_the_event(hall: Site, browser: Chrome):
    sheets = paper(hall, browser, "city/papers/book", "zh-CN")
    assert is_read(sheets, *BOOK) == []
    assert bare(f"第 1 页 共 {len(sheets.sizes)} 页") in bare(sheets.texts[0])
    assert is_read(paper(hall, browser, "ko/papers/book", "zh-CN"), "淘汰赛对阵图") == []


def test_code_on_the_pairings_leads_to_the_round(hall: Site, browser: Chrome):
    sheets = paper(hall, browser, "city/rounds/2/papers/boards")
    assert sheets.codes(0) == [f"{hall.address}/t/city/rounds/2"]
