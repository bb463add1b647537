"""Appeals over HTTP: lodged, decided, and read back."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from services.pairing.rules import RULES as PAIRING_RULES
from services.penalties.rules import RULES as PENALTIES_RULES
from shared.core.terms import PAIRING, PENALTIES, Role
from shared.desk.desk import Desk
from shared.desk.event_writer import Clock
from shared.http.identity import tokens
from tests.http.calls import Call, audited_desk, calls_on, pair_by_hand
from tests.http.test_penalties import CUP, FOUL, T, an_app
from tests.rows.marks import plays

CHANGES = {"out_of_force", "in_force_again", "reopened"}
RULES = {PAIRING: PAIRING_RULES, PENALTIES: PENALTIES_RULES}


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    tokens.ensure_keys(tmp_path)
    with audited_desk(tmp_path, RULES, "T") as desk:
        yield desk


@pytest.fixture
def call(desk: Desk, tmp_path: Path) -> Call:
    """Round 1 of T is paired by hand: 1-2, 3-4."""
    one = calls_on(an_app(tmp_path, desk), tmp_path, "arbiter")
    pair_by_hand(one, CUP)
    return one


def test_an_appeal_from_lodging_to_annulment(call: Call) -> None:
    ruling = call("POST", f"{T}/rulings", FOUL).json["events"][0]
    lodged = call("POST", f"{T}/appeals", {"ruling": "r1", "by": 1, "grounds": "it was adjusted"}, "player", name="1")
    appeal, event = lodged.json["appeal"], lodged.json["events"][0]
    assert ruling["time"] <= event["data"]["lodged"] <= event["time"]
    assert call("GET", f"{T}/appeals").json["appeals"][0]["lodged"] == event["data"]["lodged"]
    assert call("GET", f"{T}/appeals").json["appeals"][0]["upheld"] is None
    decided = call("POST", f"{T}/appeals/{appeal}/decision", {"upheld": True, "grounds": "seen"}, "appeals")
    assert (decided.status_code, decided.json["brought"]) == (201, ["r4"])
    assert call("GET", f"{T}/rulings/r1").json["standing"] is False


def test_appeal_is_read_back_with_its_grounds_and_its_decision(call: Call) -> None:
    call("POST", f"{T}/rulings", FOUL)
    sent = {"ruling": "r1", "by": 1, "grounds": "it was adjusted"}
    lodged = call("POST", f"{T}/appeals", sent, "player", name="1").json["events"][0]
    read = call("GET", f"{T}/appeals/a2", role="chief_arbiter").json
    assert (read["grounds"], read["actor"], read["role"], read["time"]) == (
        sent["grounds"],
        "1",
        "player",
        lodged["time"],
    )
    assert read["decision"] is None
    decided = call("POST", f"{T}/appeals/a2/decision", {"upheld": False, "grounds": "seen"}, "appeals").json["events"][
        0
    ]
    read = call("GET", f"{T}/appeals/a2", role="auditor").json
    assert read["decision"] == {
        "seq": read["seq"] + 1,
        "actor": "appeals",
        "role": "appeals",
        "time": decided["time"],
        "upheld": False,
        "article": read["article"],
        "grounds": "seen",
    }
    assert call("GET", f"{T}/appeals", role="auditor").json["appeals"] == [read]


@pytest.mark.parametrize("query", ["", "?events=false"])
def test_upheld_appeal_lists_lapsed_rulings_and_reopened_games(call: Call, desk: Desk, query: str) -> None:
    made = [call("POST", f"{T}/rulings", FOUL).json for _ in range(3)][-1]
    assert made["brought"] == ["r4"] and not CHANGES & made.keys(), "the third foul loses the game"
    call("POST", f"{T}/appeals", {"ruling": "r1", "by": 1, "grounds": "unfair"}, "chief_arbiter")
    decided = call("POST", f"{T}/appeals/a5/decision{query}", {"upheld": True, "grounds": "seen"}, "appeals").json
    assert (decided["out_of_force"], decided["reopened"]) == (["r1", "r4"], ["T.1.1"])
    assert "in_force_again" not in decided
    came = desk.consequences("T", decided["follows"].rpartition("/")[2])
    assert came is not None and came.unlisted_changes() == {"out_of_force": ("r1", "r4"), "reopened": ("T.1.1",)}
    restored = call("POST", f"{T}/rulings/r7/annulment", {"reason": "a slip"}, "appeals").json
    assert restored["in_force_again"] == ["r1", "r4"] and "reopened" not in restored


@pytest.mark.parametrize("role", [None, "player", "board"])
def test_grounds_of_an_appeal_are_absent_for_readers_without_texts(call: Call, role: Role | None) -> None:
    call("POST", f"{T}/rulings", FOUL)
    call("POST", f"{T}/appeals", {"ruling": "r1", "by": 1, "grounds": "unfair"}, "chief_arbiter")
    call("POST", f"{T}/appeals/a2/decision", {"upheld": False, "grounds": "seen"}, "appeals")
    answer = call("GET", f"{T}/appeals/a2", role=role, name="1" if role else None)
    assert "grounds" not in answer.json and "grounds" not in answer.json["decision"]
    assert answer.headers["Cache-Control"] != "no-store" and "Authorization" in answer.vary
    texts = call("GET", f"{T}/appeals/a2", role="chief_arbiter")
    assert texts.json["grounds"] == "unfair" and texts.headers["Cache-Control"] == "no-store"


def test_rulings_are_read_back_with_note_and_reason_in_words_by_readers_of_texts(call: Call) -> None:
    call("POST", f"{T}/rulings", FOUL | {"note": "touched twice"})
    call("POST", f"{T}/rulings/r1/annulment", {"reason": "a slip"}, "appeals")
    first, last = call("GET", f"{T}/rulings", role="chief_arbiter").json["rulings"]
    assert (first["note_text"], last["reason_text"]) == ("touched twice", "a slip")
    assert "reason_text" not in first and "note_text" not in last
    assert call("GET", f"{T}/rulings/r1", role="auditor").json["note_text"] == "touched twice"
    player = call("GET", f"{T}/rulings/r1", role="player").json
    for public in (*call("GET", f"{T}/rulings", role=None).json["rulings"], player):
        assert public.keys().isdisjoint({"note_text", "reason_text"})


@pytest.mark.parametrize(
    ("sent", "role", "name", "status", "code", "allowed"),
    [
        ({"by": 3}, "player", "3", 403, "not-concerned", "only player 1 may appeal"),
        ({"by": 2}, "player", "2", 403, "not-concerned", "only player 1 may appeal"),
        ({"by": 3}, "chief_arbiter", None, 409, "not-concerned", "only player 1 may appeal"),
        ({"by": 1}, "player", "2", 403, "another-players", "only player 1 or an official can"),
        ({"by": 1}, "auditor", None, 403, "role-may-not", "roles that may: player or"),
        ({"by": 1}, "board", None, 403, "role-may-not", "roles that may: player or"),
    ],
)
def test_an_appeal_that_is_not_the_callers(
    call: Call, sent: dict[str, Any], role: Role, name: str | None, status: int, code: str, allowed: str
) -> None:
    call("POST", f"{T}/rulings", FOUL)
    answer = call("POST", f"{T}/appeals", {"ruling": "r1", "grounds": "unfair"} | sent, role, name=name)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (status, code)
    assert answer.json["article"] == "002-X 8.5" and allowed in answer.json["detail"]
    assert call("GET", f"{T}/appeals").json["appeals"] == []


@plays("rulebook.appeals.within", 86_400)
@pytest.mark.parametrize(("seconds", "status"), [(86_400, 201), (86_401, 409)])
def test_an_appeal_is_taken_until_the_deadline_of_the_regulations(tmp_path: Path, seconds: int, status: int) -> None:
    """Told by the desk's own clock, and decided again by the time in the line."""
    tokens.ensure_keys(tmp_path)
    now = [datetime(2026, 11, 21, 9, 30, tzinfo=UTC)]
    with audited_desk(tmp_path, RULES, "T", clock=Clock(lambda: now[0])) as desk:
        call = calls_on(an_app(tmp_path, desk), tmp_path, "arbiter")
        pair_by_hand(call, CUP | {"time_zone": "Asia/Shanghai"})
        call("POST", f"{T}/rulings", FOUL)
        now[0] += timedelta(seconds=seconds)
        answer = call("POST", f"{T}/appeals", {"ruling": "r1", "by": 1, "grounds": "I slept"}, "player", name="1")
        assert answer.status_code == status, answer.json
        if status == 409:
            assert answer.json["type"].endswith(":appeal-too-late")
            assert answer.json["article"].startswith("house: one day")
            assert "until 2026-11-22 17:30:00 +08:00; now it can only be annulled by appeals" in answer.json["detail"]
            left = call("POST", f"{T}/rulings/r1/annulment", {"reason": "he was right"}, "appeals")
            assert left.status_code == 201


def test_an_organiser_sets_another_deadline(tmp_path: Path) -> None:
    tokens.ensure_keys(tmp_path)
    now = [datetime(2026, 11, 21, 9, 30, tzinfo=UTC)]
    with audited_desk(tmp_path, RULES, "T", clock=Clock(lambda: now[0])) as desk:
        call = calls_on(an_app(tmp_path, desk), tmp_path, "arbiter")
        pair_by_hand(
            call, CUP | {"regulations": "fide-2026", "game": "chess", "changes": {"rulebook.appeals.within": 3600}}
        )
        call("POST", f"{T}/rulings", FOUL)
        now[0] += timedelta(seconds=3601)
        answer = call("POST", f"{T}/appeals", {"ruling": "r1", "by": 1, "grounds": "I slept"}, "player", name="1")
        assert (answer.status_code, answer.json["article"][:10]) == (409, "Laws 11.10")
