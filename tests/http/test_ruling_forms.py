"""Rulings from the board, as a browser makes them: searched, previewed, confirmed, appealed against and annulled."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from deploy.server import embedded
from shared.desk.computations.child_process import Exhausted
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call
from tests.http.forms import HIDDEN, HOST, Person, hall, pair

FORM = "/t/<t>/rounds/1/boards/1/ruling"
FOUL = {"infraction": "foul", "player": "1"}
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Flask, Path]]:
    data = tmp_path_factory.mktemp("rulings")
    app = embedded.make_app(data, Limits(rate=0, reads=0, preview_seconds=120))
    yield app, data
    close(app)


_numbers = iter(range(1, 1000))


@pytest.fixture
def t() -> str:
    return f"hall{next(_numbers)}"


@pytest.fixture
def call(app: tuple[Flask, Path], t: str) -> Call:
    return hall(*app, t)


@pytest.fixture
def arbiter(app: tuple[Flask, Path], call: Call, t: str) -> Person:
    return Person(*app, "arbiter", "arbiter", t)


@pytest.fixture
def committee(app: tuple[Flask, Path], call: Call, t: str) -> Person:
    return Person(*app, "appeals", "appeals", t)


def fills(person: Person, path: str, **typed: str) -> TestResponse:
    """A form that is opened, a ruling's with an infraction chosen, and sent with what is typed."""
    return person.sends(path, opened(person, path) | typed)


def opened(person: Person, path: str) -> dict[str, str]:
    """The hidden fields that every form has."""
    fields = person.opens(f"{path}?infraction=foul" if path.endswith("/ruling") else path)
    return {name: fields[name] for name in ("seq", "once")}


def previewed(person: Person, path: str, **typed: str) -> TestResponse:
    """The preview of a form that is opened and filled in."""
    fields = opened(person, path) | typed
    return onward(person, person.sends(path, fields), fields)


def onward(person: Person, answer: TestResponse, fields: dict[str, str]) -> TestResponse:
    """What a browser sees that is led on with the form it sent."""
    assert answer.status_code == 307, answer.text
    sent = person.client.post(answer.headers["Location"], data=fields, headers={"Origin": HOST})
    assert sent.status_code == 200, sent.text
    return sent


def hidden(preview: TestResponse) -> dict[str, str]:
    """The fields of the form by which a preview is confirmed."""
    return dict(FIELD.findall(preview.text.partition('id="decided"')[2]))


def confirms(person: Person, path: str, preview: TestResponse) -> TestResponse:
    return person.sends(path, hidden(preview))


def rules(person: Person, path: str = FORM, **typed: str) -> TestResponse:
    answer = confirms(person, path, previewed(person, path, **typed))
    assert answer.status_code == 303, answer.text
    return answer


def text_of(page: str) -> str:
    """Return the text of a page as it is read."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.partition("<main")[2])).replace(" ,", ",").split())


def rulings(call: Call) -> list[dict]:
    return call("GET", "/v1/tournaments/<t>/rulings").json["rulings"]


def test_a_third_foul_is_found_previewed_and_confirmed_as_it_was_shown(call: Call, arbiter: Person) -> None:
    call("POST", "/v1/tournaments/<t>/results", {"round": 1, "results": [{"board": 1, "result": "1-0"}]})
    for _ in range(2):
        rules(arbiter, **FOUL)
    found = arbiter.sees(f"{FORM}?q=犯规").text
    assert "infraction=foul" in found
    shown = previewed(arbiter, FORM, **FOUL, note="touched the cannon")
    assert "r1, r2, r3" in shown.text, "why the game is lost"
    assert re.search(r"1 → \d", shown.text), "the rank that it costs"
    assert len(rulings(call)) == 2, "nothing is written yet"
    answer = confirms(arbiter, FORM, shown)
    assert (answer.status_code, "after=" in answer.headers["Location"]) == (303, True)
    third, loss = rulings(call)[2:]
    assert (third["infraction"], loss["because"]) == ("foul", ["r1", "r2", "r3"])
    assert third["note"] is not None


@pytest.mark.parametrize("typed", ["foul", "FOUL", "犯规", "000-A 4", "000-a"])
def test_the_rulebook_is_searched_by_english_chinese_and_article(arbiter: Person, typed: str) -> None:
    assert "infraction=foul" in arbiter.sees(f"{FORM}?q={typed}").text


def test_what_the_rulebook_does_not_have_is_said(arbiter: Person) -> None:
    assert "whistling" in arbiter.sees(f"{FORM}?q=whistling").text


def test_a_confirmed_form_sent_twice_is_written_once(call: Call, arbiter: Person) -> None:
    shown = previewed(arbiter, FORM, **FOUL)
    first, again = confirms(arbiter, FORM, shown), confirms(arbiter, FORM, shown)
    assert (first.status_code, again.status_code) == (303, 303)
    assert len(rulings(call)) == 1


def test_what_others_wrote_of_other_boards_changes_no_preview_and_of_this_one_shows_it_anew(
    call: Call, arbiter: Person
) -> None:
    rules(arbiter, **FOUL)
    shown = previewed(arbiter, FORM, **FOUL)
    # given a foul on another board
    rules(arbiter, "/t/<t>/rounds/1/boards/2/ruling", infraction="foul", player="3")
    assert confirms(arbiter, FORM, shown).status_code == 303
    # and one of the same player, by somebody else: what is shown next is the third
    shown = previewed(arbiter, FORM, **FOUL | {"note": "again"})
    call("POST", "/v1/tournaments/<t>/rulings/r1/annulment", {"reason": "seen wrongly"}, "appeals")
    before = len(rulings(call))
    anew = onward(arbiter, confirms(arbiter, FORM, shown), hidden(shown))
    assert len(rulings(call)) == before
    assert 'role="alert"' in anew.text and "<del>" in anew.text and "again" in anew.text
    assert confirms(arbiter, FORM, anew).status_code == 303
    assert len(rulings(call)) == before + 1


@pytest.mark.parametrize(
    ("typed", "status", "shown"),
    [
        ({"infraction": "whistling", "player": "1"}, 422, "whistling"),
        ({"infraction": "adjusting", "player": "1", "fact_consent": "perhaps"}, 422, "fact_consent"),
        ({"infraction": "adjusting", "player": "1", "fact_own_time": "yes", "fact_consent": "yes"}, 409, "adjusting"),
        ({"infraction": "foul", "player": "3"}, 422, "foul"),
        ({"infraction": "foul"}, 422, "foul"),
        ({"infraction": "foul", "player": "1", "ply": "-3"}, 422, "-3"),
        ({"infraction": "foul", "player": "one"}, 422, "foul"),
    ],
)
def test_what_is_refused_is_shown_again_with_what_was_typed(
    call: Call, arbiter: Person, typed: dict[str, str], status: int, shown: str
) -> None:
    answer = fills(arbiter, FORM, **typed, note="as I saw it")
    assert answer.status_code in (status, 404, 409)
    assert 'role="alert"' in answer.text and shown in answer.text
    assert "as I saw it" in answer.text or typed["infraction"] == "whistling"
    assert rulings(call) == []


def test_a_role_that_may_not_another_origin_and_nobody_at_all_rule_nothing(
    app: tuple[Flask, Path], call: Call, arbiter: Person, t: str
) -> None:
    player = Person(*app, "player", "1", t)
    assert fills(player, FORM, **FOUL).status_code == 403
    assert (
        arbiter.sends(FORM, arbiter.opens(FORM + "?infraction=foul") | FOUL, "http://evil.example").status_code == 403
    )
    nobody = Person(*app, None, "", t)
    assert fills(nobody, FORM, **FOUL).status_code == 401
    assert rulings(call) == []
    # nor is anything shown to them by the preview itself
    for person, origin, status in ((nobody, HOST, 401), (arbiter, "http://evil.example", 403)):
        answer = person.sends("/t/<t>/preview/rounds/1/boards/1/ruling", FOUL | {"seq": "1", "once": "x"}, origin)
        assert answer.status_code == status


def test_a_form_too_old_is_shown_anew_and_one_without_its_fields_again(call: Call, arbiter: Person) -> None:
    assert arbiter.sends(FORM, FOUL).status_code == 422
    opened = arbiter.opens(FORM + "?infraction=foul")
    rules(arbiter, **FOUL)
    late = arbiter.sends(FORM, opened | FOUL | {"foreseen": "0" * 64})
    assert (late.status_code, late.headers["Location"].endswith("?anew")) == (307, True)
    assert len(rulings(call)) == 1


def test_a_ruling_is_appealed_against_while_the_next_round_is_paired_and_annulled_by_the_committee(
    call: Call, arbiter: Person, committee: Person
) -> None:
    call(
        "POST",
        "/v1/tournaments/<t>/results",
        {"round": 1, "results": [{"board": n, "result": "1-0"} for n in (1, 2, 3)]},
    )
    for _ in range(3):
        rules(arbiter, **FOUL)
    page = arbiter.sees("/t/<t>/rulings/r4")
    assert page.status_code == 200 and "Player 1" in page.text
    shown = previewed(arbiter, "/t/<t>/rulings/r4/appeal", by="1", grounds="it was one touch")
    pair(call, [[1, 3], [2, 5], [4, 6]])
    assert confirms(arbiter, "/t/<t>/rulings/r4/appeal", shown).status_code == 303
    (appeal,) = call("GET", "/v1/tournaments/<t>/appeals").json["appeals"]
    at = f"/t/<t>/appeals/{appeal['appeal']}/decision"
    assert appeal["appeal"] in arbiter.sees("/t/<t>/rulings/r4").text
    assert "it was one touch" in committee.sees(at).text, "the committee reads what it decides on"
    shown = previewed(committee, at, upheld="yes", grounds="the arbiter saw it wrongly")
    assert re.search(r"\d → 1", shown.text), "the rank that he gets back"
    assert confirms(committee, at, shown).status_code == 303
    standing = {one["ruling"]: one["standing"] for one in rulings(call)}
    assert standing["r4"] is False and standing["r3"] is True


def test_an_annulment_and_a_retraction_are_previewed_and_confirmed(
    app: tuple[Flask, Path], t: str, call: Call, arbiter: Person, committee: Person
) -> None:
    rules(arbiter, **FOUL)
    rules(arbiter, **FOUL)
    named = {"name": "arbiter", "role": "arbiter", "person": "何静"}
    assert call("POST", "/v1/tournaments/<t>/officials", named).status_code == 201
    rules(arbiter, "/t/<t>/rulings/r2/retraction", reason="the wrong board")
    rules(committee, "/t/<t>/rulings/r1/annulment", reason="it was adjusted")
    assert [one["standing"] for one in rulings(call) if one["ruling"] in ("r1", "r2")] == [False, False]
    seen = arbiter.sees("/t/<t>/rulings/r1").text
    assert re.search(r'what-if\?without=r4">What if it had stayed in force\?</a>', seen), seen
    said = text_of(seen)
    assert "appealed against" not in said, "an appeal against a ruling that is not in force is refused"
    assert "Board Round 1, board 1, Player 1 – Player 2 Result now no result Opponent Player 2" in said, said
    when = r"20\S+ \S+ \S+"
    assert re.search(f"ruling r1 in round 1: foul; counts as a foul .* {when}, 何静 \\(arbiter\\), arbiter", said), said
    annulled = f"ruling r4 annuls r1 .* {when}, appeals committee"
    assert re.search(f"{annulled} “ it was adjusted ”", said), said
    guest = text_of(Person(*app, None, "", t).sees("/t/<t>/rulings/r1").text)
    assert re.search(f"{annulled} its text is shown only to officials", guest), guest
    assert "it was adjusted" not in guest
    retracted = text_of(arbiter.sees("/t/<t>/rulings/r2").text)
    assert re.search(f"ruling r3 retracts r2 as an error .* {when}, 何静 \\(arbiter\\), arbiter", retracted), retracted
    assert fills(committee, "/t/<t>/rulings/r1/annulment", reason="twice").status_code == 409
    assert arbiter.sees("/t/<t>/rulings/r99").status_code == 404
    assert arbiter.sees("/t/<t>/appeals/a99/decision").status_code == 404


def test_preview_of_an_annulment_names_the_loss_that_lapses(call: Call, arbiter: Person, committee: Person) -> None:
    for _ in range(3):
        rules(arbiter, **FOUL)
    shown = previewed(committee, "/t/<t>/rulings/r2/annulment", reason="it was adjusted").text
    (lapsing,) = re.findall(r'<ul id="out-of-force">(.*?)</ul>', shown)
    assert re.findall(r"<strong>Ruling (r\d): ", lapsing) == ["r2", "r4"]
    assert 'id="in-force-again"' not in shown


def test_what_is_filled_in_again_still_says_what_was_typed(arbiter: Person) -> None:
    shown = previewed(arbiter, FORM, **FOUL, note="as I saw it")
    fields = hidden(shown)
    again = arbiter.sends(FORM + "?edit", fields)
    assert again.status_code == 200 and "as I saw it" in again.text
    assert "foreseen" not in dict(HIDDEN.findall(again.text))


def test_pages_of_rulings_are_in_the_reader_s_language(arbiter: Person) -> None:
    arbiter.client.set_cookie("arbiter_language", "zh-CN")
    text = arbiter.sees(f"{FORM}?q=foul").text
    assert 'lang="zh-CN"' in text and "犯规" in text and "Search" not in text
    shown = previewed(arbiter, FORM, **FOUL).text
    assert "Confirm" not in shown


def test_form_without_a_preview_keeps_its_text_and_can_be_recorded(
    app: tuple[Flask, Path], call: Call, arbiter: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = opened(arbiter, FORM) | FOUL | {"note": "touched the cannon"}
    led = arbiter.sends(FORM, fields)

    def exhausted(*_: object) -> None:
        raise Exhausted("too long")

    monkeypatch.setattr("shared.http.commands.previews.Previews._foreseen", exhausted)
    shown = arbiter.client.post(led.headers["Location"], data=fields, headers={"Origin": HOST})
    assert (shown.status_code, shown.headers["Retry-After"]) == (503, "30")
    assert "touched the cannon" in shown.text and rulings(call) == []
    assert f'action="{led.headers["Location"]}"' in shown.text and "?edit" in shown.text
    kept = dict(FIELD.findall(shown.text.partition('class="refused"')[2]))
    assert re.search('name="foreseen" value="unseen"', shown.text)
    # when another official rules on this player in the meantime
    call("POST", "/v1/tournaments/<t>/rulings", {"player": 1, "round": 1, "infraction": "foul"})
    again = arbiter.sends(FORM, kept | {"foreseen": "unseen"})
    told = arbiter.client.post(again.headers["Location"], data=kept, headers={"Origin": HOST})
    assert told.status_code == 503 and "Others have changed this since you opened it" in told.text
    kept = dict(FIELD.findall(told.text.partition('class="refused"')[2]))
    assert arbiter.sends(FORM, kept | {"foreseen": "unseen"}).status_code == 303
    assert [ruling["infraction"] for ruling in rulings(call)] == ["foul", "foul"]
