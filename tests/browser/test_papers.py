"""The papers, as Chromium prints them: pages counted, text read back from the PDF, and codes read by another program."""

import re
import unicodedata
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import zxingcpp
from pypdfium2 import PdfDocument
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from services.pairing.rules.commands import AnnounceTournament, WithdrawPairing
from shared import regulations
from shared.core.language.messages import say
from shared.core.terms import PAIRING
from shared.core.trust.merkle import short_digest
from shared.desk.signer_port import NotSigned
from shared.http.language.language import COOKIE
from shared.http.limits.rate_limits import Limits
from tests.browser.conftest import Site
from tests.browser.serving import served, text
from tests.browser.test_pages import follow, link
from tests.former_names import any_name_accepted
from tests.played import CHIEF, OFFICIALS, SIGNER, Played, a_desk, an_app

pytestmark = pytest.mark.xdist_group("browser")

A4 = (595, 842)
HOSTILE = (
    "<script>alert(1)</script>",
    "\u202etxet desrever",
    "诸葛" * 20,
    "Wolfeschlegelsteinhausenbergerdorff" * 5,
    "\"'><img src=x onerror=alert(1)>",
    "{{ 7 * 7 }} %(n)s {n}",
)
NAMES = (*HOSTILE, "王小明", "Anna Berg", "李娜", "José Núñez", "曾毅")
EVENT = "<b>杯</b> " + "长" * 60 + " \u202eCup"


@dataclass(frozen=True)
class Printed:
    """A PDF: its pages' sizes in points and their texts, and the codes on each."""

    sizes: list[tuple[int, int]]
    texts: list[str]
    document: PdfDocument

    def codes(self, page: int) -> list[str]:
        """What another program reads on a page, from top to bottom."""
        drawn = self.document[page].render(scale=3, grayscale=True).to_numpy()
        found = zxingcpp.read_barcodes(drawn)
        return [code.text for code in sorted(found, key=lambda code: code.position.top_left.y)]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Tournament ``cup`` of people with names that mean something to programs; ``long`` of many rounds; ``new``, empty."""
    data = tmp_path_factory.mktemp("papers")
    desk = a_desk(data)
    cup = Played(desk)
    with any_name_accepted():
        cup.announce(EVENT)
    cup.enter(*NAMES)
    cup.pair((1, 2), (3, 4), (5, 6), (7, 8), (9, 10), bye=11)
    cup.report(1, "1-0", "*", "+/-", "1/2-1/2", "1-0")
    for _ in range(3):
        cup.foul(4, 1)
    cup.pair((11, 1), (2, 3), (4, 5), (6, 7), (8, 9), bye=10)
    ring = Played(desk, "long")
    ring.announce("Long", 11)
    ring.enter(*NAMES, "Twelfth")
    seats = list(range(1, 12))
    for number in range(1, 12):
        ring.pair((12, seats[0]), *((seats[n], seats[-n]) for n in range(1, 6)))
        ring.report(number, *["1/2-1/2"] * 6)
        seats = [seats[-1], *seats[:-1]]
    Played(desk, "new").announce("New")
    placed = Played(desk, "placed")
    held = {"place": "Great Hall", "begins": "2026-11-20", "ends": "2026-11-22", "time_zone": "Asia/Shanghai"}
    rules = regulations.load("campus")
    placed.do(PAIRING, AnnounceTournament(CHIEF, "Placed", "xiangqi", "swiss", 3, rules, officials=OFFICIALS, **held))
    placed.enter(*NAMES[-4:])
    placed.pair((1, 2), (3, 4))
    placed.foul(1, 1)
    with served(an_app(data, desk, Limits(rate=0, reads=0))) as address:
        yield Site(address, cup, data)
    desk.close()


def printed(browser: Chrome) -> Printed:
    """The page that is shown, on paper."""
    pdf = b64decode(browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})["data"])
    document = PdfDocument(pdf)
    pages = list(document)
    texts = [unicodedata.normalize("NFKC", page.get_textpage().get_text_range()) for page in pages]
    return Printed([(round(w), round(h)) for w, h in (page.get_size() for page in pages)], texts, document)


def paper(hall: Site, browser: Chrome, path: str, tongue: str = "en") -> Printed:
    browser.get(f"{hall.address}/web/style.css")
    browser.add_cookie({"name": COOKIE, "value": tongue})
    browser.get(f"{hall.address}/t/{path}")
    return printed(browser)


def bare(text: str) -> str:
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


def digest(hall: Site, id: str = "cup") -> str:
    view = hall.cup.desk.view(id)
    return short_digest(view.seq, view.root)


def refused(address: str) -> tuple[int, str]:
    with pytest.raises(HTTPError) as answer:
        urlopen(address)
    return answer.value.code, answer.value.read().decode()


PAPERS = {
    "rounds/1/papers/boards": ("Pairings by board", "对阵表(按台次)", 1),
    "rounds/1/papers/names": ("Pairings by name", "对阵表(按姓名)", 1),
    "rounds/1/papers/slips": ("Result slip", "对局成绩单", 2),
    "papers/check-in": ("Check-in list", "签到表", 1),
    "papers/standings": ("Standings", "名次", 1),
    "papers/crosstable": ("Cross table", "成绩交叉表", 1),
    "papers/rulings/r1": ("Notice of a ruling", "判罚通知", 1),
    "papers/report": ("Report", "赛事总结", 4),
}
"""Each paper's title in both languages, and on how many pages it stands."""


@pytest.mark.parametrize("path", PAPERS)
def test_each_sheet_bears_title_page_line_checkpoint_and_names_as_they_are(hall: Site, browser: Chrome, path: str):
    browser.get_log("browser")
    english, chinese, pages = PAPERS[path]
    for tongue, title, page_of in (("en", english, "page{}of{}"), ("zh-CN", chinese, "第{}页共{}页")):
        sheets = paper(hall, browser, f"cup/{path}", tongue)
        assert sheets.sizes == [A4] * pages
        for number, said in enumerate(map(bare, sheets.texts), 1):
            assert page_of.format(number, pages) in said
            assert digest(hall) in said
            assert "长长长" in said, "the title of the event"
        assert bare(title) in bare(sheets.texts[0])
        assert ("Log in" in sheets.texts[0], "Ctrl" in sheets.texts[0]) == (False, False), "what is for the screen"
        said = bare("".join(sheets.texts))
        if path in OF_ALL_PLAYERS:
            assert [name for name in NAMES[2:] if bare(name) not in said] == []
            assert "<script>alert(1)</script>" in said and "<b>杯</b>" in said
    assert browser.get_log("browser") == []


OF_ALL_PLAYERS = {
    "rounds/1/papers/boards",
    "rounds/1/papers/names",
    "papers/check-in",
    "papers/standings",
    "papers/report",
}
"""The papers that name everybody."""


MORE = ("papers/place-cards", "papers/board-cards", "rounds/1/papers/score-sheets", "papers/timetable", "papers/book")
"""Papers whose titles and texts are read in `test_event_papers`."""
TOO_WIDE = """
const found = [];
for (const sheet of document.querySelectorAll(".sheet, .slip, .card")) {
  const edge = sheet.getBoundingClientRect().right + 1;
  const over = [...sheet.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > edge);
  found.push(...over.map((one) => one.textContent.slice(0, 40)));
  if (sheet.className == "card" && sheet.scrollHeight > sheet.clientHeight + 1) found.push("too high");
  if (sheet.className == "slip" && sheet.scrollHeight > Math.min(sheet.clientHeight + 1, 265)) found.push("too high");
}
return found;
"""


def test_no_name_runs_over_the_edge_of_a_sheet_or_out_of_a_slip(hall: Site, browser: Chrome):
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        for path in [*(f"cup/{path}" for path in (*PAPERS, *MORE)), "long/papers/crosstable"]:
            millimetres = 273 if path.startswith("long") else 202 if "slips" in path or "cards" in path else 186
            size = {"width": int(millimetres / 25.4 * 96), "height": 1000, "deviceScaleFactor": 1, "mobile": False}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
            browser.get(f"{hall.address}/t/{path}")
            assert browser.execute_script(TOO_WIDE) == [], path
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_round_is_one_job_by_board_by_name_and_slips(hall: Site, browser: Chrome):
    browser.get(f"{hall.address}/t/cup/rounds/1")
    follow(browser, link(browser, "print"))
    job = printed(browser)
    titles = ["Pairings by board", "Pairings by name", "Result slip", "Result slip"]
    assert [title in said for title, said in zip(titles, job.texts, strict=True)] == [True] * 4
    assert "page 4 of 4" in job.texts[-1]


def test_a_code_on_a_slip_leads_to_the_board_and_cut_piles_lie_in_order(hall: Site, browser: Chrome):
    slips = paper(hall, browser, "cup/rounds/1/papers/slips")
    boards = f"{hall.address}/t/cup/rounds/1/boards"
    assert slips.codes(0) == [f"{boards}/{n}/result" for n in (1, 3, 5)]
    assert slips.codes(1) == [f"{boards}/{n}/result" for n in (2, 4)]
    for asked in ("Time used", "Fouls", "Signature", "Arbiter", "Red wins", "draw", "Black wins"):
        assert bare(asked).casefold() in bare(slips.texts[0]).casefold(), "what article 10.1 has signed"
    assert "this computer only" in text(browser), "a code to localhost is worth nothing in the hall"


def test_a_wide_cross_table_lies_on_its_side(hall: Site, browser: Chrome):
    assert paper(hall, browser, "long/papers/crosstable").sizes == [A4[::-1]]
    report = paper(hall, browser, "long/papers/report")
    assert sorted(set(report.sizes)) == [A4, A4[::-1]]


def test_a_notice_says_what_was_ruled_and_its_code_finds_a_changed_root(hall: Site, browser: Chrome):
    sheet = paper(hall, browser, "cup/papers/rulings/r3")
    root = hall.cup.desk.view("cup").root.hex()
    for said in ("foul", "Campus Rules", "Decided by", "until 20", root):
        assert said in sheet.texts[0]
    (address,) = sheet.codes(0)
    assert urlsplit(address).path == "/t/cup/papers/rulings/r3" and f"root={root}" in address
    browser.get(address)
    assert "matches this tournament’s record" in text(browser, "[role=status].verdict")
    hall.cup.annul("r3")
    browser.get(address)
    assert "It is no longer in force." in text(browser)
    assert "matches this tournament’s record" in text(browser, "[role=status].verdict"), "what the sheet said then"
    browser.get(address.replace(root, root[::-1]))
    assert "the paper or the record was changed" in text(browser, "[role=alert].verdict")
    annulment = next(iter(hall.cup.desk.view("cup").tournament.annulments))
    assert "Ruling r3 is annulled." in paper(hall, browser, f"cup/papers/rulings/{annulment}").texts[0]


def test_the_report_has_officials_rulings_byes_forfeits_and_the_key_of_the_checkpoint(hall: Site, browser: Chrome):
    said = bare("".join(paper(hall, browser, "cup/papers/report").texts))
    view = hall.cup.desk.view("cup")
    key = f"{SIGNER.verifier.name}+{SIGNER.verifier.keyhash.hex()}"
    for expected in ("zhou.min", "li.wei", "thepairing-allocatedbye", "+:−", "Campus", view.root.hex(), key):
        assert expected in said, expected
    assert all(f"{r.event.ruling}" in said for r in view.tournament.rulings_with_effect())


def test_the_deadline_of_an_appeal_is_in_the_time_zone_of_the_hall(hall: Site, browser: Chrome):
    assert re.search(r"until \S+ \S+ \+08:00", paper(hall, browser, "placed/papers/rulings/r1").texts[0])


def test_a_report_says_where_and_when_and_that_its_root_was_not_signed(
    hall: Site, browser: Chrome, monkeypatch: pytest.MonkeyPatch
):
    desk = hall.cup.desk
    monkeypatch.setattr(desk, "sign", refuses)
    said = "".join(paper(hall, browser, "placed/papers/report").texts)
    for expected in ("Great Hall", "2026-11-20", "2026-11-22", "not signed: the log is shorter"):
        assert expected in said
    assert desk.view("placed").root.hex() in said


def refuses(*_: object) -> str:
    raise NotSigned(say("the log is shorter"))


def test_a_button_prints_where_there_are_scripts(hall: Site, browser: Chrome):
    browser.get(f"{hall.address}/t/cup/papers/standings")
    browser.execute_script("window.print = () => { document.title = 'printed'; }")
    browser.find_element(By.CSS_SELECTOR, "[data-print]").click()
    assert browser.title == "printed"
    assert "data-print hidden" in urlopen(browser.current_url).read().decode()


def test_only_what_there_is_can_be_printed(hall: Site):
    house = f"{hall.address}/t"
    assert "papers/report" not in urlopen(f"{house}/new/papers").read().decode()
    for path, code, why in (
        ("new/papers/report", 404, "has no content yet"),
        ("cup/papers/poster", 404, "check-in, standings, crosstable, bracket, grid"),
        ("cup/rounds/1/papers/poster", 404, "boards, names, slips, score-sheets"),
        ("cup/rounds/9/papers", 404, "has not been paired"),
        ("cup/papers/rulings/r99", 404, "has no ruling &#39;r99&#39;"),
        ("cup/papers/standings?without=r1", 422, "papers show only the recorded state: omit the parameter without"),
        ("nowhere/papers", 404, "nowhere"),
    ):
        status, said = refused(f"{house}/{path}")
        assert (status, why in said) == (code, True), (path, said)


def test_a_paper_of_an_earlier_line_says_so_and_a_withdrawn_pairing_is_not_printed(hall: Site, browser: Chrome):
    other = Played(hall.cup.desk, "withdrawn")
    other.announce("Withdrawn")
    other.enter(*NAMES[-4:])
    other.pair((1, 2), (3, 4))
    paired = hall.cup.desk.view("withdrawn").seq
    other.do(PAIRING, WithdrawPairing(CHIEF, 1, other.text("a wrong list")))
    assert refused(f"{hall.address}/t/withdrawn/rounds/1/papers")[0] == 404
    then = paper(hall, browser, f"withdrawn/rounds/1/papers/boards?at={paired}")
    assert f"event {paired} ·" in then.texts[0]
