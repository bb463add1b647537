"""The form of a pairing: what is published is what was shown, by who may, on the line that was seen."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from deploy.server import embedded
from shared.core.terms import Role
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from tests.http.calls import Call, calls_on
from tests.http.forms import FIELD, Person, hall
from tests.offices import holder

ONE, TWO = "/t/<t>/rounds/1/pairing", "/t/<t>/rounds/2/pairing"
LIMITS = Limits(rate=0, reads=0)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pairing_form")


@pytest.fixture(scope="module")
def app(data: Path) -> Iterator[Flask]:
    made = embedded.make_app(data, LIMITS)
    yield made
    close(made)


_numbers = count(1)


class Cup:
    """A tournament, and people who look after it."""

    def __init__(self, app: Flask, data: Path) -> None:
        self.app, self.data, self.t = app, data, f"cup{next(_numbers)}"
        self.chief = self.person("chief_arbiter")

    def person(self, role: Role | None) -> Person:
        return Person(self.app, self.data, role, holder(role, None) if role else "", self.t)

    def paired(self, **more: Any) -> Call:
        """Six players whose first round is paired."""
        return hall(self.app, self.data, self.t, **more)

    def entered(self, players: int = 5, **more: Any) -> Call:
        """Players by rising strength, and no round."""
        on = calls_on(self.app, self.data, "chief_arbiter")

        def call(method: str, path: str, *rest: Any, **named: Any) -> Any:
            return on(method, path.replace("<t>", self.t), *rest, **named)

        cup = {
            "id": self.t,
            "name": "Cup",
            "game": "chess",
            "format": "swiss",
            "rounds": 3,
            "regulations": "fide-2026",
            **more,
        }
        if not cup["rounds"]:
            del cup["rounds"]
        assert call("POST", "/v1/tournaments", cup).status_code == 201
        entries = [{"id": n, "name": f"Player {n}", "rating": 1500 + n} for n in range(1, players + 1)]
        assert call("POST", "/v1/tournaments/<t>/entries", {"players": entries}).status_code == 201
        return call

    def results(self, boards: tuple[int, ...] = (1, 2, 3)) -> None:
        for board in boards:
            answer = self.person("arbiter").fills(f"/t/<t>/rounds/1/boards/{board}/result", result="1-0")
            assert answer.status_code == 303


@pytest.fixture
def cup(app: Flask, data: Path) -> Cup:
    return Cup(app, data)


def fields(text: str) -> dict[str, str]:
    """The hidden fields of the first form."""
    return {
        name: unescape(value) for name, value in FIELD.findall(text.partition('id="form"')[2].partition("</form>")[0])
    }


def seated(call: Call, round: int) -> str:
    boards = call("GET", f"/v1/tournaments/<t>/rounds/{round}").json["boards"]
    return " ".join(f"{b['board']}:{b['white']}-{b['black']}" for b in boards)


def length(call: Call) -> int:
    return int(call("GET", "/v1/tournaments/<t>").headers["ETag"].strip('"'))


@pytest.mark.parametrize("regulations", ["fide-2026", "campus-chess"])
def test_what_is_published_is_what_was_shown(cup: Cup, regulations: str):
    call = cup.entered(regulations=regulations)
    page = cup.chief.sees(ONE)
    shown = fields(page.text)
    assert page.status_code == 200 and shown["boards"] and shown["byes"]
    assert fields(cup.chief.sees(ONE).text)["boards"] == shown["boards"], "looked at again, no other lots are drawn"
    answer = cup.chief.sends(ONE, shown)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/t/{cup.t}/rounds/1?after={length(call)}")
    assert seated(call, 1) == shown["boards"]
    line = call("GET", "/v1/tournaments/<t>/rounds/1").json
    assert [f"{bye['player']}{bye['kind']}" for bye in line["byes"]] == [shown["byes"]]


def test_a_first_colour_that_is_drawn_is_shown(cup: Cup):
    cup.entered()
    assert re.search("the first colour was drawn: (White|Black)", cup.chief.sees(ONE).text)


def test_a_published_form_sent_again_is_answered_as_the_first_time(cup: Cup):
    call = cup.entered()
    shown = fields(cup.chief.sees(ONE).text)
    first, before = cup.chief.sends(ONE, shown), length(call)
    again = cup.chief.sends(ONE, shown)
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.headers["Location"] == again.headers["Location"]
    assert length(call) == before


def test_where_the_log_went_on_the_page_is_shown_anew_with_what_differs(cup: Cup):
    call = cup.entered(6)
    shown = fields(cup.chief.sees(ONE).text)
    assert call("POST", "/v1/tournaments/<t>/byes", {"player": 6, "round": 1, "kind": "H"}).status_code == 201
    before = length(call)
    answer = cup.chief.sends(ONE, shown)
    assert answer.status_code == 412
    anew = fields(answer.text)
    assert anew["boards"] != shown["boards"] and 'id="differs"' in answer.text and "<del>" in answer.text
    assert length(call) == before, "and nothing was written"
    assert cup.chief.sends(ONE, anew).status_code == 303, "what is shown anew can be published"
    assert seated(call, 1) == anew["boards"]


def test_where_the_log_went_on_and_the_boards_are_the_same_the_page_says_so(cup: Cup):
    call = cup.entered(6)
    assert cup.chief.sends(ONE, fields(cup.chief.sees(ONE).text)).status_code == 303
    cup.results()
    shown = fields(cup.chief.sees(TWO).text)
    organiser = calls_on(cup.app, cup.data, "organiser")
    appointed = organiser("POST", f"/v1/tournaments/{cup.t}/officials", {"name": "late", "role": "arbiter"})
    assert appointed.status_code == 201
    answer = cup.chief.sends(TWO, shown)
    assert answer.status_code == 412
    assert fields(answer.text)["boards"] == shown["boards"]
    assert "The pairing is unchanged since it was shown." in answer.text
    assert call("GET", "/v1/tournaments/<t>/rounds/2").status_code == 404
    assert cup.chief.sends(TWO, fields(answer.text)).status_code == 303


def test_a_form_that_comes_after_another_paired_the_round_leads_there(cup: Cup):
    call = cup.entered()
    shown, other = fields(cup.chief.sees(ONE).text), fields(cup.chief.sees(ONE).text)
    assert cup.chief.sends(ONE, shown).status_code == 303
    before = length(call)
    answer = cup.chief.sends(ONE, other)
    assert answer.status_code == 412 and "Round 1 is already paired." in answer.text
    assert f'href="/t/{cup.t}/rounds/1"' in answer.text
    assert length(call) == before


@pytest.mark.parametrize(
    ("field", "value"),
    [("boards", "1:1-2 2:3-4"), ("byes", "1U"), ("engine", "other 1"), ("lots", "white 7"), ("boards", "")],
)
def test_a_pairing_that_was_altered_on_its_way_is_refused(cup: Cup, field: str, value: str):
    call = cup.entered()
    before = length(call)
    answer = cup.chief.sends(ONE, fields(cup.chief.sees(ONE).text) | {field: value})
    assert answer.status_code == 409 and "the pairing now differs from the one that was shown" in answer.text
    assert length(call) == before


def test_a_pairing_without_its_fields_is_refused(cup: Cup):
    call = cup.entered()
    before = length(call)
    shown = fields(cup.chief.sees(ONE).text)
    assert cup.chief.sends(ONE, shown | {"lots": ""}).status_code == 422
    assert cup.chief.sends(ONE, shown | {"seq": "x"}).status_code == 422
    assert cup.chief.sends(ONE, shown | {"white": "1"}).status_code == 422
    assert length(call) == before


@pytest.mark.parametrize(("role", "status"), [(None, 401), ("player", 403), ("arbiter", 403), ("auditor", 403)])
def test_who_may_not_pair_is_shown_no_pairing_and_publishes_none(cup: Cup, role: Role | None, status: int):
    call = cup.entered()
    shown, person = fields(cup.chief.sees(ONE).text), cup.person(role)
    seen = person.sees(ONE)
    assert seen.status_code == 200 and 'id="proposed"' not in seen.text
    before = length(call)
    assert person.sends(ONE, shown).status_code == status
    assert length(call) == before
    assert f"/t/{cup.t}/rounds/1/pairing" not in person.sees("/t/<t>").text


def test_missing_results_are_named_each_with_its_form(cup: Cup):
    call = cup.paired()
    cup.results((1,))
    page = cup.chief.sees(TWO)
    assert (
        "results are missing, so the round cannot be paired; missing on (round.board): 1.2, 1.3" in page.text
        and 'id="proposed"' not in page.text
    )
    assert f"/t/{cup.t}/rounds/1/boards/2/result" in page.text
    before = length(call)
    sent = fields(page.text) | {"boards": "1:1-3", "byes": "", "engine": "x", "lots": "white 0"}
    answer = cup.chief.sends(TWO, sent)
    assert answer.status_code == 409 and "results are missing" in answer.text
    assert length(call) == before


def test_the_boards_say_what_put_these_two_together(cup: Cup):
    cup.paired(regulations="fide-2026", game="chess")
    cup.results((1, 2, 3))
    proposed = cup.chief.sees(TWO).text.partition('id="proposed"')[2].partition("</table>")[0]
    assert proposed.count("same points") == 2 and proposed.count("floats between points") == 1
    assert re.search(r"<small>1 · W</small>", proposed) and re.search(r"<small>0 · B</small>", proposed)


@pytest.mark.parametrize(
    ("format", "players"),
    [("round_robin", 5), ("double_round_robin", 4), ("knockout", 4), ("double_knockout", 4), ("match", 2)],
)
def test_every_format_is_published_as_it_was_shown(cup: Cup, format: str, players: int):
    call = cup.entered(players, format=format, rounds=0, regulations="xiangqi-1999", game="xiangqi")
    shown = fields(cup.chief.sees(ONE).text)
    assert shown["boards"]
    assert cup.chief.sends(ONE, shown).status_code == 303
    assert seated(call, 1) == shown["boards"]


def test_a_drawn_match_leads_to_the_lots_that_decide_it(cup: Cup):
    call = cup.entered(4, format="knockout", rounds=0, regulations="xiangqi-1999", game="xiangqi")
    assert cup.chief.sends(ONE, fields(cup.chief.sees(ONE).text)).status_code == 303
    for board in (1, 2):
        answer = cup.person("arbiter").fills(f"/t/<t>/rounds/1/boards/{board}/result", result="1/2-1/2")
        assert answer.status_code == 303
    page = cup.chief.sees(TWO).text
    assert f"/t/{cup.t}/lots" in page.partition('id="why-not"')[2].partition("</p>")[0]
    assert call("GET", "/v1/tournaments/<t>/rounds/2").status_code == 404


def test_an_open_appeal_is_known_and_keeps_nobody_from_pairing(cup: Cup):
    call = cup.paired()
    cup.results()
    arbiter = cup.person("arbiter")
    foul = {"player": 1, "round": 1, "infraction": "foul"}
    assert call("POST", "/v1/tournaments/<t>/rulings", foul).status_code == 201
    assert arbiter.confirms("/t/<t>/rulings/r1/appeal", by="1", grounds="it was my turn").status_code == 303
    page = cup.chief.sees(TWO).text
    waiting = page.partition('id="waiting"')[2].partition("</ul>")[0]
    assert "appeal a2 against r1" in waiting and f'href="/t/{cup.t}/rulings/r1"' in waiting
    assert cup.chief.sends(TWO, fields(page)).status_code == 303


def test_the_desk_of_a_round_leads_to_the_next_pairing_once_all_results_are_in(cup: Cup):
    cup.paired()
    link = f'href="/t/{cup.t}/rounds/2/pairing"'
    assert link not in cup.chief.sees("/t/<t>/rounds/1").text
    cup.results()
    assert link in cup.chief.sees("/t/<t>/rounds/1").text
    assert link not in cup.person("arbiter").sees("/t/<t>/rounds/1").text, "who may not pair is not led there"


def test_the_desk_leads_to_the_withdrawal_while_no_game_has_begun(cup: Cup):
    cup.paired()
    link = f'href="/t/{cup.t}/rounds/1/pairing"'
    assert link in cup.chief.sees("/t/<t>/rounds/1").text
    assert link not in cup.person("arbiter").sees("/t/<t>/rounds/1").text, "who may not is not led there"
    assert "Void the pairing" not in cup.chief.sees("/t/<t>/rounds/1").text
    cup.results((2,))
    assert f"{link}>Void the pairing" in cup.chief.sees("/t/<t>/rounds/1").text, "begun, it can only be voided"


def test_the_page_of_the_tournament_leads_who_pairs_on_once_all_results_are_in(cup: Cup):
    cup.paired()
    link = f'href="/t/{cup.t}/rounds/2/pairing"'
    assert link not in cup.person("organiser").sees("/t/<t>").text
    cup.results()
    assert link in cup.person("organiser").sees("/t/<t>").text and link not in cup.person(None).sees("/t/<t>").text


def test_the_tournament_leads_to_the_first_pairing(cup: Cup):
    cup.entered()
    assert f'href="/t/{cup.t}/rounds/1/pairing"' in cup.chief.sees("/t/<t>").text


def test_a_competition_that_is_paired_by_hand_begins_with_its_sheet(cup: Cup):
    cup.entered(format="manual")
    page = cup.chief.sees(ONE)
    assert 'id="hand"' in page.text and 'name="numbers" value="lot"' in page.text


@pytest.mark.parametrize("numbers", ["strength", "lot"])
def test_starting_numbers_are_assigned_beside_the_first_pairing(cup: Cup, numbers: str):
    call = cup.entered()
    opened = fields(cup.chief.sees(ONE).text)
    sent = {"seq": opened["seq"], "once": opened["once"], "numbers": numbers}
    answer = cup.chief.sends(ONE, sent)
    assert answer.headers["Location"] == f"/t/{cup.t}/rounds/1/pairing?after={length(call)}"
    page = cup.chief.sees(answer.headers["Location"])
    assert page.status_code == 200
    if numbers == "strength":
        assert '5 <b><bdi lang="und">Player 1</bdi></b>' in page.text
    assert cup.chief.sends(ONE, sent | {"once": "x", "numbers": "age"}).status_code == 422


def test_a_round_after_the_next_has_no_form(cup: Cup):
    cup.entered()
    assert cup.chief.sees(TWO).status_code == 404
