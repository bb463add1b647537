"""Events of teams that were played over HTTP: their report file is at one with itself, and imported it is the same table."""

from pathlib import Path
from typing import Any

import pytest

from deploy.cli.client import local
from deploy.server.data_folder import data_folder
from shared.regulations import load
from shared.trf.comparison import differences
from shared.trf.reader import read

CUP = "/v1/tournaments/cup"
TEAMS = {1: [1, 2, 3], 2: [4, 5, 6], 3: [7, 8, 9]}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Three teams of three boards, a round robin of which a team rests in turn, or a Swiss: one of them has a bye."""
    return tmp_path / "data"


def play(data: Path, format: str, *, short: bool = False, penalty: float = 0) -> dict[int, tuple[Any, ...]]:
    """Plays all rounds, White winning on odd boards. ``short``: team 1 leaves its last board empty in round 1. The table: match
    and game points by team."""
    data.mkdir(exist_ok=True)
    with local(data_folder(data), "play") as client:

        def tell(path: str, body: Any) -> Any:
            seen = client.get(CUP).etag if path == f"{CUP}/rounds" else None
            return client.post(path, body, if_match=seen).json

        team = {"kind": "lineup", "boards": 3}
        cup = {"id": "cup", "name": "Cup", "game": "chess", "format": format, "rounds": 3, "regulations": "fide-2026"}
        tell("/v1/tournaments", cup | {"conditions": {"team": team}, "tiebreaks": ["GPTS"]})
        tell(f"{CUP}/entries", {"players": [{"id": p, "name": f"P{p}", "rating": 2400 - p} for p in range(1, 10)]})
        tell(f"{CUP}/teams", {"teams": [{"name": f"Team {t}", "members": members} for t, members in TEAMS.items()]})
        for number in (1, 2, 3):
            if short and number == 1:
                for team_id, members in TEAMS.items():
                    tell(
                        f"{CUP}/lineups", {"team": team_id, "round": 1, "players": members[: 2 if team_id == 1 else 3]}
                    )
            boards = tell(f"{CUP}/rounds", {})["boards"]
            results = [{"board": b["board"], "result": "1-0" if b["board"] % 2 else "0-1"} for b in boards]
            tell(f"{CUP}/results", {"round": number, "results": results})
        if penalty:
            effect = {"kind": "adjust_points", "points": penalty}
            ruling = {"player": 1, "round": 1, "infraction": "grave_misconduct", "effect": effect}
            tell(f"{CUP}/rulings", ruling)
        return table(client, "cup")


def table(client: Any, id: str) -> dict[int, tuple[Any, ...]]:
    rows = client.get(f"/v1/tournaments/{id}/standings/teams").json["teams"]
    return {row["id"]: (row["points"], row["game_points"]) for row in rows}


@pytest.mark.parametrize("edition", [(), ("--trf26",)], ids=["16", "26"])
@pytest.mark.parametrize("short", [False, True], ids=["complete", "a board empty"])
@pytest.mark.parametrize("format", ["swiss", "round_robin"])
def test_a_report_file_of_teams_is_at_one_with_itself_and_imported_it_is_the_same_table(
    arbiter, data, tmp_path, format, short, edition
):
    """Given a bye of the pairing, or a board with nobody opposite; then 320 and line-ups have them counted again."""
    played = play(data, format, short=short)
    text = arbiter("export", "cup", "--data", data, *edition)[1]
    assert f"092 Team: {'Swiss-System' if format == 'swiss' else 'Round-Robin'}" in text.splitlines()
    assert differences(read(text.encode(), "cup.trf"), load("fide-2026").points) == ()
    file = tmp_path / "cup.trf"
    file.write_text(text)
    code, _, err = arbiter("import", file, "--data", data, "--id", "again")
    assert code == 0 and "in the table" not in err, err
    with local(data_folder(data), "read") as client:
        assert table(client, "again") == played


@pytest.mark.parametrize("penalty", [-0.5, -3])
def test_points_that_a_ruling_took_from_a_member_are_a_comment_and_no_difference(arbiter, data, tmp_path, penalty):
    """Given that 299 of a file of teams names teams; then a player's points there are those of his results."""
    play(data, "swiss", penalty=penalty)
    file = tmp_path / "cup.trf"
    file.write_text(arbiter("export", "cup", "--data", data, "--trf26")[1])
    assert f"### player 1: {penalty:+.1f} points by a ruling in round 1, beside his results" in file.read_text()
    code, out, _ = arbiter("check", file)
    assert (code, out) == (0, "")


@pytest.mark.parametrize("edition", [(), ("--trf26",)], ids=["16", "26"])
def test_byes_of_several_teams_in_a_round_are_records_240_as_a_320_has_room_for_one(arbiter, data, tmp_path, edition):
    """Given a knock-out of six teams, two of which have nobody to meet in the first round."""
    data.mkdir()
    with local(data_folder(data), "play") as client:
        cup = {
            "id": "cup",
            "name": "Cup",
            "game": "chess",
            "format": "knockout",
            "rounds": 3,
            "regulations": "fide-2026",
        }
        client.post("/v1/tournaments", cup | {"conditions": {"team": {"kind": "lineup", "boards": 2}}})
        players = [{"id": p, "name": f"P{p}", "rating": 2400 - p} for p in range(1, 13)]
        client.post(f"{CUP}/entries", {"players": players})
        client.post(f"{CUP}/teams", {"teams": [{"name": f"T{t}", "members": [2 * t - 1, 2 * t]} for t in range(1, 7)]})
        boards = client.post(f"{CUP}/rounds", {}, if_match=client.get(CUP).etag).json["boards"]
        results = [{"board": b["board"], "result": "1-0" if b["white"] < b["black"] else "0-1"} for b in boards]
        client.post(f"{CUP}/results", {"round": 1, "results": results})
    file = tmp_path / "cup.trf"
    file.write_text(arbiter("export", "cup", "--data", data, *edition)[1])
    lines = file.read_text().splitlines()
    assert [len(line.split()) - 3 for line in lines if line.startswith("240")] == [2]
    assert not any(line.startswith("320") for line in lines)
    assert arbiter("check", file)[0] == 0


def test_half_point_bye_of_a_member_is_imported_as_a_zero_point_bye(arbiter, data, tmp_path):
    played = play(data, "swiss", short=True)
    lines = arbiter("export", "cup", "--data", data)[1].splitlines(keepends=True)
    absent = next(n for n, line in enumerate(lines) if line.startswith("001    3"))
    assert "0000 - Z" in lines[absent]
    lines[absent] = lines[absent].replace("0000 - Z", "0000 - H", 1)
    file = tmp_path / "cup.trf"
    file.write_text("".join(lines))
    code, _, err = arbiter("import", file, "--data", data, "--id", "again")
    assert code == 0 and "half-point byes of members of teams are imported as zero-point byes: 1" in err, err
    with local(data_folder(data), "read") as client:
        assert table(client, "again") == played
        byes = client.get("/v1/tournaments/again/byes").json["byes"]
    assert [(bye["player"], bye["round"], bye["kind"]) for bye in byes] == [(3, 1, "Z")]
