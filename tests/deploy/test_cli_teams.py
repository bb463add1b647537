"""``arbiter replay --teams``: the table of teams out of a log."""

import json

import pytest

from shared.http.app import close
from tests.teams import played


@pytest.fixture
def log(arbiter, tmp_path):
    close(played(tmp_path / "data"))
    made = tmp_path / "log.ndjson"
    made.write_bytes(arbiter("log", "cup", "--data", tmp_path / "data")[1].encode())
    return made


def test_a_log_replays_to_the_table_of_its_teams(arbiter, log, tmp_path):
    texts = tmp_path / "texts.ndjson"
    texts.write_bytes(arbiter("texts", "cup", "--data", tmp_path / "data")[1].encode())
    code, out, _ = arbiter("replay", log, "--teams", "--json", "--texts", texts, "--tiebreaks", "mpvgp,BH:GP")
    told = json.loads(out)
    assert code == 0
    assert told["tiebreaks"] == ["BARRED", "WARNED", "MPvGP", "BH:GP", "PO"]  # 002-X 18.4, 15.6
    assert [(r["id"], r["name"], r["points"], r["game_points"]) for r in told["teams"]] == [
        (1, "=红队", 2, 1.5),
        (2, "黑队", 0, 0.5),
    ]
    code, out, _ = arbiter("replay", log, "--teams", "--texts", texts)
    assert code == 0
    assert "1.5" in out and "黑队" in out


def test_a_wrong_tiebreak_and_an_event_without_teams_end_with_a_clear_line(arbiter, log):
    code, _, err = arbiter("replay", log, "--teams", "--tiebreaks", "PLACE1")
    assert (code, "PLACE1" in err) == (2, True)
    code, _, err = arbiter("replay", log, "--teams", "--at", 1)
    assert (code, "it has no team standings" in err) == (1, True)
