"""The number of rounds, and the next one to pair, on every page from the first round to the end of the event."""

import re
from pathlib import Path

import pytest
from flask import Flask

from tests.forms.conftest import Comes
from tests.http.calls import Call
from tests.http.forms import entered

KNOCKOUT = {"format": "knockout", "rounds": 5, "conditions": {"games": 2, "best": False, "extra": 1, "places": True}}
"""Five rounds are announced by mistake: a knock-out of four with two games has four, or more with extra games."""


def play(call: Call, t: str, result: str) -> int:
    """Pair the next round and report one result for all its boards. Return its number."""
    seen = call("GET", f"/v1/tournaments/{t}").headers["ETag"]
    paired = call("POST", f"/v1/tournaments/{t}/rounds", {}, If_Match=seen)
    assert paired.status_code == 201, paired.text
    said = [{"board": b["board"], "result": result} for b in paired.json["boards"]]
    sent = {"round": paired.json["round"], "results": said}
    assert call("POST", f"/v1/tournaments/{t}/results", sent).status_code == 201
    return int(paired.json["round"])


def words(comes: Comes, path: str, *, role: str | None = "chief_arbiter") -> str:
    text = re.sub(r"<[^>]+>|[\u2066-\u2069]", " ", comes(role).sees(path).text)
    return re.sub(r"\s+", " ", text)


def check_offers(comes: Comes, t: str, round: int, planned: str, following: int | None) -> None:
    """Check what each page says of the rounds, and that the desk, the round and the event offer only ``following``."""
    card = next(one for one in comes(None).sees("/").text.split("<li>") if f'href="/t/{t}"' in one)
    assert f"round {round}{planned}" in card and " of 5" not in card
    for path in ("/t/<t>", f"/t/<t>/rounds/{round}", "/t/<t>/office", "/t/<t>/closing"):
        pairings = set(re.findall(r"/rounds/(\d+)/pairing", comes("chief_arbiter").sees(path).text)) - {str(round)}
        assert pairings == ({str(following)} if following else set()), path
    assert f"round {round}{planned} " in words(comes, "/t/<t>")


@pytest.mark.parametrize("lasting", [False, True])
def test_finished_knock_out_offers_no_round_and_counts_only_its_own(
    app: Flask, data: Path, t: str, comes: Comes, lasting: bool
):
    call = entered(app, data, t, 4, regulations="fide-2026", game="chess", **KNOCKOUT)
    for n in range(1, 4):
        assert play(call, t, "1-0" if n == 2 else "1/2-1/2") == n
        check_offers(comes, t, n, "", n + 1)
    assert play(call, t, "1/2-1/2" if lasting else "1-0") == 4
    if lasting:
        check_offers(comes, t, 4, "", 5)
        assert play(call, t, "1-0") == 5
    last = 5 if lasting else 4
    check_offers(comes, t, last, "", None)
    assert f"Rounds: {last} are paired; the bracket is over" in words(comes, "/t/<t>/closing")
    assert "Close the event" in words(comes, f"/t/<t>/rounds/{last}")
    assert comes("chief_arbiter").fills("/t/<t>/publication", final="yes").status_code == 303
    assert "Pair round" not in words(comes, "/t/<t>") and "finished" in words(comes, "/t/<t>")


def test_finished_swiss_offers_no_round(app: Flask, data: Path, t: str, comes: Comes):
    call = entered(app, data, t, 4, rounds=2)
    assert play(call, t, "1-0") == 1
    check_offers(comes, t, 1, " of 2", 2)
    assert "Rounds: 1 of 2 are paired" in words(comes, "/t/<t>/closing")
    assert play(call, t, "1-0") == 2
    check_offers(comes, t, 2, " of 2", None)
    assert "Rounds: all 2 are paired" in words(comes, "/t/<t>/closing")
    assert "Close the event" in words(comes, "/t/<t>/rounds/2")


def test_round_robin_has_the_rounds_of_its_table(app: Flask, data: Path, t: str, comes: Comes):
    call = entered(app, data, t, 4, rounds=5, format="round_robin")
    assert "3 rounds, none paired yet" in words(comes, "/t/<t>")
    assert [play(call, t, "1-0") for _ in range(3)] == [1, 2, 3]
    assert "round 3 of 3" in words(comes, "/t/<t>")
    assert "Rounds: all 3 are paired" in words(comes, "/t/<t>/closing")
    assert "Pairing of round" not in words(comes, "/t/<t>/office")
