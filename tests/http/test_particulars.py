"""Where, when and in which time zone a competition is played, and what an entry says of a player beside the name."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from deploy.imports.file_event import AS_STATED, file_event
from deploy.imports.hall import Hall, as_entry
from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from shared.trf.reader import read
from tests.http.calls import Call, calls_on

T = "/v1/tournaments/T"
CUP = {"id": "T", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}
WHERE = {"place": "杭州 <棋院>", "begins": "2026-03-07", "ends": "2026-03-08", "time_zone": "Asia/Shanghai"}
PLAYER = {"id": 1, "name": "李 & 娜", "club": "棋院", "sex": "f", "birth_year": 1998, "fide_id": "8603677"}


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    made = embedded.make_app(tmp_path_factory.mktemp("particulars"), Limits(rate=0, reads=0))
    yield made
    close(made)


@pytest.fixture(scope="module")
def call(app: Flask, tmp_path_factory: pytest.TempPathFactory) -> Call:
    call = calls_on(app, Path(tmp_path_factory.getbasetemp()) / "particulars0", "organiser")
    assert call("POST", "/v1/tournaments", CUP | WHERE).status_code == 201
    players = [PLAYER, {"id": 2, "name": "Anon", "sex": "m"}]
    assert call("POST", f"{T}/entries", {"players": players}).status_code == 201
    return call


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"begins": "07.03.2026"}, "begins"),
        ({"begins": "2026-02-30"}, "begins"),
        ({"ends": "20260308"}, "ends"),
        ({"begins": "2026-03-08", "ends": "2026-03-07"}, "ends"),
        ({"time_zone": "Asia/Nowhere"}, "time_zone"),
        ({"time_zone": "../../etc/passwd"}, "time_zone"),
        ({"place": "x" * 201}, "place"),
    ],
)
def test_what_is_no_place_no_day_and_no_zone_is_refused_by_name(call: Call, wrong: dict[str, Any], field: str):
    answer = call("POST", "/v1/tournaments", CUP | {"id": "other"} | WHERE | wrong)
    assert answer.status_code == 422
    assert field in (answer.json.get("errors") or {answer.json.get("where"): 1})


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"sex": "x"}, "sex"), ({"birth_year": 98}, "birth_year"), ({"fide_id": "86O"}, "fide_id")],
)
def test_what_is_no_particular_is_refused_by_name(call: Call, wrong: dict[str, Any], field: str):
    answer = call("POST", f"{T}/entries", {"players": [{"name": "New"} | wrong]})
    assert answer.status_code == 422
    assert field in str(answer.json["errors"])


def test_pages_show_them_and_times_in_the_zone_of_the_tournament(app: Flask, call: Call):
    client = app.test_client()
    about = client.get("/t/T").text
    assert "杭州 &lt;棋院&gt;" in about and "2026-03-08" in about and "Asia/Shanghai" in about
    assert "杭州" in client.get("/").text
    assert "+08:00" in client.get("/t/T/log").text
    card = call("GET", "/t/T/players/1").text
    assert "1998" in card and "8603677" in card and "棋院" in card


def test_a_file_has_them_and_gives_them_back(app: Flask, call: Call):
    file = read(call("GET", f"{T}/trf").data, "cup.trf")
    assert (file.settings.city, file.settings.begins, file.settings.ends) == ("杭州 <棋院>", "2026/03/07", "2026/03/08")
    hall = Hall(file, None, file_event(file, AS_STATED))
    assert hall.occasion == {name: WHERE[name] for name in ("place", "begins", "ends")}
    again = as_entry(file.numbered[1])
    assert {name: again[name] for name in ("sex", "birth_year", "fide_id")} == {
        name: PLAYER[name] for name in ("sex", "birth_year", "fide_id")
    }


def test_the_log_has_only_their_hashes_and_each_is_erased_like_a_name(app: Flask, call: Call):
    line = call("GET", f"{T}/events?type=arbiter.player.entered.v2").json["events"][0]["event"]["data"]
    assert all(set(line[name]) == {"text"} for name in ("name", "club", "sex", "birth_year", "fide_id"))
    assert call("DELETE", f"{T}/texts/{line['fide_id']['text']}").status_code == 200
    card = call("GET", "/t/T/players/1").text
    assert "8603677" not in card and "1998" in card
    assert call("GET", f"{T}/audit").json["verdict"] == "agrees"
