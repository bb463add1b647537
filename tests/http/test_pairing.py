"""Pairing's routes on a real desk: bodies, answers, and refusals as problems."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from deploy.server.known_tiebreaks import TIEBREAK_CODES
from services.pairing.app import blueprint
from services.pairing.rules import RULES
from shared.core.terms import PAIRING
from shared.http.app import Settings, create_app
from shared.http.identity import tokens
from tests.http.calls import Call, audited_desk, calls_on

T = "/v1/tournaments/T"
CUP = {"id": "T", "name": "Cup", "game": "chess", "format": "swiss", "rounds": 3, "regulations": "fide-2026"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    tokens.ensure_keys(tmp_path)
    with audited_desk(tmp_path, {PAIRING: RULES}, "T") as desk:
        yield create_app(
            [blueprint(desk, TIEBREAK_CODES, partial(tokens.issue, tmp_path))],
            desk,
            Settings(tmp_path / "token-keys"),
            "pairing",
        )


@pytest.fixture
def call(app: Flask, tmp_path: Path) -> Call:
    return calls_on(app, tmp_path, "chief_arbiter")


@pytest.fixture
def announced(call: Call) -> Call:
    """After T was announced and four players entered."""
    assert call("POST", "/v1/tournaments", CUP).status_code == 201
    players = [{"id": i, "name": f"Player {i}", "rating": 2400 - i, "club": "Go House"} for i in range(1, 5)]
    entered = call("POST", f"{T}/entries", {"players": players})
    assert entered.json["players"] == [{"id": i, "starting_number": i} for i in range(1, 5)]
    return call


def etag(call: Call) -> str:
    return call("GET", T).headers["ETag"]


def test_a_round_is_paired_and_shown(announced: Call):
    announced("POST", f"{T}/byes", {"player": 4, "round": 1, "kind": "H"})
    made = announced("POST", f"{T}/rounds", {"initial_colour": "white"}, If_Match=etag(announced))
    assert made.status_code == 201
    assert made.json["round"] == made.json["pairing"] == 1
    assert made.json["boards"] == [{"board": 1, "game": "T.1.1", "white": 1, "black": 2}]
    assert made.json["byes"] == [{"player": 3, "kind": "U"}]
    assert made.json["events"][0]["data"]["engine"] == {"name": "gacrux", "version": "1.11.65+c04.2"}
    shown = announced("GET", f"{T}/rounds/1")
    assert shown.headers["ETag"] == made.headers["ETag"]
    assert shown.json["byes"] == [{"player": 3, "kind": "U"}, {"player": 4, "kind": "H"}]
    assert announced("GET", f"{T}/rounds/2").json["type"].endswith("unknown-round")


def test_a_round_needs_to_know_what_was_seen(announced: Call):
    assert announced("POST", f"{T}/rounds", {}).status_code == 428
    assert announced("POST", f"{T}/rounds", {}, If_Match='"1"').status_code == 412


def test_a_preview_writes_nothing(announced: Call):
    before = etag(announced)
    shown = announced("POST", f"{T}/rounds?preview=true", {})
    assert shown.status_code == 200
    assert [e["type"] for e in shown.json["events"]] == ["arbiter.round.paired.v2"]
    assert etag(announced) == before


@pytest.mark.parametrize(
    ("head", "code"), [({"If_Match": "9"}, "bad-if-match"), ({"Idempotency_Key": "a b"}, "bad-idempotency-key")]
)
def test_a_preview_refuses_a_head_that_its_command_would(announced: Call, head: dict[str, str], code: str):
    answer = announced("POST", f"{T}/rounds?preview=true", {}, **head)
    assert (answer.status_code, answer.json["type"].rpartition(":")[2]) == (400, code)


@pytest.mark.parametrize("boards", [[{"white": 2, "black": 1}, {"white": 3, "black": 4}], [[2, 1], [3, 4]]])
def test_a_pairing_by_hand_takes_boards_either_way(announced: Call, boards: Any):
    sent = {"boards": boards, "reason": "the engine was not asked"}
    made = announced("POST", f"{T}/rounds", sent, If_Match=etag(announced))
    assert [(b["white"], b["black"]) for b in made.json["boards"]] == [(2, 1), (3, 4)]


def test_a_pairing_by_hand_that_breaks_a_rule_is_a_conflict(announced: Call):
    made = announced("POST", f"{T}/rounds", {"boards": [[1, 1]], "reason": "x"}, If_Match=etag(announced))
    assert made.status_code == 409
    assert made.json["type"].endswith("absolute-rule")
    assert "seated-once" in made.json["detail"]


def test_a_round_is_taken_back_with_and_without_a_body(announced: Call):
    for sent in (None, {"reason": "the draw was not public"}):
        announced("POST", f"{T}/rounds", {}, If_Match=etag(announced))
        assert announced("POST", f"{T}/rounds/1/withdrawal", sent).status_code == 201


def test_numbers_leaving_officials_and_regulations(announced: Call):
    """Every other command of the office has its route."""
    said = [
        ("POST", f"{T}/starting-numbers", {}),
        ("POST", f"{T}/starting-numbers", {"numbers": [{"player": 1, "number": 2}, {"player": 2, "number": 1}]}),
        ("POST", f"{T}/entries/4/withdrawal", {"reason": "ill"}),
        ("POST", f"{T}/officials", {"name": "li", "role": "arbiter"}),
        ("POST", f"{T}/officials/li/dismissal", {"reason": "moved"}),
        ("POST", f"{T}/regulations", {"regulations": "campus", "reason": "as agreed"}),
    ]
    kinds = [announced(*one).json["events"][0]["type"] for one in said]
    assert kinds == [
        "arbiter.starting-numbers.assigned.v2",
        "arbiter.starting-numbers.assigned.v2",
        "arbiter.player.withdrew.v2",
        "arbiter.official.appointed.v2",
        "arbiter.official.dismissed.v1",
        "arbiter.regulations.adopted.v5",
    ]


def test_a_name_is_erased_once_and_only_where_it_is(announced: Call, app: Flask):
    hash = announced("POST", f"{T}/entries", {"players": [{"name": "Zhao"}]}).json["events"][0]["data"]["name"]["text"]
    erased = announced("DELETE", f"{T}/texts/{hash}", role="organiser")
    assert erased.status_code == 200
    assert app.extensions["arbiter"].desk.texts([hash]) == {}
    assert announced("DELETE", f"{T}/texts/{hash}", role="organiser").status_code == 409
    assert announced("DELETE", f"{T}/texts/{'0' * 64}", role="organiser").status_code == 404
    assert announced("DELETE", f"{T}/texts/{hash}").status_code == 403


def test_an_id_not_given_is_made(call: Call):
    made = call("POST", "/v1/tournaments", {name: value for name, value in CUP.items() if name != "id"})
    assert made.status_code == 201
    assert call("GET", f"/v1/tournaments/{made.json['id']}").status_code == 200
    assert call("POST", "/v1/tournaments", CUP | {"id": made.json["id"]}).status_code == 409


BAD = {
    "id": "-T",
    "name": "",
    "game": "Chess!",
    "format": "lottery",
    "rounds": 0,
    "regulations": "nowhere",
    "tiebreaks": ["LUCK"],
}


@pytest.mark.parametrize("field", BAD)
def test_a_wrong_field_of_an_announcement_is_named(call: Call, field: str):
    refused = call("POST", "/v1/tournaments", CUP | {field: BAD[field]})
    assert refused.status_code == 422
    assert list(refused.json["errors"]) == [field]


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("entries", {"players": []}),
        ("entries", {"players": [{"name": "x", "rating": "2000"}]}),
        ("entries", {"players": [{"name": "x", "age": 9}]}),
        ("byes", {"player": 1, "round": 1, "kind": "U"}),
        ("rounds", {"boards": [[1]], "reason": "x"}),
        ("rounds", {"boards": [[1, True]], "reason": "x"}),
        ("rounds", {"boards": [[1, 2]], "reason": "x", "overrides": ["seated-once"]}),
        ("starting-numbers", {"numbers": [{"player": 1, "number": 0}]}),
        ("officials", {"name": "li", "role": "rulebook"}),
    ],
)
def test_bad_bodies_are_refused(announced: Call, path: str, sent: Any):
    refused = announced("POST", f"{T}/{path}", sent, If_Match=etag(announced))
    assert refused.status_code == 422
    assert refused.json["errors"]


def test_a_name_may_hold_any_writing(announced: Call):
    made = announced(
        "POST", f"{T}/entries", {"players": [{"name": "李雷 Ли علی\u200cرضا Müller 🂡", "federation": "CHN"}]}
    )
    assert made.json["players"] == [{"id": 5, "starting_number": 5}]


def test_a_large_round_is_paired_beside_the_writer(announced: Call):
    announced("POST", f"{T}/entries", {"players": [{"name": f"Player {i}"} for i in range(5, 81)]})
    made = announced("POST", f"{T}/rounds", {"initial_colour": "black"}, If_Match=etag(announced))
    assert made.status_code == 201
    assert [(b["white"], b["black"]) for b in made.json["boards"]][:3] == [(41, 1), (2, 42), (43, 3)]


# ---------------------------------------------------------------- formats


def cup(call: Call, players: int, **said: Any) -> Call:
    """T in another format, by the campus regulations."""
    sent = {**CUP, "regulations": "campus"} | said
    assert call("POST", "/v1/tournaments", sent).status_code == 201
    if players:
        entered = {"players": [{"name": f"Player {n}"} for n in range(1, players + 1)]}
        assert call("POST", f"{T}/entries", entered).status_code == 201
    return call


def problem(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["type"].rpartition(":")[2]


def test_ten_thousand_players_are_too_many(call: Call):
    cup(call, 0)
    refused = call("POST", f"{T}/entries", {"players": [{"name": "x"}] * 10000})
    assert refused.status_code == 422
    assert "9999" in str(refused.json["errors"])
    cup_full = {"players": [{"id": 9999, "name": "x"}]}
    assert call("POST", f"{T}/entries", cup_full).status_code == 201
    one_more = call("POST", f"{T}/entries", {"players": [{"name": "y"}]})
    assert problem(one_more) == (409, "too-many-players")
    assert "9999" in one_more.json["detail"]


@pytest.mark.parametrize("format", ["swiss", "round_robin", "knockout", "double_knockout", "match"])
def test_one_player_is_too_few(call: Call, format: str):
    cup(call, 1, format=format)
    assert problem(call("POST", f"{T}/rounds", {}, If_Match=etag(call))) == (409, "too-few-players")


@pytest.mark.parametrize("format", ["swiss", "manual"])
def test_rounds_are_told_where_nothing_else_says_how_many(call: Call, format: str):
    sent = {name: value for name, value in CUP.items() if name != "rounds"} | {"format": format}
    refused = call("POST", "/v1/tournaments", sent)
    assert problem(refused) == (422, "no-rounds")
    assert refused.json["where"] == "rounds"


@pytest.mark.parametrize(
    ("conditions", "team"),
    [
        (None, {"kind": "lineup", "boards": 4, "substitutes": 0}),
        ({"team": {"kind": "fixed", "boards": 2}}, {"kind": "fixed", "boards": 2, "substitutes": 0}),
    ],
)
def test_the_format_teams_is_a_swiss_of_teams(call: Call, conditions: Any, team: dict[str, Any]):
    # given, when
    said = {"format": "teams", "regulations": "campus"} | ({} if conditions is None else {"conditions": conditions})
    announced = call("POST", "/v1/tournaments", CUP | said).json["events"][0]["data"]
    # then
    assert (announced["format"], announced["conditions"]["team"]) == ("swiss", team)


@pytest.mark.parametrize(
    ("said", "where"),
    [
        ({"format": "groups", "conditions": {"groups": 2}}, "conditions.qualifiers"),
        ({"format": "match", "conditions": {"games": 4, "best": True}}, "conditions.games"),
        ({"format": "knockout", "conditions": {"groups": 2}}, "conditions.groups"),
        ({"format": "swiss", "conditions": {"games": 2}}, "conditions.games"),
    ],
)
def test_conditions_that_do_not_fit_the_format_are_named(call: Call, said: dict[str, Any], where: str):
    refused = call("POST", "/v1/tournaments", CUP | said)
    assert problem(refused) == (422, "conditions-do-not-fit")
    assert refused.json["where"] == where


@pytest.mark.parametrize(
    "conditions", [{"games": 0}, {"games": "3"}, {"luck": 1}, {"team": {"kind": "pairs", "boards": 4}}, {"best": "yes"}]
)
def test_conditions_are_of_their_types(call: Call, conditions: dict[str, Any]):
    refused = call("POST", "/v1/tournaments", CUP | {"format": "match", "conditions": conditions})
    assert refused.status_code == 422
    assert list(refused.json["errors"]) == ["conditions"]


def test_arrangements_have_their_routes(call: Call):
    cup(call, 4)
    for path, sent, kind in (
        ("forbidden-pairs", {"pairs": [[1, 2]], "reason": "sisters"}, "arbiter.pairs.forbidden.v1"),
        ("forbidden-pairs", {"pairs": []}, "arbiter.pairs.forbidden.v1"),
        ("entries/3/board", {"board": 2, "reason": "a wheelchair"}, "arbiter.board.fixed.v1"),
        ("entries/3/board", {"board": 0}, "arbiter.board.fixed.v1"),
        ("starting-numbers", {"lot": True}, "arbiter.starting-numbers.assigned.v2"),
    ):
        made = call("POST", f"{T}/{path}", sent)
        assert (made.status_code, made.json["events"][0]["type"]) == (201, kind)


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("forbidden-pairs", {"pairs": [[1, 2, 3]]}),
        ("forbidden-pairs", {"pairs": [[1]]}),
        ("forbidden-pairs", {}),
        ("entries/1/board", {"board": -1}),
        ("entries/1/board", {"board": "2"}),
        ("lots", {}),
        ("lots", {"match": 0}),
        ("starting-numbers", {"lot": True, "numbers": [{"player": 1, "number": 1}]}),
    ],
)
def test_bad_arrangements_are_refused(announced: Call, path: str, sent: Any):
    refused = announced("POST", f"{T}/{path}", sent)
    assert refused.status_code == 422
    assert refused.json["errors"]


def test_a_large_campus_round_is_paired_beside_the_writer(call: Call):
    cup(call, 75, rounds=3)
    made = call("POST", f"{T}/rounds", {}, If_Match=etag(call))
    assert made.status_code == 201
    assert (len(made.json["boards"]), len(made.json["byes"])) == (37, 1)
    assert made.json["events"][0]["data"]["engine"]["name"] == "rustworkx"


def test_a_round_shows_its_stage_matches_and_groups(call: Call):
    cup(call, 4, format="knockout", conditions={"games": 3, "best": True})
    made = call("POST", f"{T}/rounds", {}, If_Match=etag(call)).json
    assert (made["stage"], made["groups"]) == ("semi-final", [[1, 2, 3, 4]])
    assert [(m["match"], m["leg"], m["boards"], m["places"]) for m in made["matches"]] == [
        (1, 1, [1], [1, 3]), (2, 1, [2], [1, 3]),
    ]  # fmt: skip
    assert call("GET", f"{T}/rounds/1").json["matches"] == made["matches"]


def test_an_announcement_gives_points_of_its_own(call: Call):
    answer = call("POST", "/v1/tournaments", CUP | {"points": {"win": 3, "half_bye": 1.5}})
    assert answer.status_code == 201
    (adopted,) = [e["data"]["regulations"] for e in answer.get_json()["events"] if "regulations" in e["data"]]
    assert (adopted["points"]["win"], adopted["points"]["half_bye"], adopted["points"]["draw"]) == (6, 3, 1)
    assert adopted["articles"]["points.win"] == "the announcement"


@pytest.mark.parametrize(
    "points", [{"win": 0.3}, {"win": -1}, {"win": True}, {"win": "3"}, {"wins": 1}, {"win": 10**9}]
)
def test_points_that_are_no_halves_are_refused(call: Call, points: dict[str, Any]):
    answer = call("POST", "/v1/tournaments", CUP | {"points": points})
    assert answer.status_code == 422 and "points" in answer.get_json()["errors"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("federation", "China"),
        ("federation", "chn"),
        ("federation", "CHN\n"),
        ("federation", ""),
        ("title", "Li Wei"),
        ("title", "GMGM"),
        ("title", "0d"),
    ],
)
def test_what_stays_in_the_log_for_ever_is_a_code_and_no_text(announced: Call, field: str, value: str):
    refused = announced("POST", f"{T}/entries", {"players": [{"name": "x", field: value}]})
    assert refused.status_code == 422
    assert field in str(refused.get_json()["errors"])


@pytest.mark.parametrize(("federation", "title"), [("CHN", "GM"), ("FID", "WFM"), ("KOR", "9p"), (None, "15k")])
def test_codes_of_federations_titles_and_ranks_are_taken(announced: Call, federation: str | None, title: str):
    sent = {"players": [{"name": "x", "federation": federation, "title": title}]}
    assert announced("POST", f"{T}/entries", sent).status_code == 201
