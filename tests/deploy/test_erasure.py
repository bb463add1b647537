"""After a text was erased no byte of it is in any file of the data folder, and no page that was kept counts as still good."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from deploy.server import embedded, embedded_desk
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.log.port import Text
from shared.log.sqlite import SqliteLog
from tests.http.conftest import Caller

ERASED = "Evgeniya Zabolotskaya-Přibyslavická"
OTHERS = [f"Neighbour {n} {'of a longer name ' * (n % 40)}"[:100].strip() for n in range(1, 200)]


@pytest.fixture
def house(tmp_path):
    """An organiser, in a house whose server runs on ``tmp_path``."""
    app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
    yield Caller(app.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    close(app)


def announced(house: Caller) -> None:
    sent = {"id": "cup", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    assert house("POST", "/v1/tournaments", sent).status_code == 201


def entered(house: Caller, names: list[str]) -> None:
    sent = {"players": [{"name": name, "club": f"Club of {name}"[:100]} for name in names]}
    key = {"Idempotency-Key": f"entries-{len(names)}-{names[0][:9].replace(' ', '')}"}
    assert house("POST", "/v1/tournaments/cup/entries", sent, headers=key).status_code == 201


def hashes(house: Caller) -> dict[str, str]:
    """Text → hash."""
    return {x["text"]: x["hash"] for x in house("GET", "/v1/tournaments/cup/texts").get_json()["texts"]}


def erase(house: Caller, *texts: str) -> None:
    known = hashes(house)
    for text in texts:
        assert house("DELETE", f"/v1/tournaments/cup/texts/{known[text]}").status_code == 200


def files_with(folder: Path, texts: list[str]) -> dict[str, list[str]]:
    """File → which of the texts its bytes hold, as they are or as JSON escapes them."""
    found = {}
    for file in folder.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        held = [t for t in texts if t.encode() in content or json.dumps(t)[1:-1].encode() in content]
        if held:
            found[file.name] = held
    return found


def test_no_file_of_the_folder_holds_what_was_erased_while_the_server_runs(house, tmp_path):
    announced(house)
    entered(house, [ERASED, *OTHERS])
    assert files_with(tmp_path, [ERASED]) != {}
    erase(house, ERASED, f"Club of {ERASED}")
    assert files_with(tmp_path, [ERASED]) == {}
    assert files_with(tmp_path, OTHERS) != {}


def test_copies_that_pages_keep_of_rows_that_moved_are_gone_too(tmp_path):
    # given texts of many lengths that come and go, by a seed with which one of 1,393 stayed when SQLite alone overwrote
    chance, log = Random(0), SqliteLog(tmp_path / "log.db")
    live: list[tuple[str, str]] = []
    erased: set[bytes] = set()
    for _ in range(20):
        with log.transaction() as tx:
            for _ in range(150):
                if chance.random() < 0.55 or not live:
                    live.append((chance.randbytes(32).hex(), f"<{len(live) + len(erased)}>"))
                    hash, mark = live[-1]
                    text = mark + "x" * chance.choice([10, 30, 60, 200, 1000, 5000])
                    tx.put_texts([Text(hash, chance.randbytes(16).hex(), text, chance.choice("ABC"))])
                else:
                    hash, mark = live.pop(chance.randrange(len(live)))
                    tx.erase_text(hash)
                    erased.add(mark.encode())
    # then those that live are there, and of the others no file holds a byte
    assert {x.hash for t in "ABC" for x in log.tournament_texts(t)} == {hash for hash, _ in live}
    held = set(re.findall(rb"<\d+>", b"".join(file.read_bytes() for file in tmp_path.iterdir())))
    assert held & erased == set()
    assert len(held) == len(live)
    log.close()


def test_a_database_in_which_an_earlier_version_erased_is_written_anew_when_it_is_opened(tmp_path):
    app = embedded.make_app(tmp_path, Limits(rate=0))
    house = Caller(app.test_client(), tokens.issue(tmp_path, "organiser", "li.wei"))
    announced(house)
    entered(house, [ERASED, *OTHERS])
    close(app)
    # given what a version did that only marked what it erased
    connection = sqlite3.connect(tmp_path / "arbiter.db", isolation_level=None)
    connection.execute("PRAGMA secure_delete=OFF")
    connection.execute("DELETE FROM texts WHERE instr(text, ?)", (ERASED,))
    connection.execute("PRAGMA user_version=0")
    connection.close()
    assert files_with(tmp_path, [ERASED]) == {"arbiter.db": [ERASED]}
    # when this version opens it
    embedded_desk.open_log(tmp_path).close()
    assert files_with(tmp_path, [ERASED]) == {}


def test_a_log_of_writes_that_a_fallen_process_left_is_cut_with_the_next_commit(house, tmp_path, monkeypatch):
    announced(house)
    entered(house, [ERASED, *OTHERS])
    # given a process that fell between the commit and the cut
    fallen = tmp_path / "fallen"
    with monkeypatch.context() as without:
        without.setattr("shared.log.sqlite.cut_wal", lambda engine: False)
        erase(house, ERASED, f"Club of {ERASED}")
        fallen.mkdir()
        for file in tmp_path.glob("arbiter.*"):
            shutil.copy(file, fallen)
    assert "arbiter.db-wal" in files_with(fallen, [ERASED])
    # when its folder is opened and written
    log = embedded_desk.open_log(fallen)
    with log.transaction():
        pass
    assert files_with(fallen, [ERASED]) == {}
    log.close()


def test_where_a_reader_is_in_the_way_the_log_is_cut_with_a_later_commit(house, tmp_path, monkeypatch):
    monkeypatch.setattr("shared.log.sql.erasure._CUT_MS", 1)
    announced(house)
    entered(house, [ERASED, *OTHERS])
    reader = sqlite3.connect(tmp_path / "arbiter.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM texts").fetchone()
    erase(house, ERASED, f"Club of {ERASED}")
    assert files_with(tmp_path, [ERASED]) != {}
    reader.close()
    entered(house, ["Somebody Else"])
    assert files_with(tmp_path, [ERASED]) == {}


@pytest.mark.parametrize(
    "path",
    [
        "/v1/tournaments/cup/texts?at={at}",
        "/v1/tournaments/cup/rounds/1?at={at}",
        "/v1/games/cup.1.1?at={at}",
        "/v1/tournaments/cup/standings?at={at}",
    ],
)
def test_a_page_of_the_past_that_was_kept_with_the_name_is_not_taken_as_still_good(house, path):
    announced(house)
    entered(house, [ERASED, "Li Wei"])
    at = house("GET", "/v1/tournaments/cup").headers["ETag"]
    paired = house("POST", "/v1/tournaments/cup/rounds", {}, headers={"If-Match": at})
    path = path.format(at=paired.headers["ETag"].strip('"'))
    before = house("GET", path)
    assert before.status_code == 200, before.text
    tag = before.headers["ETag"]
    assert house("GET", path, headers={"If-None-Match": tag}).status_code == 304
    erase(house, ERASED, f"Club of {ERASED}")
    after = house("GET", path, headers={"If-None-Match": tag})
    if ERASED in before.get_data(as_text=True):
        assert (after.status_code, ERASED in after.get_data(as_text=True)) == (200, False)
    else:
        assert after.status_code == 304


LIVE = ("changes", "audit", "static", "services")
"""In addresses of streams, of what another process computes, and of what is none of a tournament's."""
IDS = {"t": "cup", "g": "cup.1.1", "r": "r1", "seq": "3"}


def addresses(app: Flask) -> Iterator[str]:
    """Every address that is read, of a tournament with one round and one ruling."""
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not any(part in rule.rule for part in LIVE):
            yield re.sub(r"<(?:[^:<>]*:)?(\w+)>", lambda name: IDS.get(name[1], "1"), rule.rule)


def test_no_page_and_no_answer_that_told_the_name_tells_it_again_or_is_taken_as_still_good(house, tmp_path):
    announced(house)
    sent = {"name": "zabol", "role": "arbiter", "person": ERASED}
    assert house("POST", "/v1/tournaments/cup/officials", sent).status_code == 201
    entered(house, [ERASED, "Li Wei", "Zhang Min", "Wu Lan"])
    at = house("GET", "/v1/tournaments/cup").headers["ETag"]
    assert house("POST", "/v1/tournaments/cup/rounds", {}, headers={"If-Match": at}).status_code == 201
    hall = Caller(house.client, tokens.issue(tmp_path, "arbiter", "zabol"))
    foul = {"player": 1, "round": 1, "infraction": "foul", "note": f"seen by {ERASED}"}
    assert hall("POST", "/v1/tournaments/cup/rulings", foul).status_code == 201
    seq = house("GET", "/v1/tournaments/cup").headers["ETag"].strip('"')
    # given all that tells the name, as of now and as of a line of the past
    kept = {}
    for address in sorted(set(addresses(house.client.application))):
        for asked in (address, f"{address}?at={seq}"):
            for accept in ("text/html", "*/*"):
                answer = house("GET", asked, headers={"Accept": accept})
                if answer.status_code == 200 and ERASED.encode() in answer.data:
                    kept[asked, accept] = answer
    assert len(kept) > 100
    # when the name is erased wherever it stands
    for text in house("GET", "/v1/tournaments/cup/texts").get_json()["texts"]:
        if ERASED in text["text"]:
            assert house("DELETE", f"/v1/tournaments/cup/texts/{text['hash']}").status_code == 200
    # then whoever has kept one and asks whether it is still good is told otherwise
    for (asked, accept), before in kept.items():
        tag = before.headers.get("ETag")
        after = house("GET", asked, headers={"Accept": accept} | ({"If-None-Match": tag} if tag else {}))
        assert (after.status_code, ERASED.encode() in after.data) == (200, False), asked
        assert {"no-cache", "no-store"} & set(before.headers.get("Cache-Control", "no-cache").split(", ")), asked


def test_the_etag_of_the_past_is_taken_as_what_the_caller_saw(house):
    announced(house)
    tag = house("GET", "/v1/tournaments/cup?at=1").headers["ETag"]
    assert tag.startswith('"1-')
    entered(house, ["Li Wei", "Zhang Min"])
    stale = house("POST", "/v1/tournaments/cup/rounds", {}, headers={"If-Match": tag})
    assert (stale.status_code, stale.get_json()["type"]) == (412, "urn:arbiter:problem:stale")


def test_an_officials_name_is_erased_as_a_players_is_and_his_handle_stays(house, tmp_path):
    announced(house)
    sent = {"name": "zabol", "role": "arbiter", "person": ERASED}
    assert house("POST", "/v1/tournaments/cup/officials", sent).status_code == 201
    assert files_with(tmp_path, [ERASED]) != {}
    pages = ("/t/cup/roles", "/v1/tournaments/cup")
    assert any(ERASED in house("GET", page).text for page in pages)
    erase(house, ERASED)
    assert files_with(tmp_path, [ERASED]) == {}
    assert all(ERASED not in house("GET", page).text for page in pages)
    assert "zabol" in house("GET", "/t/cup/roles").text
    # appointed again, he has his name again, and that too can be erased
    assert house("POST", "/v1/tournaments/cup/officials", {**sent, "role": "deputy_chief_arbiter"}).status_code == 201
    erase(house, ERASED)
    assert files_with(tmp_path, [ERASED]) == {}


def test_what_is_kept_of_a_request_lets_nobody_try_out_what_stood_in_it(tmp_path):
    """The same request in two houses: who holds one database, and not the key beside it, learns nothing from the digest."""
    digests = []
    for name in ("here", "there"):
        app = embedded.make_app(tmp_path / name, Limits(rate=0))
        try:
            house = Caller(app.test_client(), tokens.issue(tmp_path / name, "organiser", "li.wei"))
            announced(house)
            entered(house, [ERASED])
            again = {"Idempotency-Key": "entries-1-Evgeniya"}
            other = house("POST", "/v1/tournaments/cup/entries", {"players": [{"name": "another"}]}, headers=again)
            assert other.status_code == 422
        finally:
            close(app)
        with sqlite3.connect(tmp_path / name / "arbiter.db") as db:
            digests.append([body for (body,) in db.execute("SELECT body FROM kept WHERE body <> '' ORDER BY rowid")])
    here, there = digests
    assert here and len(here) == len(there) and not set(here) & set(there)
