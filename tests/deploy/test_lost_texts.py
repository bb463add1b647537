"""A text that a line names and nobody has erased, gone from the database: who looks is told of it, also of a score sheet's."""

import json
import sqlite3
from itertools import count

import pytest

from deploy.server import embedded, embedded_desk
from deploy.server.numbers import metrics
from shared.http.app import close
from shared.http.identity import tokens
from tests.http.conftest import Caller

T = "/v1/tournaments/cup"
PGN = "application/x-chess-pgn"


@pytest.fixture
def house(tmp_path, monkeypatch):
    """The chief arbiter of a paired tournament, on a server that looks at each request."""
    monkeypatch.setattr(metrics.LostTexts.__init__, "__defaults__", (0.0,))
    app = embedded.make_app(tmp_path)
    call = Caller(app.test_client(), tokens.issue(tmp_path, "chief_arbiter", "he.jing"))
    sent = {"id": "cup", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "campus"}
    sent["officials"] = [{"name": "li.wei", "role": "organiser"}]
    assert call("POST", "/v1/tournaments", sent).status_code == 201
    tag = call("POST", f"{T}/entries", {"players": [{"name": n} for n in ("Ana", "Ole")]}).headers["ETag"]
    assert call("POST", f"{T}/rounds", {}, headers={"If-Match": tag}).status_code == 201
    yield call
    close(app)


def annotated(house: Caller) -> str:
    """The hash of a text that a line of a score sheet names."""
    sheet = "1. e4 {a novelty} e5 *"
    sent = house("POST", "/v1/games/cup.1.1/moves", headers={"Content-Type": PGN}, data=sheet)
    assert sent.status_code == 201, sent.text
    return next(e["data"]["annotations"]["text"] for e in sent.json["events"] if e["type"] == "arbiter.file.read.v1")


def lose(folder, *hashes: str) -> None:
    with sqlite3.connect(folder / "arbiter.db") as connection:
        connection.executemany("DELETE FROM texts WHERE hash = ?", [(one,) for one in hashes])
    connection.close()


def readiness(house: Caller) -> dict:
    """What is told once it has been looked at twice."""
    told = [house("GET", "/readyz") for _ in range(2)][-1]
    assert told.status_code == 200, "a text that is lost keeps nobody from going on"
    return told.get_json()


def lost(house: Caller) -> float:
    (line,) = (x for x in house("GET", "/metrics").text.splitlines() if x.startswith("arbiter_lost_texts "))
    return float(line.split()[1])


def test_a_lost_text_of_the_log_and_one_of_a_score_sheet_are_named_by_readyz_integrity_doctor_and_a_number(
    house, tmp_path, arbiter
):
    note = annotated(house)
    name = next(text["hash"] for text in house("GET", f"{T}/texts").get_json()["texts"] if text["text"] == "Ana")
    assert "texts" not in readiness(house) and lost(house) == 0
    lose(tmp_path, note, name)
    assert readiness(house)["texts"] == [
        f"cup, event 4: the text {name[:16]}… is missing",
        f"cup, event 3 of the score sheet of cup.1.1: the text {note[:16]}… is missing",
    ]
    assert lost(house) == 2
    listed = house("GET", f"{T}/integrity").get_json()
    assert listed["texts"][0] == {"seq": 4, "text": name}
    assert listed["texts"][1:] == [{"seq": listed["seq"], "game": "cup.1.1", "line": 3, "text": note}]
    assert (
        f"text {note}, which event 3 of the score sheet of cup.1.1 refers to" in house("GET", "/t/cup/integrity").text
    )
    code, out, _ = arbiter("doctor", "--data", tmp_path, "--json")
    (found,) = (f["found"] for f in json.loads(out)["findings"] if f["what"] == "texts of cup")
    assert (
        code == 1
        and f"{name[:16]}… of event 4" in found
        and f"{note[:16]}… of event 3 of the score sheet of cup.1.1" in found
    )


def test_what_was_erased_is_not_lost(house, tmp_path, arbiter):
    note = annotated(house)
    organiser = Caller(house.client, tokens.issue(tmp_path, "organiser", "li.wei"))
    assert organiser("DELETE", f"{T}/texts/{note}").status_code == 200
    assert "texts" not in readiness(house) and lost(house) == 0
    assert house("GET", f"{T}/integrity").get_json()["texts"] == []
    assert "texts of cup" not in arbiter("doctor", "--data", tmp_path, "--json")[1]


def test_a_text_that_comes_after_its_line_is_not_told(house, tmp_path):
    # given services apart, where the text lies in another topic than the line that names it
    note = annotated(house)
    log = embedded_desk.open_log(tmp_path)
    looks = metrics.LostTexts(log)
    (text,) = log.texts([note]).values()
    lose(tmp_path, note)
    assert looks.facts() == {}
    with log.transaction() as tx:
        tx.put_texts([text])
    assert looks.facts() == {}
    log.close()


def test_a_long_log_is_read_a_part_at_a_look(house, tmp_path, monkeypatch):
    note = annotated(house)
    lose(tmp_path, note)
    monkeypatch.setattr(metrics, "_AT_ONCE", 1)
    log = embedded_desk.open_log(tmp_path)
    looks = metrics.LostTexts(log)
    told = next(n for n in count(1) if looks.facts())
    assert told > len(log.own_tail(0, 100)) > 3, "one line at a look, and the text of the sheet's is asked for twice"
    log.close()
