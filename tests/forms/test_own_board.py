"""A player's own board on a phone: it is shown, both players state its result, and arbiters see where they differ."""

from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from tests.forms.conftest import Comes
from tests.forms.test_sessions import begins, identity, invites, link_of
from tests.http.calls import Call
from tests.http.forms import Person, hall

ME = "/t/<t>/me"


ACTS = ["see", "check_in", "call", "report", "claim", "half_bye"]


@pytest.fixture
def call(app: Flask, data: Path, t: str) -> Call:
    """Return a call on a tournament that allows players all acts."""
    return hall(app, data, t, changes={"players.allowed_acts": ACTS})


def adopts(call: Call, *acts: str) -> None:
    """Adopt the regulations again, with these acts of players."""
    body = {"regulations": "campus", "changes": {"players.allowed_acts": list(acts)}, "reason": "as agreed"}
    assert call("POST", "/v1/tournaments/<t>/regulations", body).status_code == 201


@pytest.fixture
def phones(comes: Comes) -> tuple[Person, Person]:
    """Return the phones of both players of board 1."""
    return comes("player", "1"), comes("player", "2")


def states(phone: Person, call: Call, result: str, game: str = "<t>.1.1") -> TestResponse:
    return phone.fills(ME, game=game.replace("<t>", phone.t), result=result)


def result_of(call: Call, board: int = 1) -> tuple[float, float] | None:
    """Return the points of both seats of a board, or None without a result."""
    rows = call("GET", "/v1/tournaments/<t>/results").json["results"]
    found = [(row["white"]["points"], row["black"]["points"]) for row in rows if row["board"] == board]
    return found[0] if found else None


def test_player_sees_own_board_and_opponent(comes: Comes, call: Call, phones: tuple[Person, Person]) -> None:
    entry = {"club": "Vexillum", "reason": "as it is"}
    assert call("POST", "/v1/tournaments/<t>/entries/2/correction", entry).status_code == 201
    call("POST", "/v1/tournaments/<t>/venue-notice", {"text": "Lunch", "round_begins": "2099-05-01T14:30:00Z"})
    shown = phones[0].sees(ME)
    assert shown.status_code == 200 and shown.headers["Cache-Control"] == "no-store"
    assert all(part in shown.text for part in ("Player 2", "Vexillum", "Lunch", "14:30", "Red", "I won", "I lost"))
    assert "Player 3" not in shown.text
    assert f'href="/t/{phones[0].t}/me"' in phones[0].sees("/t/<t>").text
    assert "/me" not in comes("arbiter").sees("/t/<t>").text
    assert "Black" in phones[1].sees(ME).text
    for stranger in (comes(None), comes("arbiter"), comes("player", "99")):
        page = stranger.sees(ME)
        assert page.status_code == 200 and "invitation with your number" in page.text and "I won" not in page.text


def test_two_phones_that_agree_report_the_result(call: Call, phones: tuple[Person, Person]) -> None:
    first, second = phones
    assert states(first, call, "1-0").status_code == 303
    assert "Your opponent states" in second.sees(ME).text and "You state" in first.sees(ME).text
    assert result_of(call) is None
    assert states(second, call, "1-0").status_code == 303
    assert result_of(call) == (1, 0)
    assert "1 – 0" in first.sees(ME).text and "I won" not in first.sees(ME).text
    assert call("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_buttons_of_a_player_are_a_win_a_draw_and_a_loss_of_that_player(
    call: Call, phones: tuple[Person, Person]
) -> None:
    white, black = (phone.sees(ME).text for phone in phones)
    order = [['value="1-0"', 'value="1/2-1/2"', 'value="0-1"'], ['value="0-1"', 'value="1/2-1/2"', 'value="1-0"']]
    for page, values in zip((white, black), order, strict=True):
        places = [page.index(f'name="result" {value}') for value in values]
        assert places == sorted(places) and page.index("I won", places[0]) < places[1]


def test_phones_that_differ_make_a_task_of_the_arbiters(
    comes: Comes, call: Call, phones: tuple[Person, Person]
) -> None:
    first, second = phones
    states(first, call, "1-0")
    assert "different results" not in comes("arbiter").sees("/t/<t>/rounds/1").text
    assert states(second, call, "0-1").status_code == 303
    assert result_of(call) is None
    task = comes("arbiter").sees("/t/<t>/rounds/1").text
    assert "the players state different results" in task and f"/t/{first.t}/rounds/1/boards/1/result" in task
    assert "An arbiter will report the result" in first.sees(ME).text
    body = {"round": 1, "results": [{"board": 1, "result": "0-1"}]}
    assert call("POST", "/v1/tournaments/<t>/results", body, role="arbiter").status_code == 201
    assert "different results" not in comes("arbiter").sees("/t/<t>/rounds/1").text
    assert call("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"


def test_forged_board_is_refused(call: Call, phones: tuple[Person, Person]) -> None:
    forged = states(phones[0], call, "1-0", "<t>.1.2")
    assert forged.status_code == 403 and "does not play in" in forged.text
    assert result_of(call, 2) is None


def test_player_with_a_new_board_sends_no_result_of_the_former_one(call: Call, phones: tuple[Person, Person]) -> None:
    seen = phones[0].opens(ME)
    assert call("POST", "/v1/tournaments/<t>/rounds/1/withdrawal", {"reason": "wrong list"}).status_code == 201
    sent = phones[0].sends(ME, seen | {"game": f"{phones[0].t}.1.1", "result": "1-0"})
    assert sent.status_code == 409 and "withdrawn" in sent.text


def test_arbiter_opens_the_invitation_of_a_player(comes: Comes, call: Call) -> None:
    page = comes("chief_arbiter").sees("/t/<t>/players/1").text
    assert (
        "/sessions?role=player&amp;name=1" in page
        and "/sessions?" not in comes("arbiter").sees("/t/<t>/players/1").text
    )
    form = comes("chief_arbiter").sees("/t/<t>/sessions?role=player&name=1").text
    assert '<option value="player" selected>' in form


def test_player_checks_in_by_one_button_and_nobody_else(
    comes: Comes, call: Call, phones: tuple[Person, Person]
) -> None:
    first, _ = phones
    assert f"/t/{first.t}/me/check-in" in first.sees(ME).text
    assert "I am here" in first.sees("/t/<t>/me/check-in").text
    checked = first.fills("/t/<t>/me/check-in")
    assert (checked.status_code, checked.headers["Location"].partition("?")[0]) == (303, f"/t/{first.t}/me")
    assert "You have checked in" in first.sees(ME).text
    came = [row["id"] for row in call("GET", "/v1/tournaments/<t>/entries").json["entries"] if row["checked_in"]]
    assert came == [1]
    for body in ({"came": [2]}, {"came": [1, 2]}, {"came": [1], "absent": [2]}, {"absent": [1]}):
        refused = call("POST", "/v1/tournaments/<t>/check-in", body, role="player")
        assert refused.status_code == 403 and refused.json["type"].endswith("another-players"), refused.text
    page = comes("arbiter").sees("/t/<t>/me/check-in").text
    assert "I am here" not in page and "invitation with your number" in page


def test_player_of_a_begun_game_opens_the_form_of_claims(call: Call, phones: tuple[Person, Person]) -> None:
    first, second = phones
    assert "Make a claim" not in first.sees(ME).text
    assert call("POST", f"/v1/games/{first.t}.1.1/start", {}, role="arbiter").status_code == 201
    address = f"/t/{first.t}/rounds/1/boards/1/claim"
    assert f"{address}?side=white" in first.sees(ME).text and f"{address}?side=black" in second.sees(ME).text
    assert second.fills(address, side="black", claim="resignation").status_code == 303
    assert result_of(call) == (1, 0) and "Make a claim" not in first.sees(ME).text


def test_call_of_a_player_is_a_task_until_an_arbiter_answers(
    comes: Comes, call: Call, phones: tuple[Person, Person]
) -> None:
    phone, _ = phones
    address = f"/t/{phone.t}/rounds/1/boards/1/call"
    assert address in phone.sees(ME).text
    called = phone.fills(address)
    assert (called.status_code, called.headers["Location"].partition("?")[0]) == (303, f"/t/{phone.t}/me")
    assert "An arbiter is called" in phone.sees(ME).text and address not in phone.sees(ME).text
    arbiter = comes("arbiter")
    task = arbiter.sees("/t/<t>/rounds/1").text
    assert "a player calls an arbiter" in task and address in task
    assert arbiter.fills(address).status_code == 303
    assert "a player calls an arbiter" not in arbiter.sees("/t/<t>/rounds/1").text and address in phone.sees(ME).text
    assert call("GET", "/v1/tournaments/<t>/audit").json["verdict"] == "agrees"
    assert comes("player", "3").fills(address).status_code == 403


def test_call_that_nobody_answered_is_no_task_after_the_final_publication(
    comes: Comes, call: Call, phones: tuple[Person, Person]
) -> None:
    assert phones[0].fills("/t/<t>/rounds/1/boards/1/call").status_code == 303
    results = [{"board": n, "result": "1-0"} for n in (1, 2, 3)]
    assert call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": results}).status_code == 201
    assert "a player calls an arbiter" in comes("chief_arbiter").sees("/t/<t>/rounds/1").text
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    assert call("POST", "/v1/tournaments/<t>/publications", {"final": True}, If_Match=seen).status_code == 201
    page = comes("chief_arbiter").sees("/t/<t>/rounds/1").text
    assert "a player calls an arbiter" not in page and "Round 1" in page


def test_invitation_of_a_player_is_limited_to_the_player_and_leads_to_the_own_board(
    app: Flask, comes: Comes, call: Call
) -> None:
    chief, phone = comes("chief_arbiter"), app.test_client()
    begun = begins(phone, link_of(invites(chief, role="player", name="1")))
    assert (begun.status_code, begun.headers["Location"]) == (303, f"/t/{chief.t}/me")
    who = identity(app, phone)
    assert (who.actor.name, who.actor.role, who.tournament) == ("1", "player", chief.t)
    assert "I won" in phone.get(f"/t/{chief.t}/me").text


def test_page_shows_only_the_acts_that_the_regulations_allow(call: Call, phones: tuple[Person, Person]) -> None:
    assert call("POST", f"/v1/games/{phones[0].t}.1.1/start", {}, role="arbiter").status_code == 201
    shown_by = {
        "report": "I won",
        "call": "Call an arbiter",
        "claim": "Make a claim",
        "check_in": "/me/check-in",
        "half_bye": "/players/1/bye",
    }
    for allowed in ((), *((act,) for act in shown_by), tuple(shown_by)):
        adopts(call, *(act for act in ACTS if act in ("see", *allowed)))
        page = phones[0].sees(ME).text
        assert {act for act, words in shown_by.items() if words in page} == set(allowed)
    adopts(call, "report")
    page = phones[0].sees(ME).text
    assert "do not show players their board" in page and "Player 2" not in page
    adopts(call)
    refused = phones[0].sends(ME, {"seq": "1", "once": "k", "game": f"{phones[0].t}.1.1", "result": "1-0"})
    assert refused.status_code == 403 and "do not allow players to state a result" in refused.text


def test_player_takes_a_half_point_bye_on_the_phone(comes: Comes, call: Call, phones: tuple[Person, Person]) -> None:
    form = "/t/<t>/players/1/bye"
    page = phones[0].sees(form).text
    assert 'value="H"' in page and 'value="F"' not in page and "cannot take it back" in page
    taken = phones[0].fills(form, round="2", kind="H")
    assert (taken.status_code, taken.headers["Location"].partition("?")[0]) == (303, f"/t/{phones[0].t}/me")
    page = phones[0].sees(ME).text
    assert "You have a bye in round: 2" in page and "/players/1/bye" not in page
    assert phones[1].fills(form, round="3", kind="H").status_code == 403
    assert "Player 1" in comes("chief_arbiter").sees("/t/<t>/byes").text


def test_player_opens_the_moves_of_the_own_board_without_acts_of_arbiters(
    comes: Comes, call: Call, phones: tuple[Person, Person]
) -> None:
    moves = f"/t/{phones[0].t}/rounds/1/boards/1/moves"
    assert moves in phones[0].sees(ME).text
    for_arbiters = ("Take moves back", "Position, empty", "Set a clock", "Player 2</b></label>")
    page = phones[0].sees(moves).text
    assert "Record moves" in page and not any(words in page for words in for_arbiters)
    assert phones[0].fills(moves, act="moves", ply="1", moves="h2e2").status_code == 303
    page, arbiters = phones[0].sees(moves).text, comes("arbiter").sees(moves).text
    assert (
        not any(words in page for words in for_arbiters) and "Take moves back" in arbiters and "Set a clock" in arbiters
    )
    assert f'href="/t/{phones[0].t}/me"' in page
    claims = moves.replace("moves", "claim")
    assert "both agreed" in comes("arbiter").sees(claims).text and "both agreed" not in phones[0].sees(claims).text
    adopts(call, "see")
    assert claims not in phones[0].sees(moves).text
