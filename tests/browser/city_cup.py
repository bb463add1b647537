"""An event of 24 players as its officials live it in a browser, in Chinese, compared with a record book kept by hand."""

import csv
import zipfile
from pathlib import Path

from selenium.webdriver import Keys
from selenium.webdriver.common.by import By

from deploy.cli.main import run
from tests.browser.event_desk import EventDesk
from tests.browser.record_book import OPPOSITE, Pair, RecordBook
from tests.browser.serving import Wait
from tests.browser.test_papers import bare, printed

NAME = "2026年城市杯象棋公开赛"
UNITS = ("北京", "上海", "广东", "浙江")
PLAYERS = """
王天一 郑惟桐 吕钦 赵国荣 许银川 蒋川 孟辰 洪智 谢靖 汪洋 程鸣 陆伟韬
唐丹 王琳娜 刘欢 左文静 时凤兰 陈幸琳 董嘉琦 梁妍婷 吴可欣 张国凤 李越川 武俊强
""".split()  # noqa: SIM905 (a list of names is read more easily)
NUMBERS = {name: number for number, name in enumerate(PLAYERS, 1)}
ABSENT, LEAVER = 15, 24
NOTE, GROUNDS, REASON = "走棋时向旁人提问", "提问的是观众，并非本人", "观众承认是他提问"
BYES = {"轮空": "U", "缺席（0 分）": "Z"}
OFFICIALS = (("lin", "chief_arbiter", "林裁判长"), ("zhao", "appeals", "赵仲裁"))


def unit(number: int) -> str:
    return UNITS[number % 4]


def sheet() -> str:
    """Return a 报名表 as people send it: a title, the head, a row per player, a signature."""
    titles = ("特级大师", "大师", "一级棋士", "")
    rows = [
        f"{n}\t{name}\t{'女' if 13 <= n <= 22 else '男'}\t{unit(n)}\t{2500 - 10 * n}\t{titles[min(3, n // 8)]}\t139"
        for n, name in enumerate(PLAYERS, 1)
    ]
    return "\n".join((f"{NAME}报名表", "序号\t姓名\t性别\t代表单位\t等级分\t称号\t手机", *rows, "填表人：陈主任", ""))


def outcome(pair: Pair) -> str:
    """Return the result of a game: player 1 wins every game, else some are drawn and the lower number wins the others."""
    red, black = pair
    if (red + black) % 5 == 0 and 1 not in pair:
        return "="
    return "1" if red < black else "0"


class Day:
    """The event as its officials live it, and their own record book of it."""

    def __init__(self, desk: EventDesk) -> None:
        self.desk, self.book = desk, RecordBook(len(PLAYERS))
        self.left_event: set[int] = set()

    def prepares(self, invitation: str) -> None:
        desk = self.desk
        desk.accepts("organiser", invitation)
        desk.creates(NAME, "杭州棋院", "陈主任", OFFICIALS)
        desk.pastes("add 24 players, pasted", sheet())
        assert desk.texts("#left-out summary") == ["名单上下有 2 行未录入"]
        assert "不录入的列：手机" in desk.text()
        assert desk.texts("#read tbody tr")[0].split() == ["2", "1", "王天一", "男", "上海", "2490", "特级大师", "139"]
        with desk.counted.job("add 24 players, pasted", more=True):
            desk.clicks("button[name=confirm]")
        for login, role, _ in OFFICIALS:
            desk.accepts(login, desk.invites(login, role))
            desk.sits("organiser")
        desk.sits("lin")
        desk.room("players")
        listed = [row.split() for row in desk.texts("table tbody tr")]
        assert {(row[0], row[-1]) for row in listed} == {(name, unit(n)) for name, n in NUMBERS.items()}

    def checks_in(self) -> None:
        desk = self.desk
        desk.room("office")
        with desk.counted.job("check in 23 of 24"):
            desk.clicks(f"a[href='/t/{desk.t}/check-in']")
            desk.clicks("#list [name=everyone]")
            desk.one(f"#list [name=here][value='{ABSENT}']").click()
            desk.clicks("#list button.lead")
        assert "23 / 24" in desk.text("h1")

    def pairs(self, job: str, absent: str | None = None) -> None:
        """Pair the next round from the page that leads to it, and publish it."""
        desk, round = self.desk, len(self.book.pairs) + 1
        with desk.counted.job(job):
            desk.clicks(f"main a[href$='/rounds/{round}/pairing']")
            if absent:
                row = desk.text(f"#absent [data-player='{ABSENT}']")
                assert all(said in row for said in (PLAYERS[ABSENT - 1], unit(ABSENT), "大师", "2350"))
                desk.clicks(f"#absent [data-player='{ABSENT}'] [value='{absent}']")
            drafted = desk.texts("#proposed tbody tr")
            desk.clicks("#form button.lead")
        assert f"/t/{desk.t}/rounds/{round}" in desk.browser.current_url, desk.text()
        pairs, words = desk.pairs_of(NUMBERS)
        byes = {player: BYES[word] for player, word in words.items()}
        self.book.pair(pairs, byes | dict.fromkeys(self.left_event, "Z"))
        for board, pair in self.book.pairs[-1].items():
            assert all(f"{n} {PLAYERS[n - 1]}" in drafted[board - 1] and unit(n) in drafted[board - 1] for n in pair)
        assert f"第 {round} 轮" in desk.text("#round")

    def quiet_boards(self) -> list[int]:
        """Return the boards of the round without player 1."""
        return [board for board, pair in self.book.pairs[-1].items() if 1 not in pair]

    def enters(self, job: str | None = None) -> None:
        """Type the results that are missing, and compare the ranks with those of the record book."""
        desk, results = self.desk, self.book.results[-1]
        left = {board: outcome(pair) for board, pair in self.book.pairs[-1].items() if board not in results}
        desk.types_results([*left.values()], job)
        for board, result in left.items():
            self.book.result(board, result)
        self.ranks_are_right()

    def ranks_are_right(self) -> None:
        desk = self.desk
        desk.room("standings")
        assert desk.standings(NUMBERS) == self.book.ranks()
        assert "积分 对手分 胜局" in desk.text("#fresh thead")
        rows = desk.texts("#fresh tbody tr")
        assert all(any(f"{name} {unit(n)}" in row for row in rows) for name, n in NUMBERS.items())
        desk.room("")

    # ---------------------------------------------------------------- rulings

    def rules_a_foul(self, board: int, note: str = "") -> None:
        """Rule a foul of the side on the left. With a note, the preview is read before it is confirmed."""
        desk, red = self.desk, self.book.pairs[-1][board][0]
        with desk.counted.job("rule a foul" if not note else "rule a foul with a note"):
            desk.menu(board, f"/boards/{board}/ruling?player={red}")
            desk.clicks("#infractions a[href*='infraction=foul&']")
            if note:
                desk.one("#note").send_keys(note)
                desk.clicks("#form button.lead")
            else:
                desk.presses(Keys.ENTER)
            said = desk.text()
            desk.confirms()
        assert PLAYERS[red - 1] in said and "记犯规一次" in said and note in said
        self.book.fouls[red] += 1

    def loses_by_the_third_foul(self, board: int) -> None:
        """Rule three fouls: the third loses the game by rule."""
        desk = self.desk
        self.rules_a_foul(board, NOTE)
        assert desk.text("#next") == "1", "the lowest open board is next"
        self.rules_a_foul(board)
        self.rules_a_foul(board)
        assert "0 – 1 r4" in self.row(board)

    def row(self, board: int) -> str:
        """Return the row of a board of the round page, in one line."""
        rows = [" ".join(row.split()) for row in self.desk.texts("table.boards tbody tr")]
        return next(row for row in rows if row.startswith(f"{board} "))

    def appeals(self, board: int) -> None:
        """File the player's appeal against the loss, which the committee upholds: the game is open again."""
        desk, red = self.desk, self.book.pairs[-1][board][0]
        player = PLAYERS[red - 1]
        with desk.counted.job("file an appeal"):
            desk.menu(board, "/rulings/r4/appeal")
            desk.one(f"input[name=by][value='{red}']").click()
            desk.one("#grounds").send_keys(GROUNDS)
            desk.clicks("#form button.lead")
            desk.confirms()
        desk.sits("zhao")
        (task,) = desk.texts("#waits .attention li")
        assert f"第 1 轮第 {board} 台" in task and "裁决" in task
        with desk.counted.job("decide an appeal"):
            desk.clicks("#waits .attention a")
            case = desk.text()
            desk.one("input[name=upheld][value=yes]").click()
            desk.one("#grounds").send_keys(REASON)
            desk.clicks("#form button.lead")
            brought = desk.text()
            desk.confirms()
        # The committee reads the case where it decides: grounds, the arbiter's note, game, article and history.
        assert all(said in case for said in (GROUNDS, NOTE, player, f"第 1 轮第 {board} 台", "第4.1.8款", "林裁判长"))
        assert "这些判罚将不再有效" in brought and REASON in brought
        desk.room("")
        assert "没有待处理的申诉" in desk.text("#waits")
        desk.sits("lin")
        desk.clicks(".next-round a[href$='/rounds/1']")
        assert desk.browser.find_elements(By.CSS_SELECTOR, f"[data-open='{board}']"), "open again"

    def comes_late(self, board: int) -> None:
        """Report the side on the right 31 minutes late: it loses by rule."""
        desk, black = self.desk, self.book.pairs[-1][board][1]
        with desk.counted.job("rule a late arrival"):
            desk.menu(board, f"/boards/{board}/arrival")
            desk.one("input[name=side][value=black]").click()
            desk.one("input[name=minutes]").send_keys("31")
            desk.clicks("#form button.lead")
            said = desk.text()
            desk.confirms()
        assert f"{PLAYERS[black - 1]} 到达赛桌，迟到 31 分钟" in said and "第4.1.5款" in said
        assert "+ : −" in self.row(board)
        self.book.result(board, "+")

    def corrects(self, round: int) -> None:
        """Correct a slip of the round before the one that is paired, from the page of the new round."""
        desk, results = self.desk, self.book.results[round - 1]
        board = next(b for b, pair in self.book.pairs[round - 1].items() if b in range(2, 10) and 1 not in pair)
        right = OPPOSITE[results[board]] if results[board] != "=" else "1"
        desk.clicks(f"nav.rounds a[href$='/rounds/{round}']")
        with desk.counted.job("correct a slip"):
            desk.browser.switch_to.active_element.send_keys(f"{board} {right}", Keys.ENTER)
            desk.clicks("#refused a[href*='/correction?result=']")
            assert f"第 {round + 1} 轮已编排" in desk.text("#form")
            desk.one("#reason").send_keys("成绩单读反")
            desk.clicks("#form button.lead")
            assert f"第 {round + 1} 轮已编排" in desk.text("#paired-later")
            desk.confirms()
        self.book.result(board, right, round)

    def withdraws(self, number: int) -> None:
        desk = self.desk
        desk.room("players")
        with desk.counted.job("withdraw a player"):
            desk.clicks(f"main a[href='/t/{desk.t}/players/{number}']")
            desk.clicks(f"a[href$='/players/{number}/withdrawal']")
            desk.one("#reason").send_keys("身体不适")
            desk.clicks("#form button.lead")
        assert PLAYERS[number - 1] in desk.text("h1"), desk.text()
        self.left_event.add(number)
        desk.room("")

    def prints(self) -> None:
        """Print the round: every player is on paper with the unit, and the sheet by name seats them as the round does."""
        desk, round = self.desk, len(self.book.pairs)
        with desk.counted.job("print a round"):
            desk.clicks("#by a[href$='/papers']")
            desk.prints()
        job = printed(desk.browser)
        on_paper = bare("".join(job.texts))
        assert all(bare(name + unit(n)) in on_paper for name, n in NUMBERS.items())
        assert f"对阵表(按姓名)第{round}轮" in on_paper
        for board, (red, black) in self.book.pairs[-1].items():
            assert (
                bare(f"{red}{PLAYERS[red - 1]}{unit(red)}{board}红方{black}{PLAYERS[black - 1]}{unit(black)}")
                in on_paper
            )
        desk.browser.back()

    # ---------------------------------------------------------------- the end

    def left(self) -> set[str]:
        """Return the items of the checklist that are still to be done."""
        open_ = self.desk.browser.find_elements(By.CSS_SELECTOR, ".checklist > [data-done=no]")
        return {str(one.get_attribute("id")).removeprefix("check-") for one in open_}

    def closes(self) -> None:
        desk = self.desk
        desk.room("closing")
        Wait(desk.browser, 120).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#check-audit[data-done=yes]"))
        assert self.left() == {"published", "checkpoint"}, "which the publication settles"
        with desk.counted.job("publish the final standings"):
            desk.clicks("a.lead[href$='/publication']")
            desk.clicks("button[name=final][value=yes]")
        assert self.left() == set(), desk.text()

    def report_is_right(self, data: Path, folder: Path) -> None:
        """Read the report that is signed on paper, and verify the archive that is downloaded."""
        desk, ranks = self.desk, self.book.ranks()
        file = desk.saves(desk.one("a[href$='/archive'][download]"), folder)
        assert run(["verify", str(file), "--key", str(data / "arbiter.vkey")]) == 0
        with zipfile.ZipFile(file) as archive:
            kept = csv.DictReader(archive.read("standings.csv").decode("utf-8-sig").splitlines())
        assert {(int(row["rank"]), row["name"]) for row in kept} == {(ranks[n], name) for name, n in NUMBERS.items()}
        table = desk.saves(desk.one("a[href$='/standings.csv']"), folder).read_text(encoding="utf-8-sig")
        assert all(f",{name}," in table and unit(n) in table for name, n in NUMBERS.items()), table
        desk.clicks("a[href$='/papers/report']")
        report = desk.text()
        signer = "+".join((data / "arbiter.vkey").read_text().split("+")[:2])
        assert signer in report and all(said in report for said in (NAME, "裁判长：林裁判长", "主办方：陈主任"))
        on_paper = bare("".join(printed(desk.browser).texts))
        assert all(bare(f"{ranks[n]}{n}{name}{unit(n)}") in on_paper for name, n in NUMBERS.items())
