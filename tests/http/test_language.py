"""What people read comes in their language; what programs read never changes."""

import pytest

from deploy.server import embedded
from shared.http.app import close
from shared.http.rate_limits import Limits

CHINESE = {"Accept-Language": "zh-CN"}


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
        "en": ("No such tournament", "no tournament NONE is known here"),
        "zh-CN": ("没有这项赛事", "此处没有赛事 NONE"),
    }[language]


def test_a_program_is_answered_by_its_own_header_and_never_by_the_cookie_of_a_page(organiser):
    organiser.client.set_cookie("arbiter_language", "zh-CN")
    answer = organiser("GET", "/v1/tournaments/NONE/events")
    assert answer.headers["Content-Language"] == "en"
    assert "Cookie" not in varies(answer)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    app = embedded.make_app(tmp_path_factory.mktemp("house"), Limits(rate=0, reads=0))
    yield app
    close(app)


def switched(client, to: str, back: str):
    return client.post("/language", data={"to": to, "back": back})


def test_a_page_comes_in_the_language_of_the_switch_before_that_of_the_browser(house):
    client = house.test_client()
    english = client.get("/", headers={"Accept-Language": "en"})
    assert '<html lang="en">' in english.text and "Reading as a guest" in english.text
    answer = switched(client, "zh-CN", "/?from=A")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?from=A")
    chinese = client.get("/", headers={"Accept-Language": "en"})
    assert '<html lang="zh-CN">' in chinese.text and "以访客身份浏览" in chinese.text
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
    assert answer.get_json(force=True)["detail"] == "there are en, zh-CN"


def test_a_forged_cookie_is_not_taken(house):
    client = house.test_client()
    client.set_cookie("arbiter_language", "../../etc")
    assert '<html lang="en">' in client.get("/").text
