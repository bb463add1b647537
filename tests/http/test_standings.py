"""Standings over HTTP: tables, the log and its proofs, publication."""

import sqlite3
from base64 import b64decode
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from services.pairing.rules import commands as pairing
from shared.audit.checkpoints import checkpoint
from shared.core.events import OfficialAppointed, TextErased
from shared.core.terms import PAIRING, PlayerId, Role
from shared.core.trust import merkle
from shared.http.identity import tokens
from tests.http.conftest import Caller
from tests.played import CHIEF, NAMES, SIGNER, Played, a_desk, an_app, spring_cup

T = "/v1/tournaments/cup"
LAST = 20
"""Lines of the spring cup's log."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, Played, Path]]:
    data = tmp_path_factory.mktemp("standings")
    desk = a_desk(data)
    cup = spring_cup(desk)
    yield an_app(data, desk).test_client(), cup, data
    desk.close()


@pytest.fixture
def get(house: tuple[FlaskClient, Played, Path]) -> Callable[..., Any]:
    """An answer's JSON, which must be 200."""

    def of(path: str, **headers: str) -> Any:
        answer = house[0].get(path, headers=headers)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer.get_json()

    return of


def caller(house: tuple[FlaskClient, Played, Path], role: Role, **scope: Any) -> Caller:
    return Caller(house[0], tokens.issue(house[2], role, "zhou.min", **scope))


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[tuple[FlaskClient, Played, Path]]:
    """A tournament of two players and one open game, of its own."""
    desk = a_desk(tmp_path)
    cup = Played(desk)
    cup.announce()
    cup.enter("Anna Berg", "李娜")
    cup.pair((1, 2))
    yield an_app(tmp_path, desk).test_client(), cup, tmp_path
    desk.close()


# ---------------------------------------------------------------- tables


def test_the_table_is_ranked_with_names_and_tie_breaks(get):
    table = get(f"{T}/standings")
    assert (table["tournament"], table["seq"], table["rounds"]) == ("cup", LAST, 2)
    assert [(p["rank"], p["name"], p["points"]) for p in table["players"]][:2] == [
        (1, "José Núñez", 1.5),
        (2, "Anna Berg", 1),
    ]
    assert set(table["players"][0]["tb"]) == {"BH", "PS", "DE/A", "WIN"}


def test_the_table_can_be_asked_for_by_other_tie_breaks_rules_and_round(get):
    table = get(f"{T}/standings?tiebreaks=SB,BWG&rules=2024&round=1")
    assert (table["tiebreaks"], table["rounds"]) == (["SB", "BWG"], 1)


def test_time_travel_shows_the_table_while_the_third_foul_stood(get):
    points = {p["id"]: p["points"] for p in get(f"{T}/standings?at=16")["players"]}
    assert (points[3], points[4]) == (1, 0)


def test_without_the_annulment_the_loss_stands(get):
    points = {p["id"]: p["points"] for p in get(f"{T}/standings?without=r5&round=1")["players"]}
    assert (points[3], points[4]) == (1, 0)


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("?at=x", 422), ("?at=0", 422), ("?at=99", 404), ("?without=r99", 404), ("?tiebreaks=XX", 422),
        ("?tiebreaks=BH,BH", 422), ("?rules=1999", 422), ("?round=-1", 422), ("?nonsense=1", 422), ("?after=99", 503),
    ],
)  # fmt: skip
def test_a_query_that_cannot_be_answered_is_a_problem(house, query: str, status: int):
    answer = house[0].get(f"{T}/standings{query}")
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")


@pytest.mark.parametrize(
    "path",
    [
        "/standings", "/standings/1", "/crosstable", "/diff?from=1&to=2", "/events", "/checkpoint", "/proofs/1",
        "/proofs?from=1&to=2", "/audit", "/integrity",
    ],
)  # fmt: skip
def test_an_unknown_tournament_is_unknown_everywhere(house, path: str):
    assert house[0].get(f"/v1/tournaments/nobody{path}").status_code == 404


def test_an_answer_bears_the_tournaments_seq_and_is_not_sent_twice(house):
    answer = house[0].get(f"{T}/standings")
    assert answer.headers["ETag"] == f'"{LAST}"'
    assert house[0].get(f"{T}/standings", headers={"If-None-Match": f'"{LAST}"'}).status_code == 304


def test_a_row_is_explained_by_its_lines(get):
    told = get(f"{T}/standings/4")
    assert (told["name"], told["points"]) == ("José Núñez", 1.5)
    assert told["rounds"][0]["events"] == [10, 12, 13, 14, 15, 17, 18]
    assert {line for tb in told["tiebreaks"] for line in tb["events"]} <= set(told["events"])


def test_a_stranger_has_no_row(house):
    assert house[0].get(f"{T}/standings/99").status_code == 404


def test_the_cross_table_has_a_cell_a_round(get):
    rows = {p["id"]: [r["result"] for r in p["rounds"]] for p in get(f"{T}/crosstable")["players"]}
    assert rows == {1: ["1", "*"], 2: ["0", "+"], 3: ["=", "-"], 4: ["=", "U"], 5: ["U", "*"]}


def test_the_difference_over_the_annulment_names_it(get):
    told = get(f"{T}/diff?from=16&to=17")
    assert {c["id"] for c in told["changes"] if c["before"]["points"] != c["after"]["points"]} == {3}
    assert 17 in told["events"]


@pytest.mark.parametrize(("query", "status"), [("from=3&to=2", 422), ("from=1", 422), ("from=1&to=99", 404)])
def test_a_difference_needs_two_lines_in_order(house, query: str, status: int):
    assert house[0].get(f"{T}/diff?{query}").status_code == status


def test_tournaments_are_listed_by_pages(fresh):
    client, cup, _ = fresh
    for id in ("a", "b"):
        Played(cup.desk, id).announce(id)
    first = client.get("/v1/tournaments?limit=2").get_json()
    second = client.get(first["next"]).get_json()
    assert [t["id"] for t in first["tournaments"] + second["tournaments"]] == ["a", "b", "cup"]
    assert second["next"] is None


# ---------------------------------------------------------------- the log


def test_the_log_is_read_by_pages_to_its_end(house):
    seqs, url = [], f"{T}/events?limit=7"
    while url:
        page = house[0].get(url).get_json()
        seqs += [e["seq"] for e in page["events"]]
        url = page["next"]
    assert seqs == list(range(1, LAST + 1))


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("type=arbiter.ruling.annulled.v2", [17]),
        ("type=arbiter.ruling.annulled.v1", [17]),
        ("type=arbiter.round.paired.v2,arbiter.ruling.annulled.v1", [10, 17, 19]),
        ("player=4", [8, 10, 12, 13, 14, 15, 17, 18, 19]),
        ("round=2", [19, 20]),
        ("player=1&round=1", [10, 11]),
        ("player=1&type=arbiter.player.entered.v2", [5]),
    ],
)
def test_the_log_is_filtered_by_type_player_and_round(get, query: str, lines: list[int]):
    assert [e["seq"] for e in get(f"{T}/events?{query}")["events"]] == lines


def test_a_filtered_page_knows_whether_there_is_another(get):
    first = get(f"{T}/events?type=arbiter.round.paired.v2&limit=1")
    second = get(first["next"])
    assert ([e["seq"] for e in second["events"]], second["next"]) == ([19], None)


def test_the_whole_log_is_given_byte_for_byte(house):
    client, cup, _ = house
    answer = client.get(f"{T}/events", headers={"Accept": "application/x-ndjson"})
    assert answer.mimetype == "application/x-ndjson"
    assert answer.data == b"".join(row.line + b"\n" for row in cup.desk.lines("tournaments/cup"))


def test_the_log_streams_from_the_last_line_that_was_read(house):
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(LAST - 1)}
    answer = house[0].get(f"{T}/events", headers=headers, buffered=False)
    found = b""
    for piece in answer.iter_encoded():
        found += piece
        if b"\ndata: " in found:
            break
    answer.close()
    assert b"id: 20\nevent: arbiter.result.reported.v1\ndata: {" in found
    assert b"id: 19" not in found


def test_a_filtered_stream_knows_games_that_were_paired_after_it_began(fresh):
    client, cup, _ = fresh
    cup.report(1, "1-0")
    headers = {"Accept": "text/event-stream", "Last-Event-ID": "8"}
    answer = client.get(f"{T}/events?player=1&type=arbiter.result.reported.v1", headers=headers, buffered=False)
    pieces = answer.iter_encoded()
    next(pieces)
    cup.enter_late("José Núñez")
    cup.pair((3, 1), bye=2)
    cup.report(2, "0-1")
    assert next(pieces).startswith(b"id: 11\n")
    answer.close()


def test_the_checkpoint_is_signed_and_has_the_logs_root(house):
    client, cup, _ = house
    note = checkpoint.parse(client.get(f"{T}/checkpoint").get_data(as_text=True))
    assert (note.origin, note.size, note.root) == ("arbiter/cup", LAST, cup.desk.root("cup", LAST))
    assert SIGNER.verifier.verifies(note)


@pytest.mark.parametrize("seq", [1, 8, LAST])
def test_an_inclusion_proof_leads_from_the_line_to_the_root(house, get, seq: int):
    told = get(f"{T}/proofs/{seq}")
    line = house[1].desk.lines("tournaments/cup", seq - 1, seq)[0].line
    proof = [b64decode(h) for h in told["hashes"]]
    leaf, root = merkle.leaf_hash(line), b64decode(told["root"])
    assert merkle.verify_inclusion(leaf, told["index"], told["size"], proof, root)
    assert root == house[1].desk.root("cup", LAST)


def test_a_consistency_proof_shows_that_the_log_only_grew(house, get):
    told = get(f"{T}/proofs?from=5&to=13")
    old, new = b64decode(told["old_root"]), b64decode(told["root"])
    assert merkle.verify_consistency(5, 13, old, new, [b64decode(h) for h in told["hashes"]])
    assert old == house[1].desk.root("cup", 5)


def test_there_is_no_proof_of_a_line_that_is_not_there(house):
    assert [house[0].get(f"{T}/proofs/{n}").status_code for n in (0, LAST + 1)] == [404, 404]


def test_the_audit_agrees_and_nothing_crossed(get):
    told = get(f"{T}/audit")
    assert (told["verdict"], told["checked"], told["unchecked"], told["first"]) == ("agrees", LAST, 0, None)
    listed = get(f"{T}/integrity")
    assert (listed.pop("tournament"), listed.pop("seq")) == ("cup", LAST)
    kinds = ("crossings", "regulations", "overrides", "shared", "orphans", "beneath", "claims", "arrivals", "findings")
    kinds += ("contradicted", "outdated", "texts")
    assert listed == {key: [] for key in kinds}


def test_a_text_that_was_lost_is_named_with_its_line_and_one_that_was_erased_is_not(fresh):
    client, played, folder = fresh
    hashes = {text.text: text.hash for text in played.desk.log.tournament_texts("cup")}
    played.do(PAIRING, pairing.AppointOfficial(CHIEF, OfficialAppointed("zhou.min", "organiser")))
    played.do(PAIRING, pairing.EraseText(replace(CHIEF, role="organiser"), TextErased(hashes["Anna Berg"])))
    with sqlite3.connect(folder / "log.db") as connection:
        connection.execute("DELETE FROM texts WHERE hash = ?", (hashes["李娜"],))
    connection.close()
    (entry,) = client.get(f"{T}/integrity").get_json()["texts"]
    line = played.desk.lines("tournaments/cup")[entry["seq"] - 1].line
    assert entry["text"] == hashes["李娜"] and hashes["李娜"].encode() in line


@pytest.mark.parametrize(("role", "status"), [("organiser", 403), ("chief_arbiter", 200), ("auditor", 200),
                                              ("arbiter", 403), ("player", 403), ("board", 403)])  # fmt: skip
def test_texts_are_for_who_holds_the_office_and_for_the_auditor(house, role: Role, status: int):
    answer = caller(house, role)("GET", f"{T}/texts")
    assert answer.status_code == status
    if status == 200:
        assert set(NAMES) <= {text["text"] for text in answer.get_json()["texts"]}


def test_texts_are_for_an_organiser_who_was_appointed(fresh):
    fresh[1].do(PAIRING, pairing.AppointOfficial(CHIEF, OfficialAppointed("zhou.min", "organiser")))
    answer = caller(fresh, "organiser")("GET", f"{T}/texts")
    assert {"Anna Berg", "李娜"} <= {text["text"] for text in answer.get_json()["texts"]}


def test_texts_need_a_token_of_this_tournament(house):
    assert house[0].get(f"{T}/texts").status_code == 401
    assert caller(house, "auditor", tournament="other")("GET", f"{T}/texts").status_code == 403


def test_an_erased_name_is_no_longer_shown(fresh):
    client, cup, _ = fresh
    name = cup.desk.view("cup").tournament.players[1].name
    cup.do(PAIRING, pairing.AppointOfficial(CHIEF, OfficialAppointed("o", "organiser")))
    cup.do(PAIRING, pairing.EraseText(pairing.Actor("o", "organiser"), TextErased(name.text)))
    assert {p["id"]: p["name"] for p in client.get(f"{T}/standings").get_json()["players"]} == {1: None, 2: "李娜"}


# ---------------------------------------------------------------- publication


def published(house: Any, sent: dict[str, Any], role: Role = "chief_arbiter", seq: int | None = None) -> Any:
    match = {} if seq is None else {"If-Match": f'"{seq}"'}
    return caller(house, role)("POST", f"{T}/publications", sent, headers=match)


def test_a_publication_says_what_the_tournament_says_where_it_is_left_out(fresh):
    answer = published(fresh, {}, seq=7)
    data = answer.get_json()["events"][0]["data"]
    assert (answer.status_code, answer.headers["ETag"]) == (201, '"8"')
    assert (data["tiebreaks"], data["rules"], data["round"], data["final"]) == (
        ["BH", "PS", "DE/A", "WIN"],
        "2026",
        1,
        False,
    )
    assert SIGNER.verifier.verifies(checkpoint.parse(data["checkpoint"]))


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        ({"tiebreaks": ["XX"]}, 422), ({"tiebreaks": ["BH", "BH"]}, 422), ({"round": 7}, 422), ({"final": "yes"}, 422),
        ({"rounds": 1}, 422), ({"rules": "1999"}, 422), ({"final": True}, 409),
    ],
)  # fmt: skip
def test_a_publication_that_cannot_be_is_refused(fresh, sent: dict[str, Any], status: int):
    assert published(fresh, sent, seq=7).status_code == status
    assert fresh[1].desk.view("cup").seq == 7


def test_a_publication_depends_on_what_was_seen(fresh):
    assert published(fresh, {}).status_code == 428
    assert published(fresh, {}, seq=6).status_code == 412


def test_an_arbiter_does_not_publish(fresh):
    assert published(fresh, {}, role="arbiter", seq=7).status_code == 403


def test_a_final_table_closes_the_event(fresh):
    fresh[1].report(1, "1-0")
    assert published(fresh, {"final": True}, seq=8).status_code == 201
    assert fresh[1].desk.view("cup").tournament.closed()


def test_the_routes_are_described(get):
    paths = get("/v1/openapi.json")["paths"]
    for path in ("standings", "standings/{p}", "crosstable", "diff", "events", "checkpoint", "proofs", "proofs/{seq}",
                 "audit", "integrity", "texts", "publications"):  # fmt: skip
        assert f"/v1/tournaments/{{t}}/{path}" in paths


def test_who_has_left_is_marked_in_the_table(tmp_path: Path):
    desk = a_desk(tmp_path)
    cup = spring_cup(desk)
    cup.do(PAIRING, pairing.WithdrawPlayer(CHIEF, PlayerId(4), cup.text("ill")))
    page = an_app(tmp_path, desk).test_client().get("/t/cup/standings", headers={"Accept-Language": "en"}).text
    desk.close()
    rows = {name: row for row in page.split("<tr>") for name in NAMES if f">{name}<" in row}
    assert [name for name, row in rows.items() if " left</small>" in row] == [NAMES[3]]


@pytest.mark.parametrize("path", ["standings", "standings/1", "crosstable", "trf", "integrity"])
def test_before_there_are_regulations_there_is_no_table(fresh, path: str):
    answer = fresh[0].get(f"{T}/{path}?at=1")
    assert (answer.status_code, answer.json["type"]) == (409, "urn:arbiter:problem:no-regulations")
