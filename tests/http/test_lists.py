"""Lists over HTTP: entries, officials, teams, byes, lots, rounds, results and publications, in their current state."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shared.http.app import close
from shared.http.identity import tokens
from tests.http.test_problems import is_problem
from tests.people import FIDE_IDS, PeopleHall, play_both
from tests.teams import T as CUP
from tests.teams import played

T = "/v1/tournaments/a"
PUBLIC = {
    "id", "name", "starting_number", "rating", "title", "club", "federation", "first_round", "left_after", "board", "seq",
}  # fmt: skip
PERSONAL = {"sex", "birth_year", "fide_id", "national_id", "public_history", "checked_in"}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopleHall]:
    made = PeopleHall(tmp_path_factory.mktemp("lists"))
    play_both(made)
    yield made
    close(made.app)


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[PeopleHall]:
    made = PeopleHall(tmp_path)
    yield made
    close(made.app)


def listed(hall: PeopleHall, what: str, role: Any = None) -> list[dict[str, Any]]:
    """Return the rows of a list, which is on one page."""
    answer = hall.get(f"{T}/{what}", role)
    assert answer["tournament"] == "a" and answer["next"] is None
    rows: list[dict[str, Any]] = answer[what.partition("?")[0]]
    return rows


def test_entries_are_listed_as_they_were_sent(hall: PeopleHall) -> None:
    rows = listed(hall, "entries")
    assert [(row["id"], row["name"], row["rating"]) for row in rows] == [
        (1, "Anna", 2001),
        (2, "Berta", 2002),
        (3, "Cleo", 2003),
    ]
    assert hall.get(f"{T}/entries/2") == rows[1]
    hall.get(f"{T}/entries/4", status=404)


@pytest.mark.parametrize("role", [None, "board", "player"])
def test_personal_members_of_an_entry_are_absent_for_the_public(hall: PeopleHall, role: Any) -> None:
    assert {name for row in listed(hall, "entries", role) for name in row} == PUBLIC
    assert hall.get(f"{T}/entries/1", role).keys() == PUBLIC


def test_personal_members_of_an_entry_are_shown_to_its_office_and_stored_nowhere(hall: PeopleHall) -> None:
    answer = hall.call("GET", f"{T}/entries", role="chief_arbiter")
    assert [row["fide_id"] for row in answer.json["entries"]] == list(FIDE_IDS.values())
    assert answer.json["entries"][0].keys() == PUBLIC | PERSONAL
    assert answer.headers["Cache-Control"] == "no-store"
    assert hall.call("GET", f"{T}/entries", role=None).headers["Cache-Control"] != "no-store"


def test_token_of_another_tournament_shows_no_personal_members(hall: PeopleHall) -> None:
    token = tokens.issue(hall.data, "chief_arbiter", "chief_arbiter", "b")
    answer = hall.app.test_client().get(f"{T}/entries/1", headers={"Authorization": f"Bearer {token}"})
    assert answer.json.keys() == PUBLIC


def test_dismissed_official_reads_no_personal_members_of_the_time_in_office(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna")
    fresh.tell(f"{T}/officials", {"name": "li.wei", "role": "chief_arbiter", "person": "Li Wei"})
    at = fresh.get(T)["seq"]

    def members(what: str) -> set[str]:
        answer = fresh.call("GET", f"{T}/{what}?at={at}", role="chief_arbiter", name="li.wei")
        assert {"Authorization", "Cookie"} <= set(answer.vary)
        return {name for row in answer.json[what] for name in row}

    assert members("entries") >= PERSONAL
    fresh.tell(f"{T}/officials/li.wei/dismissal", {})
    assert members("entries") == PUBLIC


def test_pages_of_entries_contain_each_entry_once(hall: PeopleHall) -> None:
    first = hall.get(f"{T}/entries?limit=2")
    second = hall.get(first["next"])
    assert [row["id"] for page in (first, second) for row in page["entries"]] == [1, 2, 3]
    assert second["next"] is None
    hall.get(f"{T}/entries?cursor=x", status=422)


def test_entry_states_its_correction_withdrawal_and_board(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna", "Berta", "Cleo", "Dora")
    corrected = fresh.tell(f"{T}/entries/1/correction", {"federation": "NOR", "reason": "x"})["events"][-1]
    withdrawn = fresh.tell(f"{T}/entries/2/withdrawal", {})["events"][-1]
    fresh.tell(f"{T}/entries/3/board", {"board": 2})
    rows = {row["id"]: row for row in listed(fresh, "entries", "chief_arbiter")}
    end = fresh.get(f"{T}/entries")["seq"]
    assert (rows[1]["federation"], rows[1]["seq"]) == ("NOR", end - 2), corrected
    assert (rows[2]["left_after"], rows[2]["seq"]) == (0, end - 1), withdrawn
    assert rows[3]["board"] == 2
    assert [row["id"] for row in listed(fresh, "entries?federation=NOR")] == [1]
    assert [row["id"] for row in listed(fresh, "entries?round=1")] == [1, 3, 4]
    assert fresh.get(f"{T}/entries/1?at={end - 3}")["federation"] is None


def test_erased_name_of_an_entry_is_null(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna")
    (text,) = [text for text in fresh.get(f"{T}/texts", "chief_arbiter")["texts"] if text["text"] == "Anna"]
    fresh.tell(f"{T}/texts/{text['hash']}", method="DELETE", role="organiser")
    assert fresh.get(f"{T}/entries/1")["name"] is None


def test_unread_parameter_of_the_list_of_texts_is_refused(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna")
    answer = fresh.call("GET", f"{T}/texts?limit=2", role="chief_arbiter")
    assert is_problem(answer, 422, "bad-fields")["errors"].keys() == {"limit"}
    assert fresh.get(f"{T}/texts?after=1", "chief_arbiter")["texts"]


def test_officials_are_listed_with_all_their_roles(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna")
    for role in ("arbiter", "appeals"):
        fresh.tell(f"{T}/officials", {"name": "li.wei", "role": role, "person": "Li Wei"})
    public, office = (
        {row["name"]: row for row in listed(fresh, "officials", role)} for role in (None, "chief_arbiter")
    )
    assert public["li.wei"]["roles"] == ["appeals", "arbiter"]
    assert public == office and public["li.wei"]["person"] == "Li Wei"


def test_byes_and_rounds_are_listed(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna", "Berta", "Cleo", "Dora", "Eva")
    fresh.tell(f"{T}/byes", {"player": 5, "round": 1, "kind": "Z"})
    assert [(row["player"], row["round"], row["kind"]) for row in listed(fresh, "byes")] == [(5, 1, "Z")]
    assert listed(fresh, "rounds") == []
    fresh.tell(f"{T}/rounds", {})
    (round,) = listed(fresh, "rounds")
    assert round.pop("seq") == fresh.get(T)["seq"]
    assert round == fresh.get(f"{T}/rounds/1")
    fresh.tell(f"{T}/rounds/1/withdrawal", {})
    assert listed(fresh, "rounds") == []


def test_results_are_those_that_count_now(hall: PeopleHall) -> None:
    rows = listed(hall, "results")
    assert [(row["game"], row["notation"], row["white_player"], row["black_player"]) for row in rows] == [
        ("a.1.1", "1-0", 1, 2),
        ("a.2.1", "0-1", 3, 1),
        ("a.3.1", "1/2-1/2", 2, 3),
    ]
    assert rows[2]["white"] == {"points": 0.5, "played": True, "counted": True}
    assert [row["round"] for row in listed(hall, "results?player=1")] == [1, 2]
    assert [row["game"] for row in listed(hall, "results?round=3")] == ["a.3.1"]
    assert [row["seq"] for row in rows] == [hall.get(f"/v1/games/{row['game']}")["result"]["seq"] for row in rows]


def test_result_after_a_correction_and_a_withdrawn_pairing(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna", "Berta")
    fresh.play("a", 1, 1, 2, "1-0")
    correction = {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "misread"}
    fresh.tell(f"{T}/corrections", correction)
    assert [row["notation"] for row in listed(fresh, "results")] == ["0-1"]
    fresh.tell(f"{T}/rounds/1/withdrawal", {"played": True, "reason": "wrong list"})
    assert listed(fresh, "results") == []


def test_publications_are_listed_with_their_digest(hall: PeopleHall) -> None:
    (row,) = listed(hall, "publications")
    lines = hall.call("GET", f"{T}/events", Accept="application/x-ndjson").data.splitlines()
    (event,) = [event for event in map(json.loads, lines) if event["type"].startswith("arbiter.standings.published")]
    assert (row["number"], row["round"], row["final"]) == (1, 3, True)
    assert row["digest"] == event["data"]["digest"] and row["basis"] == event["basis"]


def test_teams_and_their_members_are_listed(tmp_path: Path) -> None:
    app = played(tmp_path)
    rows = app.test_client().get(f"{CUP}/teams").json["teams"]
    assert [(row["id"], row["name"], row["members"]) for row in rows] == [
        (1, "=红队", [11, 12]),
        (2, "黑队", [21, 22]),
    ]
    members = app.test_client().get(f"{CUP}/entries?team=2").json["entries"]
    assert [row["id"] for row in members] == [21, 22]
    close(app)


def test_team_has_the_members_of_its_row_in_the_list(tmp_path: Path) -> None:
    app = played(tmp_path)
    client = app.test_client()
    assert client.get(f"{CUP}/teams/2").json == client.get(f"{CUP}/teams").json["teams"][1]
    missing = client.get(f"{CUP}/teams/3")
    assert (missing.status_code, missing.json["type"].rpartition(":")[2]) == (404, "unknown-team")
    early = client.get(f"{CUP}/teams/1?at=2")
    assert early.status_code == 404
    close(app)


def test_lots_are_listed_in_the_order_drawn(fresh: PeopleHall) -> None:
    fresh.begin("a", "Anna", "Berta", format="knockout", rounds=1)
    fresh.tell(f"{T}/rounds", {})
    fresh.report("a", 1, "1/2-1/2")
    drawn = fresh.tell(f"{T}/lots", {"match": 1})
    (row,) = listed(fresh, "lots")
    assert (row["match"], row["order"], row["seq"]) == (1, [drawn["winner"]], fresh.get(T)["seq"])
