"""People across tournaments: places, results, ratings and encounters, each number with its tournament and events."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.main import run
from deploy.server import embedded
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import calls_on
from tests.people import FIDE_IDS, PeopleHall, play_both


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[PeopleHall]:
    hall = PeopleHall(tmp_path)
    yield hall
    close(hall.app)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PeopleHall]:
    hall = PeopleHall(tmp_path_factory.mktemp("people"))
    play_both(hall)
    yield hall
    close(hall.app)


def outcomes(hall: PeopleHall, name: str, query: str = "") -> list[tuple[str, int, str, str]]:
    rows = hall.get(f"/v1/people/{hall.person(name)}/results{query}")["results"]
    return [(r["tournament"], r["round"], r["result"], r["opponent_name"]) for r in rows]


def test_hall_of_fame_ranks_by_final_places_and_names_their_events(played: PeopleHall):
    table = played.get("/v1/people")
    ranked = [(p["name"], p["first"], p["second"], p["third"], p["tournaments"]) for p in table["people"]]
    assert ranked[0] == ("Anna", 1, 0, 0, 2)
    assert {row[0] for row in ranked} == {"Anna", "Berta", "Cleo"}, "Dora has no FIDE ID"
    (place,) = table["people"][0]["places"]
    assert (place["tournament"], place["tournament_name"], place["rank"], place["points"]) == ("a", "Event a", 1, 3)
    published = played.get("/v1/tournaments/a/events?type=arbiter.standings.published.v2")["events"][-1]["seq"]
    assert place["events"][-1] == published
    assert table["positions"] == {"a": played.get("/v1/tournaments/a")["seq"]}


def test_person_has_ratings_as_entered_and_positions(played: PeopleHall):
    path = f"/v1/people/{played.person('Anna')}"
    anna, listed = played.get(path), played.get(f"{path}/entries")
    entries = [(e["tournament"], e["player"], e["rating"], e["rank"], e["points"]) for e in listed["entries"]]
    assert entries == [("b", 2, 2002, None, None), ("a", 1, 2001, 1, 3)]
    assert (anna["name"], anna["games"], anna["won"]) == ("Anna", 3, 2)
    assert anna["positions"] == listed["positions"] == {t: played.get(f"/v1/tournaments/{t}")["seq"] for t in "ab"}


def test_results_are_those_of_the_cross_table_with_the_same_events(played: PeopleHall):
    assert outcomes(played, "Anna") == [("b", 1, "0", "Berta"), ("a", 2, "1", "Cleo"), ("a", 1, "1", "Berta")]
    crossed = {p["id"]: p["rounds"] for p in played.get("/v1/tournaments/a/crosstable")["players"]}
    rows = played.get(f"/v1/people/{played.person('Anna')}/results")["results"]
    for row in rows[1:]:
        (cell,) = (c for c in crossed[1] if c["round"] == row["round"])
        assert (row["result"], row["side"], row["events"]) == (cell["result"], cell["side"], cell["events"])


def test_two_people_are_compared_by_their_games(played: PeopleHall):
    anna, berta, cleo = map(played.person, ("Anna", "Berta", "Cleo"))
    both = played.get(f"/v1/people/{anna}/opponents/{berta}")
    assert (both["games"], both["won"], both["lost"]) == (2, 1, 1)
    assert both["positions"].keys() == {"a", "b"}
    rows = played.get(both["results"])["results"]
    assert [(r["tournament"], r["result"]) for r in rows] == [("b", "0"), ("a", "1")]
    assert {r["opponent_person"] for r in rows} == {berta}
    drawn = played.get(f"/v1/people/{berta}/opponents/{cleo}")
    assert (drawn["games"], drawn["won"], drawn["lost"]) == (1, 0, 0)


def test_only_officials_of_all_tournaments_use_fide_ids(played: PeopleHall):
    search = f"/v1/people?fide_id={FIDE_IDS['Anna']}"
    assert [p["fide_id"] for p in played.get(search, "auditor")["people"]] == [FIDE_IDS["Anna"]]
    assert played.get("/v1/people?fide_id=99", "auditor")["people"] == []
    played.get(search, status=401)
    played.get(search, "arbiter", status=403)
    assert {p["fide_id"] for p in played.get("/v1/people")["people"]} == {None}
    person = f"/v1/people/{played.person('Anna')}"
    assert [played.get(person, role)["fide_id"] for role in ("auditor", "arbiter", None)] == [
        FIDE_IDS["Anna"],
        None,
        None,
    ]


def test_pages_have_at_most_the_requested_rows(played: PeopleHall):
    path: str | None = f"/v1/people/{played.person('Anna')}/results?limit=2"
    pages: list[Any] = []
    while path is not None:
        pages.append(played.get(path))
        path = pages[-1]["next"]
    assert [len(page["results"]) for page in pages] == [2, 1]
    assert [r["game"] for page in pages for r in page["results"]] == ["b.1.1", "a.2.1", "a.1.1"]
    first = played.get("/v1/people?limit=1")
    rest = played.get(first["next"])
    assert len({p["person"] for p in (*first["people"], *rest["people"])}) == 2
    assert len(played.get(f"/v1/people/{played.person('Anna')}/entries?limit=1")["entries"]) == 1


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/people/" + "0" * 32, 404),
        ("/v1/people/x/results", 404),
        ("/v1/people?limit=0", 422),
        ("/v1/people?x=1", 422),
    ],
)
def test_unknown_person_or_invalid_query_is_rejected(played: PeopleHall, path: str, status: int):
    played.get(path, status=status)


def test_person_id_cannot_be_computed_without_the_salt(played: PeopleHall):
    content = repr(stored_rows(played))
    assert not any(text in content for text in (*FIDE_IDS, *FIDE_IDS.values()))


def test_pages_lead_from_the_front_page_to_games_against_an_opponent(played: PeopleHall):
    client = played.app.test_client()
    anna, berta = played.person("Anna"), played.person("Berta")
    assert 'href="/people"' in client.get("/").text
    fame = client.get("/people").text
    assert f'href="/people/{anna}"' in fame and "Event a" in fame
    assert re.search(r"Events: </small><span class=\"lines\">", fame), "events have a heading of their own"
    card = client.get(f"/people/{anna}").text
    assert f'href="/people/{anna}/opponents/{berta}"' in card and "2001" in card and FIDE_IDS["Anna"] not in card
    assert f'href="/people/{anna}"' in client.get("/t/a/players/1").text
    assert "/people/" not in client.get("/t/b/players/3").text
    both = client.get(f"/people/{anna}/opponents/{berta}").text
    assert "won 1, lost 1" in both and 'href="/games/b.1.1"' in both
    assert client.get("/people/" + "0" * 32).status_code == 404


# ---------------------------------------------------------------- consequences


def test_corrected_result_replaces_the_former_one(empty: PeopleHall):
    empty.begin("a", "Anna", "Berta")
    empty.play("a", 1, 1, 2, "1-0")
    assert outcomes(empty, "Anna") == [("a", 1, "1", "Berta")]
    body = {"round": 1, "results": [{"board": 1, "result": "0-1"}], "reason": "slip misread"}
    empty.tell("/v1/tournaments/a/corrections", body)
    assert outcomes(empty, "Anna") == [("a", 1, "0", "Berta")]
    assert empty.get(f"/v1/people/{empty.person('Anna')}")["won"] == 0


def test_withdrawn_pairing_leaves_no_result(empty: PeopleHall):
    empty.begin("a", "Anna", "Berta")
    empty.play("a", 1, 1, 2, "1-0")
    empty.tell("/v1/tournaments/a/rounds/1/withdrawal", {"played": True, "reason": "wrong round"})
    assert outcomes(empty, "Anna") == outcomes(empty, "Berta") == []


def test_erased_fide_id_removes_the_person_at_once_and_from_the_files(empty: PeopleHall):
    play_both(empty)
    anna, berta = empty.person("Anna"), empty.person("Berta")
    for t in "ab":
        for event in empty.get(f"/v1/tournaments/{t}/events?limit=500")["events"]:
            data = event["event"]["data"]
            texts = {x["hash"]: x["text"] for x in empty.get(f"/v1/tournaments/{t}/texts", "organiser")["texts"]}
            identifier = (data.get("fide_id") or {}).get("text")
            if texts.get(identifier) == FIDE_IDS["Anna"]:
                empty.tell(f"/v1/tournaments/{t}/texts/{identifier}", method="DELETE", role="organiser")
    empty.get(f"/v1/people/{anna}", status=404)
    assert {p["name"] for p in empty.get("/v1/people")["people"]} == {"Berta", "Cleo"}
    rows = empty.get(f"/v1/people/{berta}/results")["results"]
    assert {r["opponent_person"] for r in rows if r["opponent_name"] == "Anna"} == {None}
    assert anna.encode() not in b"".join(file.read_bytes() for file in empty.data.glob("arbiter.db*"))


def test_erased_name_is_null_and_the_results_stay(empty: PeopleHall):
    empty.begin("a", "Anna", "Berta")
    empty.play("a", 1, 1, 2, "1-0")
    texts = {x["text"]: x["hash"] for x in empty.get("/v1/tournaments/a/texts", "organiser")["texts"]}
    empty.tell(f"/v1/tournaments/a/texts/{texts['Anna']}", method="DELETE", role="organiser")
    path = f"/v1/people/{empty.person('Anna')}"
    anna, (entry,) = empty.get(path), empty.get(f"{path}/entries")["entries"]
    assert (anna["name"], entry["name"], anna["games"]) == (None, None, 1)
    assert outcomes(empty, "Berta") == [("a", 1, "0", None)]


def test_corrected_fide_id_moves_the_results_to_the_other_person(empty: PeopleHall):
    empty.begin("a", "Anna", "Berta")
    empty.play("a", 1, 1, 2, "1-0")
    anna = empty.person("Anna")
    empty.tell("/v1/tournaments/a/entries/1/correction", {"fide_id": FIDE_IDS["Cleo"], "reason": "the other Anna"})
    empty.get(f"/v1/people/{anna}", status=404)
    assert outcomes(empty, "Cleo") == [("a", 1, "1", "Berta")]


# ---------------------------------------------------------------- rebuild


def stored_rows(hall: PeopleHall) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(hall.data / "arbiter.db")) as database:
        tables = "people", "people_entries", "people_public", "people_results", "people_tournaments"
        return {table: sorted(database.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables}


def test_rebuild_by_command_gives_the_rows_that_were_kept_up_to_date(empty: PeopleHall):
    play_both(empty)
    before, anna = empty.get("/v1/people"), empty.person("Anna")
    rows = stored_rows(empty)
    with closing(sqlite3.connect(empty.data / "arbiter.db")) as database, database:
        database.execute("UPDATE people_results SET result = '0', won = 0")
        database.execute("INSERT INTO people_tournaments VALUES ('gone', 9, 1, 'Gone', 'chess', '')")
        database.execute("DELETE FROM people_entries WHERE tournament = 'b'")
    assert [r[2] for r in outcomes(empty, "Anna")] == ["0", "0"]
    assert run(["rebuild", "people", "--data", str(empty.data)]) == 0
    assert stored_rows(empty) == rows
    assert empty.get("/v1/people") == before
    assert empty.person("Anna") == anna


def test_records_of_another_version_are_computed_again_at_the_next_start(empty: PeopleHall):
    play_both(empty)
    empty.get("/v1/people")
    rows = stored_rows(empty)
    close(empty.app)
    with closing(sqlite3.connect(empty.data / "arbiter.db")) as database, database:
        database.execute("UPDATE people_results SET result = '0', won = 0")
        database.execute("UPDATE people_tournaments SET version = 0")
    again = PeopleHall(empty.data)
    again.get("/v1/people")
    close(again.app)
    assert stored_rows(empty) == rows


@pytest.mark.parametrize(
    ("role", "status"), [(None, 404), ("arbiter", 404), ("organiser", 200), ("chief_arbiter", 200), ("auditor", 200)]
)
def test_people_without_consent_are_read_by_officials_unless_the_operator_publishes_them(
    tmp_path: Path, played: PeopleHall, role: str | None, status: int
):
    app = embedded.make_app(played.data, Limits(rate=0, reads=0))
    call, anna = calls_on(app, played.data, role or "chief_arbiter"), played.person("Anna")
    assert (call("GET", "/v1/people", role=role).json["people"] != []) == (status == 200)
    paths = [f"/{anna}", f"/{anna}/entries", f"/{anna}/results", f"/{anna}/opponents/{played.person('Berta')}"]
    assert {call("GET", f"/v1/people{path}", role=role).status_code for path in paths} == {status}
    pages = [f"/people/{anna}", f"/people/{anna}/opponents/{played.person('Berta')}"]
    assert {call("GET", page, role=role).status_code for page in pages} == {status}
    assert call("GET", "/v1/people", Authorization="Bearer x").status_code == 401
    links = [call("GET", page, role=role).text.count("/people") for page in ("/", "/t/a/players/1")]
    assert [count > 0 for count in links] == [status == 200] * 2
    close(app)


# ---------------------------------------------------------------- consent


@pytest.fixture
def private(tmp_path: Path) -> Iterator[PeopleHall]:
    """Start a server whose operator publishes only the people with consent."""
    hall = PeopleHall(tmp_path, "officials")
    yield hall
    close(hall.app)


def state(hall: PeopleHall, t: str, player: int, **values: Any) -> None:
    hall.tell(f"/v1/tournaments/{t}/entries/{player}/identity", values)


def test_public_reads_only_entries_whose_players_have_consented(private: PeopleHall):
    play_both(private)
    assert private.get("/v1/people")["people"] == []
    assert 'href="/people"' not in private.app.test_client().get("/").text
    state(private, "a", 1, public_history=True)
    (anna,) = private.get("/v1/people")["people"]
    assert (anna["name"], anna["first"], anna["tournaments"], anna["fide_id"]) == ("Anna", 1, 1, None)
    path = f"/v1/people/{anna['person']}"
    assert private.get(path)["games"] == 2, "the game of event b is not included"
    assert [e["tournament"] for e in private.get(f"{path}/entries")["entries"]] == ["a"]
    rows = private.get(f"{path}/results")["results"]
    assert [(r["opponent_name"], r["opponent_person"]) for r in rows] == [("Cleo", None), ("Berta", None)]
    assert private.get(path, "auditor")["games"] == 3
    assert 'href="/people"' in private.app.test_client().get("/").text
    assert f"/people/{anna['person']}" in private.app.test_client().get("/t/a/players/1").text
    state(private, "a", 1, public_history=False)
    assert private.get("/v1/people")["people"] == []
    private.get(path, status=404)


def test_consent_withdrawn_at_once_equals_no_consent(private: PeopleHall):
    play_both(private)
    private.get("/v1/people", "auditor")
    before = stored_rows(private)
    state(private, "a", 2, public_history=True)
    state(private, "a", 2, public_history=False)
    private.get("/v1/people", "auditor")
    after = stored_rows(private)
    for one in (before, after):
        del one["people_tournaments"]  # the position of the log is another one
    assert [row[:10] for row in after["people_entries"]] == [row[:10] for row in before["people_entries"]]
    assert after["people"] == before["people"] and after["people_public"] == before["people_public"] == []


def test_opponents_are_compared_in_public_if_both_have_consented(private: PeopleHall):
    play_both(private)
    anna, berta = private.person("Anna"), private.person("Berta")
    state(private, "a", 1, public_history=True)
    private.get(f"/v1/people/{anna}/opponents/{berta}", status=404)
    state(private, "a", 2, public_history=True)
    both = private.get(f"/v1/people/{anna}/opponents/{berta}")
    assert (both["games"], both["won"], both["lost"]) == (1, 1, 0)


# ---------------------------------------------------------------- national IDs

LICENCE = {"federation": "CHN", "national_id": "XQ-2041"}


def enter(hall: PeopleHall, t: str, *players: dict[str, Any]) -> None:
    hall.begin(t)
    hall.tell(f"/v1/tournaments/{t}/entries", {"players": list(players)})


def search(hall: PeopleHall, query: str) -> list[tuple[str, int, str | None, list[str]]]:
    found = hall.get(f"/v1/people?{query}", "auditor")["people"]
    return [(p["name"], p["tournaments"], p["fide_id"], p["national_ids"]) for p in found]


def test_players_are_known_by_the_national_id_of_their_federation(empty: PeopleHall):
    enter(empty, "a", {"name": "Li", **LICENCE}, {"name": "Ito", "federation": "JPN", "national_id": "XQ-2041"})
    enter(empty, "b", {"name": "Li Wei", **LICENCE})
    assert search(empty, "federation=CHN&national_id=XQ-2041") == [("Li Wei", 2, None, ["CHN XQ-2041"])]
    assert search(empty, "federation=JPN&national_id=XQ-2041") == [("Ito", 1, None, ["JPN XQ-2041"])]
    assert [p["national_ids"] for p in empty.get("/v1/people")["people"]] == [[], []], "only officials see the IDs"
    for query in ("national_id=XQ-2041", "federation=CHN", "federation=CHN&national_id=XQ-2041&fide_id=1"):
        empty.get(f"/v1/people?{query}", "auditor", status=422)


def test_entry_with_both_ids_joins_the_entries_with_either_until_it_is_corrected(empty: PeopleHall):
    fide = {"fide_id": FIDE_IDS["Anna"]}
    enter(empty, "a", {"name": "Anna", **LICENCE})
    enter(empty, "b", {"name": "Anna", **fide})
    empty.get("/v1/people")
    apart = stored_rows(empty)["people"]
    enter(empty, "c", {"name": "Anna", **fide, **LICENCE})
    joined = [("Anna", 3, FIDE_IDS["Anna"], ["CHN XQ-2041"])]
    assert search(empty, f"fide_id={FIDE_IDS['Anna']}") == joined
    assert search(empty, "federation=CHN&national_id=XQ-2041") == joined
    rows = stored_rows(empty)
    assert run(["rebuild", "people", "--data", str(empty.data)]) == 0
    assert stored_rows(empty) == rows
    state(empty, "c", 1, national_id=None)
    empty.tell("/v1/tournaments/c/entries/1/correction", {"fide_id": None, "reason": "not hers"})
    empty.get("/v1/people")
    assert stored_rows(empty)["people"] == apart


def test_erased_fide_id_leaves_the_person_of_the_national_id(empty: PeopleHall):
    enter(empty, "a", {"name": "Anna", "fide_id": FIDE_IDS["Anna"], **LICENCE})
    texts = {x["text"]: x["hash"] for x in empty.get("/v1/tournaments/a/texts", "organiser")["texts"]}
    empty.tell(f"/v1/tournaments/a/texts/{texts[FIDE_IDS['Anna']]}", method="DELETE", role="organiser")
    assert search(empty, "federation=CHN&national_id=XQ-2041") == [("Anna", 1, None, ["CHN XQ-2041"])]
    assert search(empty, f"fide_id={FIDE_IDS['Anna']}") == []


@pytest.mark.parametrize(
    ("entry", "code"),
    [
        ({"national_id": "XQ-2041"}, "national-id-without-federation"),
        ({"federation": "CHN", "national_id": "xq 2041"}, "bad-fields"),
        ({"public_history": "yes"}, "bad-fields"),
    ],
)
def test_unusable_identity_is_refused(empty: PeopleHall, entry: dict[str, Any], code: str):
    empty.begin("a")
    answer = empty.call("POST", "/v1/tournaments/a/entries", {"players": [{"name": "Li", **entry}]})
    assert answer.status_code == 422 and answer.json["type"].endswith(code), answer.text
    assert empty.get("/v1/tournaments/a/events")["events"][-1]["event"]["type"] != "arbiter.player.entered.v2"


def test_log_with_identities_is_audited_and_each_change_is_its_own_event(empty: PeopleHall):
    enter(empty, "a", {"name": "Li", **LICENCE, "public_history": True})
    state(empty, "a", 1, national_id="XQ-2042")
    state(empty, "a", 1, public_history=False)
    events = [e["event"] for e in empty.get("/v1/tournaments/a/events?limit=500")["events"]]
    types = [e["type"].split(".")[1] + "." + e["type"].split(".")[2] for e in events]
    assert types[-4:] == ["player.entered", "identity.stated", "identity.stated", "identity.stated"]
    assert [e["data"]["public_history"] for e in events if "identity" in e["type"]] == [True, True, False]
    report = empty.get("/v1/tournaments/a/audit")
    assert report["verdict"] == "agrees", report
