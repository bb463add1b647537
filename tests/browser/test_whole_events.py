"""A Swiss of Go and an event of teams in a browser, from the first invitation to the signed report, by mouse and keyboard alone.

Expected ranks, sides and papers are written here by hand. `test_whole_day` plays a Swiss of xiangqi, `test_knockout_event` a
knock-out.
"""

import re
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.support.select import Select

from deploy.server import embedded
from tests.browser.chief import Chief, signer

pytestmark = pytest.mark.xdist_group("browser")
CHILDREN = [f"棋童{n:02}" for n in range(1, 14)]
SCHOOLS = ("成都棋院", "青羊区实验小学", "武侯区少年宫")
GO = {
    1: ("棋童01 - 3\n4 2\n5 7\n8 6\n9 11\n12 10\n13", "101010"),
    2: ("5 1\n2 6\n3 9\n10 4\n7 13\n12 8\n11", "010100"),
    3: ("1 9\n10 2\n11 5\n6 13\n8 3\n4 12\n7", "100101"),
}
"""The pairs of each round, White on the left, the bye last, and the results. Numbers 1 and 2 win all their games against
opponents with equal points, so that every tie-break leaves them equal."""
LAST_ROUND = [(1, 9), (10, 2), (11, 5), (6, 13), (8, 3), (4, 12)]
AFTER_PLAY_OFF = [
    "1 棋童02 武侯区少年宫 3 段 3 5 6 3 1",
    "2 棋童01 青羊区实验小学 2 段 3 5 6 3 0",
    "3 棋童06 成都棋院 2 段 2 6 4 2 –",
    "4 棋童09 成都棋院 5 段 2 5 5 2 –",
    "5 棋童05 武侯区少年宫 1 段 2 5 4 2 –",
    "6 棋童13 青羊区实验小学 4 段 2 4.5 5 1 –",
    "7 棋童10 青羊区实验小学 1 段 2 4 5 2 –",
    "8 棋童03 成都棋院 4 段 1 6 1 1 –",
    "9 棋童11 武侯区少年宫 2 段 1 5 2 0 –",
    "10 棋童04 青羊区实验小学 5 段 1 5 1 1 –",
    "11 棋童07 青羊区实验小学 3 段 1 5 1 0 –",
    "12 棋童08 武侯区少年宫 4 段 1 3 2 1 –",
    "13 棋童12 成都棋院 3 段 0 4 0 0 –",
]
"""Rank, name, unit, grade, and the columns from points to the play-off."""


def child(n: int) -> str:
    return f"棋童{n:02}"


def black_is_the_same_everywhere(office: Chief) -> None:
    """Read the sides of the last round on the round page, on each paper, on the page of a game and in its file."""
    page = office.visits("rounds/3")
    assert "台次 白方 结果 黑方（先行）" in page
    assert [pair for pair, _ in office.boards()] == [(child(white), child(black)) for white, black in LAST_ROUND]
    office.clicks("a[href$='/rounds/3/papers']")
    by_board, by_name = (office.rows(f".sheet:nth-of-type({n}) tbody tr") for n in (1, 2))
    slips = office.rows(".slip")
    for board, (white, black) in enumerate(LAST_ROUND, 1):
        assert re.search(rf"^{board} {white} {child(white)} .* {black} {child(black)} ", by_board[board - 1])
        assert f"{white} {child(white)} {SCHOOLS[white % 3]} {board} 白方 {black} {child(black)}" in by_name[white - 1]
        assert f"{black} {child(black)} {SCHOOLS[black % 3]} {board} 黑方 {white} {child(white)}" in by_name[black - 1]
        (slip,) = [one for one in slips if one.startswith(f"台次 {board} ")]
        assert f"白方 {white} {child(white)} {SCHOOLS[white % 3]} 黑方 先行 {black} {child(black)}" in slip
    office.visits("rounds/3")
    office.clicks("a[href$='/games/go.3.1']")
    assert "黑方 先行 棋童09" in re.sub(r"\s+", " ", office.one("main").text)
    record = office.file("a[href$='/sheet.sgf']")
    assert "PB[棋童09]" in record and "PW[棋童01]" in record and "RE[W+]" in record


def test_a_swiss_of_go_is_played_off_and_ruled_on_after_its_end(house: tuple[Path, str], browser: Chrome) -> None:
    data, address = house
    office = Chief(browser, address, "go", "zh-CN")
    office.logs_in(address + embedded.first_invitation(data))
    typed = {"own_name": "林静", "rounds": "3", "change:ranking.unshared": "1"}
    office.creates("go/campus-go", "swiss", "少儿围棋赛", "成都", typed, {})
    office.appoints("zhou.min", "chief_arbiter", "周敏")
    office.logs_in(office.invites("zhou.min", "chief_arbiter"))
    office.visits("entries")
    office.enters("姓名,段位,单位", [f"{name},{1 + n % 5}段,{SCHOOLS[n % 3]}" for n, name in enumerate(CHILDREN, 1)])
    for round, (lines, results) in GO.items():
        office.pairs_by_hand(round, lines, "赛前公布的对阵")
        assert f"{child(int(lines.split()[-1]))} (" in office.rows("table.boards tbody tr")[-1]
        office.types_results(results)
    black_is_the_same_everywhere(office)

    assert "第1名并列，而此名次不得并列" in office.visits("standings")
    office.clicks("a[href*='/play-offs']")
    office.types("#reason", "规程规定加赛一局")
    office.clicks("button[value='publish']")
    assert [pair for pair, _ in office.boards()] == [("棋童01", "棋童02")]
    office.wins("棋童02")
    office.visits("standings")
    assert office.rows("#fresh thead tr") == ["名次 棋手 积分 对手分 累进分 胜局 加赛"]
    assert office.rows("#fresh tbody tr") == AFTER_PLAY_OFF
    office.publishes_final()
    assert office.open_checks() == set()
    rule_after_the_end(office)
    report = office.visits("papers/report")
    assert signer(data) in report and "周敏" in report and all(name in report for name in CHILDREN)
    assert browser.get_log("browser") == []


def rule_after_the_end(office: Chief) -> None:
    """Rule on a game after the final publication, which changes the first places, and retract the ruling."""
    office.opens_menu(3, 1, "ruling?player=1")
    office.clicks("#infractions a[href*='infraction=flag']")
    assert "判定对局结果：0 – 1，黑胜" in office.previews()
    office.confirms()
    office.visits("standings")
    assert [row.split()[:2] for row in office.rows("#fresh tbody tr")[:4]] == [
        ["1", "棋童02"], ["2", "棋童09"], ["3", "棋童01"], ["4", "棋童06"],
    ]  # fmt: skip
    assert "此后有变化" in office.visits("closing") and "published" in office.open_checks()
    office.visits("rulings/r1")
    office.clicks("a[href$='/retraction']")
    office.types("#reason", "看错了棋钟")
    office.previews()
    office.confirms()
    office.visits("standings")
    assert office.rows("#fresh tbody tr") == AFTER_PLAY_OFF
    assert "此后没有变化" in office.visits("closing")


TOWNS = ("Hamburg", "Munich", "Dresden", "Cologne")
MEMBERS = ("Ada", "Ben", "Cem", "Dora", "Emil", "Fay", "Gil", "Hana", "Ivo", "Jana", "Kai", "Lea")


def test_four_teams_of_xiangqi_meet_in_their_line_ups(house: tuple[Path, str], browser: Chrome) -> None:
    data, address = house
    office = Chief(browser, address, "team", "en")
    office.logs_in(address + embedded.first_invitation(data))
    typed = {"own_name": "Olga Organiser", "boards": "2", "substitutes": "1"}
    office.creates("xiangqi/xiangqi-1999", "round_robin", "Team Cup", "Leipzig", typed, {"team": "lineup"})
    office.appoints("ada", "chief_arbiter", "Ada Brandt")
    office.logs_in(office.invites("ada", "chief_arbiter"))
    office.visits("entries")
    office.enters("Name,Club", [f"{name},{TOWNS[n // 3]}" for n, name in enumerate(MEMBERS)])
    office.visits("teams/new")
    office.types("#teams", "Hamburg,1,2,3\nMunich,4,5,6\nDresden,7,8,9\nCologne,Jana,Kai,Lea")
    office.clicks("#form button.lead")
    assert "must not be" not in office.one("main").text, "no round is paired, so no place is to be decided"
    office.clicks("main a[href$='/lineups']")
    office.clicks("#lineups a[href*='team=2']")
    for board, player in ((1, "4"), (2, "6")):
        Select(office.one(f"#p{board}")).select_by_value(player)
    office.clicks("#form button.lead")
    draft = office.publishes_pairing(1)
    assert "1 Hamburg 0 – 4 Cologne 0" in draft and "2 Munich 0 – 3 Dresden 0" in draft and "Board Red Black" in draft
    assert [pair for pair, _ in office.boards()] == [("Ada", "Jana"), ("Kai", "Ben"), ("Dora", "Gil"), ("Hana", "Fay")]
    office.types_results("1=01")
    heads = [row for row in office.rows("table.boards tbody tr") if re.search(r" \d(\.5)? : ", row)]
    assert heads == ["Hamburg 1.5 : 0.5 Cologne", "Munich 0 : 2 Dresden"]
    office.clicks("a[href$='/rounds/1/papers']")
    papers = office.rows(".sheet:nth-of-type(1) tbody tr")
    assert [papers[0], papers[3]] == ["Hamburg – Cologne", "Munich – Dresden"]
    slips = [slip.partition("Signature ")[2] for slip in office.rows(".slip")]
    assert any(slip.startswith("Red 8 Hana Dresden Black 6 Fay Munich ") for slip in slips), slips
    office.publishes_pairing(2)
    assert [pair for pair, _ in office.boards()][1] == ("Hana", "Kai"), "the first team has Black on the second board"
    office.types_results("1111")
    office.publishes_pairing(3)
    office.types_results("1===")
    office.publishes_final()
    office.visits("teams")
    assert office.rows("#fresh thead tr")[0] == "Rank Team Match points Game points Games won"
    ranked, crossed = (office.rows(f"#fresh .scroll:nth-of-type({n}) tbody tr") for n in (1, 2))
    assert ranked == ["1 Dresden 4 4 3", "2 Hamburg 4 3.5 2", "3 Munich 3 2.5 2", "4 Cologne 1 2 1"]
    assert crossed == [
        "1 3 Dresden 2: 2 4: 1 1: 1 4",
        "2 1 Hamburg 4: 1.5 2: 1 3: 1 4",
        "3 2 Munich 3: 0 1: 1 4: 1.5 3",
        "4 4 Cologne 1: 0.5 3: 1 2: 0.5 1",
    ]
    office.visits("")
    assert office.rows(".leaders li") == ["Dresden 4", "Hamburg 4", "Munich 3"]
    report = re.sub(r"\s+", " ", office.visits("papers/report"))
    assert signer(data) in report and "1 Dresden 4 4 3" in report and "Ada Brandt" in report
    assert browser.get_log("browser") == []
