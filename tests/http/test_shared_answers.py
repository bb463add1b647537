"""A hall of readers without a token has its pages together: made once for each line, and nobody's own for anybody else."""

import threading

import pytest

from shared.http.identity.tokens import issue
from shared.http.limits.rate_limits import Limits
from tests.played import Played, a_desk, an_app

PAGE = "/t/cup/standings"
DEAR, CHEAP = 5, 1


class Hall:
    """A house whose clock stands, and who asks there with an allowance that is never filled again."""

    def __init__(self, data, allowance: int) -> None:
        self.data, self.now, self.desk = data, 0.0, a_desk(data)
        self.cup = Played(self.desk)
        self.cup.announce()
        self.app = an_app(data, self.desk, Limits(reads=0.0001, reads_burst=allowance), clock=lambda: self.now)
        self.allowance = allowance

    def ask(self, path=PAGE, status=200, **headers):
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        answer = self.app.test_client(use_cookies=False).get(path, headers=sent)
        assert answer.status_code == status, answer.text
        return answer

    def left(self) -> float:
        """What this address may still ask for."""
        return self.app.extensions["arbiter"].reads._levels.get("@127.0.0.1", (self.allowance, 0))[0]

    def cost(self, path=PAGE, **headers) -> float:
        before = self.left()
        self.ask(path, **headers)
        return round(before - self.left())


@pytest.fixture
def hall(tmp_path):
    made = Hall(tmp_path, 1000)
    yield made
    made.desk.close()


def test_a_page_is_made_once_and_costs_the_others_nearly_nothing(hall):
    first, again = hall.ask(), hall.ask()
    assert first.data == again.data and first.headers["X-Request-Id"] != again.headers["X-Request-Id"]
    assert hall.cost() == CHEAP


def test_a_new_line_is_shown_at_once(hall):
    assert "Zhu" not in hall.ask("/t/cup/players").text
    hall.cup.enter("Zhu")
    assert "Zhu" in hall.ask("/t/cup/players").text


def test_an_answer_grows_no_older_than_a_second(hall):
    assert [hall.cost(), hall.cost()] == [DEAR, CHEAP]
    hall.now = 1.0
    assert [hall.cost(), hall.cost()] == [DEAR, CHEAP]


def test_each_asks_in_his_language_and_coding(hall):
    chinese = hall.ask(Accept_Language="zh-CN").text
    assert chinese != hall.ask(Accept_Language="en").text
    assert hall.ask(Accept_Language="zh-CN").text == chinese
    assert "Content-Encoding" not in hall.ask().headers
    packed = [hall.ask(Accept_Encoding="gzip") for _ in range(2)]
    assert {answer.headers["Content-Encoding"] for answer in packed} == {"gzip"}
    assert packed[0].data == packed[1].data


def test_who_has_a_token_is_answered_himself_and_nobody_gets_that(hall):
    token = issue(hall.data, "chief_arbiter", "li.wei")
    hall.ask()
    for own in ({"Authorization": f"Bearer {token}"}, {"Cookie": f"arbiter_token={token}"}):
        assert "li.wei" in hall.ask(**own).text
    assert "li.wei" not in hall.ask().text
    # nor is a page that was asked for with a token that is none
    assert hall.cost(Cookie="arbiter_token=x") == DEAR


def test_what_is_no_page_for_all_is_not_kept(hall):
    for path, status in (("/t/nowhere/standings", 404), (f"{PAGE}?at=0", 422)):
        hall.ask(path, status)
        before = hall.left()
        hall.ask(path, status)
        assert before - hall.left() >= DEAR
    assert [hall.cost(f"{PAGE}?at=1") for _ in range(2)] == [DEAR + 20] * 2
    assert hall.cost(f"{PAGE}?after=1") == DEAR


def test_readers_at_once_wait_for_one_that_makes_the_page(tmp_path, monkeypatch):
    # given a page that is being made
    hall = Hall(tmp_path, 1000)
    made, begun, go_on, before = (
        [],
        threading.Event(),
        threading.Event(),
        hall.app.view_functions["standings.standings_page"],
    )

    def slow(**arguments):
        made.append(arguments)
        begun.set()
        assert go_on.wait(30)
        return before(**arguments)

    slow.__operation__ = before.__operation__
    monkeypatch.setitem(hall.app.view_functions, "standings.standings_page", slow)
    texts = []
    readers = [threading.Thread(target=lambda: texts.append(hall.ask().text)) for _ in range(8)]
    # when eight ask for it
    for reader in readers:
        reader.start()
    assert begun.wait(30)
    go_on.set()
    for reader in readers:
        reader.join()
    # then one makes it for all
    assert len(made) == 1 and len(texts) == 8 and len(set(texts)) == 1
    hall.desk.close()


def test_past_states_leave_threads_for_all_else(tmp_path, monkeypatch):
    # given a service that makes one past state at once, and is at it
    desk = a_desk(tmp_path)
    Played(desk).announce()
    app = an_app(tmp_path, desk, Limits(replays=1))
    begun, go_on, at = threading.Event(), threading.Event(), desk.folds.view_at

    def slow(*arguments):
        begun.set()
        assert go_on.wait(30)
        return at(*arguments)

    monkeypatch.setattr(desk.folds, "view_at", slow)
    path, statuses = "/v1/tournaments/cup?at=1", []
    reader = threading.Thread(target=lambda: statuses.append(app.test_client().get(path).status_code))
    reader.start()
    assert begun.wait(30)
    # when others ask, then what is now is told, and what is past is not
    full = app.test_client().get(path)
    assert (full.status_code, full.json["type"]) == (503, "urn:arbiter:problem:replays-full")
    assert int(full.headers["Retry-After"]) > 0
    assert app.test_client().get("/v1/tournaments/cup").status_code == 200
    go_on.set()
    reader.join()
    # and it is told once there is room
    assert statuses == [200] and app.test_client().get(path).status_code == 200
    desk.close()
