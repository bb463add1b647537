"""How pages say things: nothing is offered that cannot be done yet, codes are explained where they stand, lists have the comma of
the reader's language, and a thing is said once."""

import re
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from shared import regulations
from shared.core.language.messages import say
from shared.core.terms import Role
from shared.http.identity import tokens
from shared.http.language import language
from shared.http.language.catalogue import LANGUAGES, catalogue, in_language
from shared.http.requests import auth
from shared.regulations.set_names import set_name
from shared.web.problem_words import PAGE_WORDS
from tests.http.forms import Person, entered, hall

CHINESE = "zh-CN"
WOMAN = {"id": 2, "name": "李娜", "sex": "f"}


def reader(app: Flask, data: Path, t: str, tongue: str = "en", role: Role | None = "chief_arbiter") -> Person:
    person = Person(app, data, role, "chief_arbiter", t)
    person.client.set_cookie(language.COOKIE, tongue)
    return person


def test_of_a_round_that_nobody_has_paired_no_pairing_is_withdrawn(app: Flask, data: Path):
    entered(app, data, "unpaired", 4)
    shown = reader(app, data, "unpaired").sees("/t/<t>").text
    assert "Pair round 1" in shown and "none paired yet" in shown
    assert "Withdraw the pairing" not in shown and "round 0" not in shown
    assert "尚未编排" in reader(app, data, "unpaired", CHINESE).sees("/").text


def test_a_table_says_below_what_its_codes_mean(app: Flask, data: Path):
    call = hall(app, data, "coded")
    won = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}
    assert call("POST", "/v1/tournaments/<t>/results", won).status_code == 201
    english, chinese = (reader(app, data, "coded", tongue).sees("/t/<t>/standings").text for tongue in ("en", CHINESE))
    assert "<strong>BH</strong> Buchholz</span>" in english.partition('class="legend"')[2]
    assert "<strong>BH</strong>" not in chinese, "a heading in words needs no legend"
    assert "during round 1" in english and "第 1 轮进行中" in chinese


@pytest.mark.parametrize(("tongue", "because"), [("en", "r1</a>, <a"), (CHINESE, "r1</a>、<a")])
def test_a_list_has_the_comma_of_its_language(app: Flask, data: Path, tongue: str, because: str):
    t = f"listed-{tongue.lower()}"
    call = hall(app, data, t)
    for _ in range(3):
        assert (
            call("POST", "/v1/tournaments/<t>/rulings", {"player": 1, "round": 1, "infraction": "foul"}).status_code
            == 201
        )
    assert because in reader(app, data, t, tongue).sees("/t/<t>/rulings").text


def test_a_tournament_and_the_page_of_a_set_call_it_as_people_do(app: Flask, data: Path):
    entered(app, data, "named", 4, changes={"ranking.unshared": 2})
    for tongue, changed in (("en", ", 1 value changed by the organiser"), (CHINESE, "，主办方改动 1 处")):
        shown = reader(app, data, "named", tongue)
        about = shown.sees("/t/<t>").text.partition('id="about"')[2]
        name = in_language(set_name(regulations.load("campus")), tongue)
        assert f"{name}</a>{changed}" in about
        assert f"<h1>{name}</h1>" in shown.sees("/regulations/campus").text


def test_a_value_in_points_has_no_needless_decimals_and_chinese_marks(app: Flask, data: Path):
    shown = reader(app, data, "", CHINESE, None).sees("/regulations/xiangqi-1999").text
    assert "<td>1 分" in shown and "1.0 分" not in shown
    assert "第14.1款</a>：胜者1分" in shown and "第4条（四）" in shown


def test_the_sex_of_a_player_is_written_in_the_readers_words_and_read_so(app: Flask, data: Path):
    call = entered(app, data, "sexes", 1)
    assert call("POST", "/v1/tournaments/<t>/entries", {"players": [WOMAN]}).status_code == 201
    english, chinese = (reader(app, data, "sexes", tongue) for tongue in ("en", CHINESE))
    assert 'name="sex" value="f"' in english.sees("/t/<t>/players/2/correction").text
    assert 'name="sex" value="女"' in chinese.sees("/t/<t>/players/2/correction").text
    assert chinese.fills("/t/<t>/players/2/correction", name="李娜", sex="男", reason="写错").status_code == 303
    assert 'name="sex" value="m"' in english.sees("/t/<t>/players/2/correction").text


def test_a_refusal_in_chinese_has_no_english_between_its_facts(app: Flask, data: Path):
    call = entered(app, data, "paired-off", 4)
    pairs = {"pairs": [[1, 2], [2, 1]], "reason": "一家人"}
    path = "/v1/tournaments/<t>/forbidden-pairs"
    chinese, english = (call("POST", path, pairs, Accept_Language=tongue) for tongue in (CHINESE, "en"))
    assert chinese.json["detail"] == "重复列入：1和2" and english.json["detail"] == "named twice: 1 and 2"


def test_who_has_to_sign_is_named_as_a_person_on_the_closing_page(app: Flask, data: Path):
    signs = {"name": "chief_arbiter", "role": "chief_arbiter", "person": "何静"}
    entered(app, data, "signed-off", 4, officials=[signs])
    shown = reader(app, data, "signed-off", CHINESE)
    assert '裁判长：<bdi lang="zh">何静</bdi>' in shown.sees("/t/<t>/closing").text


WRONG: dict[str, tuple[dict[str, str], str]] = {
    "/t/<t>/players/1/board": ({"board": "10000"}, "Board"),
    "/t/<t>/officials": ({"name": "li.wei", "role": "board", "boards": "0"}, "Boards"),
    "/t/<t>/rounds/1/boards/1/clock": ({"minutes": "1", "seconds": "99", "side": "white"}, "Seconds"),
    "/t/<t>/rounds/1/boards/1/arrival": ({"came": "late", "minutes": "1"}, "Player concerned"),
    "/t/<t>/sessions": ({"act": "invite", "role": "arbiter", "name": "arbiter", "days": "99"}, "Days"),
    "/t/<t>/tokens": (
        {"act": "create", "name": "office bot", "roles": "arbiter", "other_tournaments": "a/b"},
        "Other tournaments",
    ),
}
"""Form -> what is typed wrong into it, and the label of the wrong field."""


@pytest.mark.parametrize("tongue", LANGUAGES)
@pytest.mark.parametrize("form", WRONG)
def test_a_refusal_lists_labels_of_fields_and_no_names_of_the_interface(app: Flask, data: Path, form: str, tongue: str):
    t = f"labels-{tongue.lower()}-{list(WRONG).index(form)}"
    hall(app, data, t)
    typed, label = WRONG[form]
    alert = alert_of(reader(app, data, t, tongue).fills(form, **typed).text)
    assert f"{in_language(say(label), tongue)}{'：' if tongue == CHINESE else ': '}" in alert
    assert not re.search(r"\berrors\b|[a-z]_[a-z]|\{|\[", alert), alert


@pytest.mark.parametrize(
    ("tongue", "said"), [("en", "the game on board 1 has not been started"), (CHINESE, "第 1 台对局 尚未开始")]
)
def test_a_refusal_names_the_board_and_not_the_id_of_the_game(app: Flask, data: Path, tongue: str, said: str):
    t = f"board-{tongue.lower()}"
    hall(app, data, t)
    clock = reader(app, data, t, tongue).fills("/t/<t>/rounds/1/boards/1/clock", side="white", minutes="5")
    assert said in alert_of(clock.text) and f"{t}.1.1" not in alert_of(clock.text)


@pytest.mark.parametrize(("tongue", "said"), [("en", "log in first"), (CHINESE, "请先登录")])
def test_a_guest_is_asked_to_log_in_and_not_for_a_header(app: Flask, data: Path, tongue: str, said: str):
    t = f"guest-{tongue.lower()}"
    hall(app, data, t)
    alert = alert_of(reader(app, data, t, tongue, None).fills("/t/<t>/rounds/1/boards/1/arrival", side="white").text)
    assert said in alert and "Authorization" not in alert


def test_a_refusal_calls_roles_as_people_do(app: Flask, data: Path):
    hall(app, data, "roles")
    arbiter = Person(app, data, "arbiter", "arbiter", "roles")
    alert = alert_of(arbiter.fills("/t/<t>/officials", name="li.wei", role="arbiter").text)
    assert "organiser or chief arbiter" in alert and "chief_arbiter" not in alert


def test_a_refusal_lists_only_roles_that_a_person_holds(app: Flask, data: Path):
    hall(app, data, "persons")
    arbiter = Person(app, data, "arbiter", "arbiter", "persons")
    alert = alert_of(arbiter.fills("/t/<t>/players/1/withdrawal", reason="ill").text)
    assert "roles that may: organiser or chief arbiter." in alert


@pytest.mark.parametrize(
    ("tongue", "said"), [("en", "Nothing that you may read was found."), (CHINESE, "没有您可以查看的报名。")]
)
def test_page_of_people_says_that_its_reader_may_read_none(app: Flask, data: Path, tongue: str, said: str):
    guest = reader(app, data, "none", tongue, None)
    of_one = reader(app, data, "none", tongue, None)
    of_one.client.set_cookie(auth.COOKIE, tokens.issue(data, "chief_arbiter", "he.jing", tournament="one"))
    for person in (guest, of_one):
        page = person.sees("/people")
        assert (page.status_code, said in page.text) == (200, True)


@pytest.mark.parametrize(("tongue", "said"), [("en", "open the list again"), (CHINESE, "请重新打开名单")])
def test_a_wrong_page_of_a_list_is_explained_without_the_interface(app: Flask, data: Path, tongue: str, said: str):
    page = reader(app, data, "none", tongue).sees("/people?cursor=x")
    shown = page.text.partition("<main")[2].partition("<details>")[0]
    assert page.status_code == 422 and said in shown and "cursor" not in shown


def test_a_wrong_number_in_an_address_is_explained_once(app: Flask, data: Path):
    hall(app, data, "numbers")
    page = reader(app, data, "numbers").sees("/t/<t>?at=abc").text
    shown = page.partition("<main")[2].partition("<details>")[0]
    assert "The address has a wrong value" in shown and shown.count("must be a whole number") == 1
    assert "Event: must be" in shown


def test_lots_of_a_tournament_without_matches_mention_none(app: Flask, data: Path):
    hall(app, data, "swiss")
    page = reader(app, data, "swiss").sees("/t/<t>/lots").text
    assert "Shared place" in page and "No match" not in page


@pytest.mark.parametrize(
    ("tongue", "said"),
    [
        ("en", ("this field is required", "must be from 1 to 100")),
        (CHINESE, ("此项必填", "须在 1 到 100 之间")),
    ],
)
def test_a_refused_form_states_missing_fields_and_limits(app: Flask, data: Path, tongue: str, said: tuple[str, str]):
    typed = {"name": "", "rounds": "0", "game": "chess", "format": "swiss", "regulations": "fide-2026"}
    alert = alert_of(reader(app, data, "none", tongue).fills("/tournaments/new", **typed).text)
    assert [one for one in said if one not in alert] == [], alert


def test_the_code_of_a_problem_is_behind_its_details(app: Flask, data: Path):
    shown = reader(app, data, "none").sees("/t/<t>").text
    assert "unknown-tournament" not in shown.partition("<details>")[0]
    assert "unknown-tournament" in shown.partition("<details>")[2]


@pytest.mark.parametrize("text", PAGE_WORDS)
def test_words_of_the_interface_that_a_page_replaces_are_still_said(text: str):
    assert text in catalogue(CHINESE)._catalog  # type: ignore[attr-defined]


def test_a_final_is_called_so_and_a_finished_event_otherwise(app: Flask, data: Path):
    call = entered(app, data, "last", 2, format="knockout", rounds=None, game="gomoku", regulations="gomoku-campus")
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    assert call("POST", "/v1/tournaments/<t>/rounds", {}, If_Match=seen).status_code == 201
    shown = reader(app, data, "last", CHINESE).sees("/t/<t>").text
    assert "决赛" in shown and "已结束" not in shown


def alert_of(page: str) -> str:
    """Return the text of the refusal on a page."""
    return unescape(re.sub(r"<[^>]*>", "", page.partition('role="alert"')[2].partition("</div>")[0]))
