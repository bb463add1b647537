"""``arbiter replay`` and ``arbiter verify`` report what is outdated and not settled, until it is."""

import json
from pathlib import Path

import pytest

from tests.stories.conftest import Story, T
from tests.stories.hall import Embedded
from tests.stories.test_outdated_bases import FINAL, final_on_a_correction

WHY = "round 2, match 3: players 1, 2 are seated, but players 2, 4 would be seated now"


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The log of a knock-out with an outdated final, before and after the final is upheld."""
    folder = tmp_path_factory.mktemp("cup")
    house = Embedded(folder / "house")
    story = Story(house)
    final_on_a_correction(story)
    before, after = folder / "before.ndjson", folder / "after.ndjson"
    before.write_bytes(b"".join(line + b"\n" for line in house.lines("T")))
    story.tell(f"{T}/rounds/2/upholding", FINAL | {"reason": "agreed"})
    after.write_bytes(b"".join(line + b"\n" for line in house.lines("T")))
    house.close()
    return before, after


def test_replay_remarks_on_an_outdated_pairing(arbiter, logs):
    code, out, err = arbiter("replay", logs[0], "--json")
    assert (code, err.strip()) == (0, f"outdated and not settled: {WHY}")
    assert {p["id"]: p["rank"] for p in json.loads(out)["players"]}[4] > 2


def test_verify_agrees_with_a_remark_on_an_outdated_pairing(arbiter, logs):
    code, out, _ = arbiter("verify", logs[0], "--json")
    report = json.loads(out)
    assert (code, report["verdict"], [one["why"] for one in report["outdated"]]) == (0, "agrees", [WHY])
    assert f"outdated and not settled: {WHY}" in report["remarks"]


def test_an_upheld_pairing_is_no_remark(arbiter, logs):
    assert arbiter("replay", logs[1], "--json")[2] == ""
    assert json.loads(arbiter("verify", logs[1], "--json")[1])["outdated"] == []
