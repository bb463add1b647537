"""What people read comes in their language; what programs read never changes."""

import pytest
from marshmallow import Schema, fields

from deploy.build.catalogues import read
from deploy.server import embedded
from shared.core.terms import Role
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language.library_sentences import library_sentence
from shared.http.limits.rate_limits import Limits
from tests.http.conftest import Caller

CHINESE = {"Accept-Language": "zh-CN"}
KNOWN = {message.id for message in read("http", "zh_CN")}


def varies(response) -> set[str]:
    return {name.strip() for name in response.headers["Vary"].split(",")}


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("zh-CN", "zh-CN"),
        ("zh", "zh-CN"),
        ("zh-Hans-CN,zh;q=0.9,en;q=0.1", "zh-CN"),
        ("en-GB,zh;q=0.5", "en"),
        ("fr,de", "en"),
        ("*", "en"),
        ("zh;q=0", "en"),
        (";;;=\x7f,", "en"),
        ("", "en"),
    ],
)
def test_a_problem_comes_in_the_language_that_the_caller_accepts(organiser, accepted, language):
    answer = organiser("GET", "/v1/tournaments/NONE/events", headers={"Accept-Language": accepted})
    assert answer.status_code == 404 and answer.headers["Content-Language"] == language
    assert "Accept-Language" in varies(answer)
    document = answer.get_json(force=True)
    assert document["type"] == "urn:arbiter:problem:unknown-tournament"
    assert (document["title"], document["detail"]) == {
        "en": ("No such tournament", "tournament NONE does not exist"),
        "zh-CN": ("没有这项赛事", "赛事 NONE 不存在"),
    }[language]


def test_a_program_is_answered_by_its_own_header_and_never_by_the_cookie_of_a_page(organiser):
    organiser.client.set_cookie("arbiter_language", "zh-CN")
    answer = organiser("GET", "/v1/tournaments/NONE/events")
    assert answer.headers["Content-Language"] == "en"
    assert "Cookie" not in varies(answer)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="module")
def house(folder):
    app = embedded.make_app(folder, Limits(rate=0, reads=0))
    yield app
    close(app)


def switched(client, to: str, back: str):
    return client.post("/language", data={"to": to, "back": back})


def test_a_page_comes_in_the_language_of_the_switch_before_that_of_the_browser(house):
    client = house.test_client()
    english = client.get("/", headers={"Accept-Language": "en"})
    assert '<html lang="en">' in english.text and "Guest (read only)" in english.text
    answer = switched(client, "zh-CN", "/?from=A")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?from=A")
    chinese = client.get("/", headers={"Accept-Language": "en"})
    assert '<html lang="zh-CN">' in chinese.text and "访客（只能查看）" in chinese.text
    assert chinese.headers["Content-Language"] == "zh-CN"
    assert {"Cookie", "Accept-Language"} <= varies(chinese)


def test_the_page_of_a_problem_is_in_one_language(house):
    page = house.test_client().get("/t/NONE", headers=CHINESE)
    assert page.status_code == 404
    assert "没有这项赛事" in page.text and "No such" not in page.text


@pytest.mark.parametrize(
    "back",
    ["https://evil.example/", "//evil.example", "/\\evil.example", "evil", "", "/\n/evil.example", "///x", "/t\x00"],
)
def test_the_switch_leads_to_no_other_site(house, back):
    answer = switched(house.test_client(), "zh-CN", back)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


def test_the_switch_keeps_no_language_that_there_is_not(house):
    answer = switched(house.test_client(), "tlh", "/")
    assert answer.status_code == 422 and "Set-Cookie" not in answer.headers
    assert answer.get_json(force=True)["detail"] == "available: en, zh-CN"


def test_a_forged_cookie_is_not_taken(house):
    client = house.test_client()
    client.set_cookie("arbiter_language", "../../etc")
    assert '<html lang="en">' in client.get("/").text


def test_a_page_of_a_tournament_that_is_called_as_the_api_is_a_page(house):
    client = house.test_client()
    client.set_cookie("arbiter_language", "zh-CN")
    answer = client.get("/t/v1/players/1", headers={"Accept": "text/html,*/*;q=0.8"})
    assert (answer.status_code, answer.mimetype) == (404, "text/html") and '<html lang="zh-CN">' in answer.text


T = "/v1/tournaments/words"
OPEN = {"id": "words", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}


@pytest.fixture(scope="module")
def table(house, folder):
    """Callers of a house in which a tournament was announced."""

    def caller(role: Role, name: str):
        return Caller(house.test_client(), tokens.issue(folder, role, name))

    callers = {"organiser": caller("organiser", "li.wei"), "auditor": caller("auditor", "audit")}
    assert callers["organiser"]("POST", "/v1/tournaments", OPEN).status_code == 201
    return callers


FEED = (
    "the role organiser may not feed moves; "
    "roles that may: board or chief_arbiter or deputy_chief_arbiter or arbiter or player"
)
FEED_IN_CHINESE = "主办方无权“记录着法”；有权者为棋盘设备或裁判长或副裁判长或裁判员或棋手"
ENTER = "the role auditor may not enter players; roles that may: organiser or chief_arbiter"
ENTER_IN_CHINESE = "审计员无权“登记棋手报名”；有权者为主办方或裁判长"
UNRULED = {"player": 1, "round": 1, "infraction": "sneezing"}
REFUSALS = [
    ("organiser", "/v1/tournaments", OPEN, 409, "tournament words already exists", "赛事 words 已存在"),
    ("auditor", f"{T}/entries", {"players": [{"name": "A"}]}, 403, ENTER, ENTER_IN_CHINESE),
    ("organiser", "/v1/games/words.1.1/start", {}, 403, FEED, FEED_IN_CHINESE),
    (
        *("organiser", f"{T}/rulings", UNRULED, 422),
        *("the rulebook campus has no infraction 'sneezing'", "规则 campus 中没有违规项目 'sneezing'"),
    ),
    ("organiser", f"{T}/publications", {"round": 2}, 422, "only 0 rounds have been paired", "已编排 0 轮"),
]


@pytest.mark.parametrize(
    ("who", "path", "body", "status", "english", "chinese"), REFUSALS, ids=lambda value: str(value)[:30]
)
def test_each_service_refuses_in_both_languages(table, who, path, body, status, english, chinese):
    caller = table[who]
    tag = caller("GET", T).headers["ETag"]
    for headers, words in (({}, english), (CHINESE, chinese)):
        answer = caller("POST", path, body, headers=headers | {"If-Match": tag})
        assert (answer.status_code, answer.get_json(force=True)["detail"]) == (status, words)


@pytest.mark.parametrize(
    ("headers", "wrong"),
    [
        ({}, {"id": ["Missing data for required field."], "name": ["Not a valid string."], "more": ["Unknown field."]}),
        (CHINESE, {"id": ["缺少必填项。"], "name": ["不是有效文字。"], "more": ["未知项目。"]}),
    ],
)
def test_what_is_wrong_with_a_body_is_said_field_by_field_in_the_language(organiser, headers, wrong):
    answer = organiser("POST", "/v1/tournaments", {"name": 3, "more": 1}, headers=headers)
    assert answer.get_json(force=True)["errors"] == wrong


@pytest.mark.parametrize(("headers", "said"), [({}, "game must be one of "), (CHINESE, "game 须为以下之一：")])
def test_the_judge_answers_in_the_language(house, headers, said):
    answer = house.test_client().post("/v1/judge", json={"game": "ludo", "ask": "result"}, headers=headers)
    assert said in answer.get_json()["error"]["detail"] and "Accept-Language" in varies(answer)


def test_every_sentence_of_marshmallow_that_a_schema_can_say_is_known():
    said = {
        text
        for field in (*vars(fields).values(), Schema)
        if isinstance(field, type)
        for base in field.__mro__
        for text in (
            vars(base).get("default_error_messages") or vars(base).get("_default_error_messages") or {}
        ).values()
        if field.__name__
        in {"Boolean", "Dict", "Field", "Float", "Integer", "List", "Nested", "Raw", "String", "Schema"}
    }
    assert said and {text for text in said if library_sentence(text).text not in KNOWN} == set()
