"""The event that a report file states: each record is used, or is refused or named at its place."""

import pytest

from deploy.imports import remarks
from deploy.imports.file_event import AS_STATED, file_event
from shared.trf.model.columns import TrfError
from tests.rules.test_trf import THREE_ROUNDS, trf

WRONG = [
    ('change: points.win = "abc"', "points.win must be a whole number from 0 to 2000"),
    ("change: points.win = [1]", "points.win must be a whole number from 0 to 2000"),
    ("change: points.win = 1e400", "points.win must be a whole number from 0 to 2000"),
    ("change: points.win = true", "points.win must be a whole number from 0 to 2000"),
    ("change: points.win = -4", "points.win must be a whole number from 0 to 2000"),
    ("change: points.nosuch = 3", "points.nosuch is not one of points.win, points.draw, points.loss, points.pairing_bye, "
     "points.full_bye, points.half_bye, points.zero_bye"),
    ("change: points.win", "'' is not JSON"),
    ("change: points.win = " + "[" * 100_000, "'" + "[" * 40 + "' is not JSON"),
    ("ruling: [1]", "a ruling must be a JSON object"),
    ('ruling: {"round": 1}', "player must be a whole number, at least 1"),
    ('ruling: {"player": true, "round": 1}', "player must be a whole number, at least 1"),
    ('ruling: {"player": 1, "round": -5, "game": true}', "round must be a whole number, at least 1"),
    ('ruling: {"player": 1, "round": "1", "game": true}', "round must be a whole number, at least 1"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "detail"), WRONG, ids=[record[:60] for record, _ in WRONG])
def test_wrong_record_of_the_event_is_refused_at_its_place(record: str, detail: str) -> None:
    file = trf(f"{THREE_ROUNDS}### {record}\n")
    line = THREE_ROUNDS.count("\n") + 1
    with pytest.raises(TrfError) as refused:
        file_event(file, AS_STATED)
    assert str(refused.value) == f"open.trf:{line}:5: {detail}"


def test_points_of_the_event_are_used() -> None:
    event = file_event(trf(f"{THREE_ROUNDS}### ruleset: campus\n### change: points.win = 6\n"), AS_STATED)
    assert (event.regulations.name, event.regulations.points.win, event.regulations.changes) == (
        "campus", 6, {"points.win": 6},
    )  # fmt: skip


def test_unknown_ruleset_of_the_event_is_named() -> None:
    file = trf(f"{THREE_ROUNDS}### ruleset: nosuch 123\n")
    told = [str(one) for one in remarks.on_event(file, file_event(file, AS_STATED))]
    assert told == ["open.trf: the stated ruleset nosuch is unknown; fide-2026 is used"]
