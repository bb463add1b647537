"""How pages say things: nothing is offered that cannot be done yet, codes are explained where they stand, lists have the comma of
the reader's language, and a thing is said once."""

from pathlib import Path

import pytest
from flask import Flask

from shared import regulations
from shared.core.terms import Role
from shared.http.language import language
from shared.http.language.catalogue import in_language
from shared.regulations.set_names import set_name
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
    hall(app, data, "coded")
    for tongue, words in (("en", "Buchholz"), (CHINESE, "对手分")):
        legend = reader(app, data, "coded", tongue).sees("/t/<t>/standings").text.partition('class="legend"')[2]
        assert f"<strong>BH</strong> {words}</span>" in legend


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
