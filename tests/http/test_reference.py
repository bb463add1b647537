"""The reference of the API over HTTP: every page, its links, and the quick start as the page shows it."""

import html
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from deploy.server.embedded import make_app
from services.standings.reference.quick_start import QUICK_START
from shared.http.app import close
from shared.http.identity.tokens import ensure_keys, issue
from shared.http.limits.rate_limits import NO_ALLOWANCES
from shared.http.problem_texts import problem_texts
from tests.attacks.serving import serving
from tests.programs import program

TEN = 10


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return tmp_path_factory.mktemp("reference")


@pytest.fixture(scope="module")
def app(data):
    made = make_app(data, NO_ALLOWANCES)
    yield made
    close(made)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Yield the address of a separate server, as users start it, and its data folder."""
    data = tmp_path_factory.mktemp("site")
    ensure_keys(data)
    with serving(data) as (host, port):
        yield f"http://{host}:{port}", data


class Page(HTMLParser):
    """The links, anchors, scripts and code blocks of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links, self.ids, self.sources = set[str](), [], []
        self.feed(text)
        self.prose = re.sub(r"<pre.*?</pre>", "", text, flags=re.DOTALL)
        self.codes = {
            html.unescape(label): html.unescape(code)
            for label, code in re.findall(r'<pre[^>]*aria-label="([^"]+)"><code>(.*?)</code></pre>', text, re.DOTALL)
        }

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        if tag == "a":
            self.links.add(of["href"])
        if "id" in of:
            self.ids.append(of["id"])
        self.sources += [of["src"]] if "src" in of else []


def opened(app, path, **headers) -> Page:
    answer = app.test_client().get(path, headers={"Accept": "text/html", **headers})
    assert answer.status_code == 200, path
    return Page(answer.get_data(as_text=True))


def test_every_page_of_the_reference_opens_and_its_links_lead_somewhere(app):
    start = opened(app, "/docs")
    todo, seen = {"/docs"}, {}
    while todo:
        path = todo.pop()
        seen[path] = page = opened(app, path)
        assert len(page.ids) == len({*page.ids}), path
        assert "`" not in page.prose, path
        assert all(source.startswith("/web/static/") for source in page.sources)
        inside = {link.partition("#")[0] for link in page.links if link.startswith(("/docs", "/problems"))}
        assert {link[1:] for link in page.links if link.startswith("#")} <= {*page.ids}, path
        todo |= inside - seen.keys()
    operations = {path for path in seen if path.startswith("/docs/operations/")}
    assert operations == {link for link in start.links if link.startswith("/docs/operations/")}
    assert len(operations) > 100
    assert {f"/problems/{code}" for code in problem_texts()} <= seen.keys()


def test_page_is_built_once_and_validated_by_its_etag(app):
    caller = app.test_client()
    first = caller.get("/docs/operations/pairRound")
    again = caller.get("/docs/operations/pairRound", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.get_data()) == (304, b"")
    chinese = caller.get("/docs/operations/pairRound", headers={"Accept-Language": "zh-CN"})
    assert chinese.headers["ETag"] != first.headers["ETag"]
    assert 'lang="zh-CN"' in chinese.get_data(as_text=True)


def test_operation_page_shows_roles_parameters_body_and_problem_codes(app):
    text = app.test_client().get("/docs/operations/pairRound").get_data(as_text=True)
    for part in ("<code>organiser</code>", "If-Match", "initial_colour", "/problems/round-unfinished", "curl -sS"):
        assert part in text
    ruled = app.test_client().get("/docs/operations/makeRuling").get_data(as_text=True)
    assert "<code>expel</code>" in ruled
    assert "<code>xiangqi-1999</code>" in ruled


def test_unknown_names_are_not_found(app):
    for path in ("/docs/operations/nothing", "/docs/schemas/Nothing", "/problems/nothing"):
        answer = app.test_client().get(path, headers={"Accept": "application/json"})
        assert answer.status_code == 404, path


def test_problem_document_names_the_page_that_explains_it(app):
    problem = app.test_client().get("/v1/tournaments/nothing/standings").json
    assert problem["help"] == "/problems/unknown-tournament"
    page = app.test_client().get(problem["help"]).get_data(as_text=True)
    assert "unknown-tournament" in page
    browser = app.test_client().get("/t/nothing", headers={"Accept": "text/html"}).get_data(as_text=True)
    assert f'href="{problem["help"]}"' in browser


def test_example_of_a_problem_page_is_the_document_that_the_server_sends(app):
    sent = app.test_client().get("/v1/tournaments/spring-cup/standings").json
    shown = json.loads(opened(app, "/problems/unknown-tournament").codes["Example"])
    assert shown == sent


@pytest.mark.parametrize(
    ("code", "operation"),
    [
        ("role-may-not", "reportResults"),
        ("role-may-not", "makeRuling"),
        ("role-may-not", "decideAppeal"),
        ("stale", "pairRound"),
        ("behind", "getStandings"),
        ("not-concerned", "lodgeAppeal"),
    ],
)
def test_problem_page_lists_the_operations_that_report_it(app, code, operation):
    links = opened(app, f"/problems/{code}").links
    assert f"/docs/operations/{operation}" in links
    assert "/docs/operations/getVersion" not in links


def test_problem_of_any_operation_lists_none(app):
    page = app.test_client().get("/problems/too-many-requests").get_data(as_text=True)
    assert "Any operation can report this problem." in page


def test_quick_start_has_ten_requests(app):
    assert len(QUICK_START) == TEN
    assert [one.operation for one in QUICK_START] == [
        label.partition(": ")[2] for label in opened(app, "/docs").codes if label.startswith("curl: ")
    ]


def environment(site):
    address, data = site
    return os.environ | {"ARBITER": address, "TOKEN": issue(data, "chief_arbiter", "anna"), "NO_PROXY": "*"}


def test_quick_start_in_curl_runs_as_shown(app, site):
    program("curl")
    codes = [code for label, code in opened(app, "/docs").codes.items() if label.startswith("curl: ")]
    ran = subprocess.run(
        ["sh", "-ec", "\n".join(codes)],
        env=environment(site),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr + ran.stdout[-500:]
    assert "001 " in ran.stdout, "the report file comes last"


def test_quick_start_in_python_runs_as_shown(app, site):
    page = opened(app, "/docs")
    codes = [code for label, code in page.codes.items() if label.startswith("Python: ")]
    text = "\n".join([page.codes["Python"], *codes, "print(answer.text)"]).replace("quick-start", "quick-python")
    ran = subprocess.run(
        [sys.executable, "-c", text], env=environment(site), capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert "Ana Silva" in ran.stdout


@pytest.mark.parametrize(
    ("example", "shows"),
    [
        ("team-event", '"points":2,"game_points":1.5'),
        ("foul-and-appeal", "Two players confirm it."),
    ],
)
@pytest.mark.parametrize("language", ["curl", "Python"])
def test_worked_example_runs_as_shown(app, site, example, language, shows):
    page = opened(app, "/docs")
    codes = [
        code for label, code in page.codes.items() if label.startswith(f"{example} ") and f", {language}: " in label
    ]
    if language == "curl":
        program("curl")
        command = ["sh", "-ec", "\n".join(codes)]
    else:
        text = "\n".join([page.codes["Python"], *codes, "print(answer.text)"]).replace(f"/{example}", f"/{example}-py")
        command = [sys.executable, "-c", text.replace(f"'id': '{example}'", f"'id': '{example}-py'")]
    appeals = {"APPEALS_TOKEN": issue(site[1], "appeals", "bob")}
    ran = subprocess.run(command, env=environment(site) | appeals, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr + ran.stdout[-500:]
    assert shows in ran.stdout
    if example == "foul-and-appeal" and language == "curl":
        assert '"out_of_force":["r3","r4"]' in ran.stdout and '"reopened":["foul-and-appeal.1.1"]' in ran.stdout
