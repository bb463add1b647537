"""What a house must stand: lines that it cannot read, a clock that jumps back, a disk that is full."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest

from deploy.server.keys.house_signer import HouseSigner
from deploy.server.keys.signing_key import LOG
from deploy.server.rules import RULES
from services.pairing.rules.commands import EnterPlayers, Entry
from shared.audit.audit import Evidence, audit
from shared.core.terms import PAIRING
from shared.desk.computations.child_process import ChildProcess
from shared.desk.desk import Behind, Desk, Receipt, Request
from shared.desk.event_writer import Clock
from shared.desk.requests import Job
from shared.log.port import LogFull
from shared.log.sqlite import SqliteLog
from shared.log.texts import Texts
from shared.wire.envelope import read
from tests.histories import CHIEF, NAME, begin
from tests.house_keys import KEYS
from tests.stories.conftest import Story
from tests.stories.hall import Embedded

T, U = "/v1/tournaments/T", "/v1/tournaments/U"


@pytest.fixture
def houses() -> Iterator[Callable[[Path], Story]]:
    """Opens the house of a folder; all are closed at the end."""
    opened: list[Embedded] = []

    def open_house(data: Path) -> Story:
        opened.append(Embedded(data))
        return Story(opened[-1])

    yield open_house
    for hall in opened:
        hall.close()


def newer(line: bytes) -> bytes:
    """The line in a version that only a later release reads."""
    event = json.loads(line)
    return json.dumps(event | {"type": event["type"].rpartition(".")[0] + ".v9"}).encode()


@pytest.mark.parametrize(
    ("change", "why"),
    [(newer, "unknown event type"), (lambda line: line[: len(line) // 2], "line 8 cannot be read")],
    ids=["of an unknown version", "cut in half"],
)
def test_a_line_that_cannot_be_read_stops_one_tournament_and_the_others_flow(
    tmp_path: Path, houses: Callable[[Path], Story], change: Callable[[bytes], bytes], why: str
) -> None:
    # given two tournaments, of which one has an eighth line that this version does not read
    story = houses(tmp_path)
    story.announced()
    story.ask("POST", "/v1/tournaments", _cup("U"), "chief_arbiter")
    lines = story.hall.lines("T")
    story.hall.close()
    with sqlite3.connect(tmp_path / LOG) as database:
        database.execute("UPDATE events SET line = ? WHERE stream = 'tournaments/T' AND seq = 8", (change(lines[7]),))
    again = houses(tmp_path)

    # then every service takes no command for it, and reads stay at the last good line
    sent = {
        "entries": {"players": [{"name": "x"}]},
        "results": {"round": 1, "results": [{"board": 1, "result": "1-0"}]},
        "rulings": {"player": 1, "round": 1, "infraction": "foul"},
        "publications": {},
    }
    for what, body in sent.items():
        refused = again.ask("POST", f"{T}/{what}", body, "chief_arbiter", If_Match='"7"')
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "30"), what
        assert why in refused.json["detail"]
    for service in ("pairing", "games", "penalties", "standings"):
        told = again.ask("GET", f"/services/{service}{T}").json
        assert told["seq"] == 7 and why in told["stopped"]
    assert len(again.ask("GET", f"{T}/standings").json["players"]) == 1

    # and the audit names the line, while the other tournament goes on
    verdict = again.ask("GET", f"{T}/audit").json
    assert (verdict["verdict"], verdict["first"]["line"]) == ("differs", 8)
    assert verdict["unchecked"] == len(lines) - 7
    assert again.ask("POST", f"{U}/entries", sent["entries"], "chief_arbiter").status_code == 201


def _cup(id: str) -> dict[str, Any]:
    return {"id": id, "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}


def test_a_clock_that_jumps_back_never_takes_the_log_back(tmp_path: Path) -> None:
    # given a desk whose clock is set back by an hour, and later by a day
    noon = datetime(2026, 11, 21, 12, tzinfo=UTC)
    jumps = [0, 1, -3600, -3599, 2, -86_400, 5, 4]
    now = iter([noon + timedelta(seconds=s) for s in jumps for _ in range(2)] + [noon] * 100)
    signer = HouseSigner(tmp_path)
    desk = Desk(SqliteLog(tmp_path / LOG), RULES, signer.sign, keys=KEYS, clock=Clock(lambda: next(now)), threads=False)

    # when it writes all the while
    begin(desk, "T")
    for _ in jumps:
        outcome = desk.submit(PAIRING, "T", EnterPlayers(CHIEF, (Entry(None, NAME),)))
        assert isinstance(outcome, Receipt)
    lines = [row.line for row in desk.lines("tournaments/T")]
    desk.close()

    # then no time in the log lies before the one above it, ids are unique, and the audit agrees
    events = [read(line, n) for n, line in enumerate(lines, 1)]
    times = [datetime.fromisoformat(e.time) for e in events]
    assert times == sorted(times) and times[0] < times[-1]
    assert len({e.id for e in events}) == len(events) > len(jumps)
    report = audit(lines, RULES, Evidence(sheets={}, keys=(signer.verifier,)))
    assert (report.findings, report.unchecked, report.decided) == ([], {}, len(lines))


def _entering(desk: Desk, key: str, length: int) -> Job:
    texts = Texts("T")
    name = texts.ref("x" * length)
    assert name is not None
    request = Request(key=key, body=key, texts=tuple(texts.all))
    return Job(PAIRING, "T", EnterPlayers(CHIEF, (Entry(None, name),)), request, str(uuid5(NAMESPACE_OID, key)))


def test_of_a_batch_on_a_full_disk_what_fits_is_written_whole_and_the_rest_not_at_all(tmp_path: Path) -> None:
    # given a disk with room for little more
    signer = HouseSigner(tmp_path)
    log = SqliteLog(tmp_path / LOG)
    desk = Desk(log, RULES, signer.sign, keys=KEYS, threads=False)
    begin(desk, "T")
    with log.transaction() as tx:
        pages = tx.connection.exec_driver_sql("PRAGMA page_count").scalar()
        tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {int(pages or 0) + 12}")

    # when a batch of three comes, of which the second needs far more
    batch = [_entering(desk, "a", 10), _entering(desk, "b", 300_000), _entering(desk, "c", 10)]
    before = len(desk.lines("tournaments/T"))
    desk.writer.run(batch)

    # then the first and the third are in the log, and of the second nothing is, neither line nor text nor answer
    assert isinstance(batch[0].outcome.wait(), Receipt) and isinstance(batch[2].outcome.wait(), Receipt)
    with pytest.raises(LogFull):
        batch[1].outcome.wait()
    lines = [row.line for row in desk.lines("tournaments/T")]
    assert len(lines) == before + 2
    assert {len(text.text) for text in desk.log.tournament_texts("T")} == {10}
    with log.transaction() as tx:
        assert set(tx.kept_answers(["a", "b", "c"])) == {"a", "c"}

    # and with room again the same command is followed
    with log.transaction() as tx:
        tx.connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    again = _entering(desk, "b", 300_000)
    desk.writer.run([again])
    assert isinstance(again.outcome.wait(), Receipt)
    lines = [row.line for row in desk.lines("tournaments/T")]
    report = audit(lines, RULES, Evidence(sheets={}, keys=(signer.verifier,)))
    assert (report.findings, report.decided) == ([], before + 3)
    desk.close()


def test_an_audit_whose_child_died_is_to_be_asked_for_again(
    tmp_path: Path, houses: Callable[[Path], Story], monkeypatch: pytest.MonkeyPatch
) -> None:
    story = houses(tmp_path)
    story.announced()
    assert isinstance(story.hall, Embedded)

    def died(*_: object, **__: object) -> None:
        raise Behind("the child process died while computing")

    monkeypatch.setattr(ChildProcess, "run", died)
    for what in ("audit", "integrity"):
        answer = story.ask("GET", f"{T}/{what}")
        assert (answer.status_code, answer.json["type"]) == (503, "urn:arbiter:problem:behind"), what
        assert answer.headers["Retry-After"] == "1"


def test_an_unknown_tournament_is_unknown_to_every_service(tmp_path: Path, houses: Callable[[Path], Story]) -> None:
    story = houses(tmp_path)
    none = "/v1/tournaments/none"
    sent: dict[str, dict[str, Any]] = {
        "entries": {"players": [{"name": "x"}]},
        "rounds": {},
        "results": {"round": 1, "results": [{"board": 1, "result": "1-0"}]},
        "rulings": {"player": 1, "round": 1, "infraction": "foul"},
        "appeals": {"ruling": "r1", "by": 1, "grounds": "x"},
        "publications": {},
    }
    for what, body in sent.items():
        refused = story.ask("POST", f"{none}/{what}", body, "chief_arbiter", If_Match='"0"')
        assert (refused.status_code, refused.json["type"]) == (404, "urn:arbiter:problem:unknown-tournament"), what
    for what in ("", "/standings", "/events", "/audit", "/integrity", "/checkpoint", "/rulings", "/rounds/1"):
        assert story.ask("GET", f"{none}{what}").status_code == 404, what
