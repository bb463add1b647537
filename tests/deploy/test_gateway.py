"""The gateway: which service answers for which path, and what it answers where none does. A real nginx."""

import json
import re
import socket
import threading
from collections.abc import Callable
from http.client import HTTPConnection, HTTPMessage, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from deploy.build.openapi_build import UNION, documents
from deploy.server.embedded import make_app
from deploy.server.settings import SERVICES
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.language.catalogue import catalogue
from shared.http.operations import operation_of
from tests.attacks.serving import serving
from tests.deploy.gateway import CONFIGURATION, gateway_before
from tests.deploy.servers import STACK
from tests.programs import needed
from tests.stack import nginx as local_nginx
from tests.stack.process import NotReady, free_port

pytestmark = STACK
AWAY = "penalties"
"""A service that is not there, in one of the tests."""


def service_that_tells(name: str) -> ThreadingHTTPServer:
    """A server that answers every request with its name and what it was asked."""

    class Tells(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            if self.path.endswith("/hang-up"):
                self.close_connection = True
                return
            told = {
                "service": name,
                "path": self.path,
                "forwarded": self.headers.get("X-Forwarded-For"),
                "body": len(body),
            }
            content = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_POST = do_DELETE = do_GET

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Tells)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


@pytest.fixture(scope="module")
def gateway(tmp_path_factory):
    """The address of nginx with the repository's own configuration, its hosts and paths moved to this machine."""
    needed(local_nginx.missing())
    folder = tmp_path_factory.mktemp("gateway")
    servers = {name: service_that_tells(name) for name in SERVICES}
    with gateway_before(folder, {name: server.server_port for name, server in servers.items()}) as port:
        yield port, servers
    for server in servers.values():
        server.shutdown()


def asked(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, dict[str, str], bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, path, body)
    answer = connection.getresponse()
    headers = {name.lower(): value for name, value in answer.getheaders()}
    return answer.status, headers, answer.read()


def routes() -> list[tuple[str, str, str]]:
    """(method, path, service) of every route of every service, as its own description says."""
    return [
        (method.upper(), re.sub(r"\{\w+\}", "7", path), file.removesuffix(".json"))
        for file, document in documents().items()
        if file != f"{UNION}.json"
        for path, operations in document["paths"].items()
        for method in operations
    ]


def forms(folder: Path) -> list[tuple[str, str]]:
    """(path, service) of every form, as the services' own routes say."""
    app = make_app(folder)
    close(app)
    return [
        (re.sub(r"<[^>]+>", "7", rule.rule).removeprefix(f"/services/{service}"), service)
        for service in SERVICES
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(f"/services/{service}/") and form_of(app.view_functions[rule.endpoint])
    ]


def form_of(view: Callable[..., object]) -> bool:
    operation = operation_of(view)
    return operation is not None and operation.form


def test_every_form_reaches_the_service_that_decides_it(gateway, tmp_path):
    port, _ = gateway
    told = forms(tmp_path)
    assert len(told) > 3
    for path, service in told:
        for method in ("GET", "POST"):
            _, _, content = asked(port, method, path)
            assert (path, json.loads(content)["service"]) == (path, service)


def test_every_route_reaches_the_service_that_has_it(gateway):
    port, _ = gateway
    shared = {"/v1/tournaments/7", "/v1/openapi.json"}
    told = routes()
    assert len(told) > 40
    for method, path, service in told:
        if path not in shared:
            _, _, content = asked(port, method, path)
            assert json.loads(content) == {"service": service, "path": path, "forwarded": "127.0.0.1", "body": 0}


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/healthz",
        "/readyz",
        "/t/T",
        "/v1/tournaments/T",
        "/nowhere",
        "/regulations",
        "/regulations/campus",
    ],
)
def test_what_all_have_is_that_of_standings(gateway, path):
    assert json.loads(asked(gateway[0], "GET", path)[2])["service"] == "standings"


@pytest.mark.parametrize("path", ["/login?next=/", "/logout", "/invitations/abc", "/t/T/sessions"])
def test_who_comes_in_is_pairings_to_say(gateway, path):
    assert json.loads(asked(gateway[0], "GET", path)[2])["service"] == "pairing"


@pytest.mark.parametrize("path", ["/games/T.1.1", "/games/T.1.1?at=3", "/games/T.1.1/sheet.pgn"])
def test_a_games_page_is_that_of_games(gateway, path):
    told = json.loads(asked(gateway[0], "GET", path)[2])
    assert (told["service"], told["path"]) == ("games", path)


@pytest.mark.parametrize("service", list(SERVICES))
def test_each_is_reached_under_its_own_address(gateway, service):
    path = f"/services/{service}/v1/tournaments/T?at=3"
    told = json.loads(asked(gateway[0], "GET", path)[2])
    assert (told["service"], told["path"]) == (service, path)


def test_the_description_is_the_union(gateway):
    status, headers, content = asked(gateway[0], "GET", "/v1/openapi.json")
    assert (status, headers["content-type"]) == (200, "application/json")
    paths = json.loads(content)["paths"]
    assert {path for one in documents().values() for path in one["paths"]} == set(paths)


def test_a_large_body_is_left_to_the_service_and_a_huge_one_is_a_problem(gateway):
    path = "/v1/tournaments/T/results"
    assert json.loads(asked(gateway[0], "POST", path, b"x" * (2 << 20))[2])["body"] == 2 << 20
    connection = HTTPConnection("127.0.0.1", gateway[0], timeout=10)
    connection.putrequest("POST", path)
    connection.putheader("Content-Length", str(64 << 20))
    connection.endheaders()
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (413, "application/problem+json")


def test_a_service_that_is_away_is_503_with_retry_after_and_the_others_answer(gateway):
    port, servers = gateway
    servers[AWAY].shutdown()
    servers[AWAY].server_close()
    status, headers, content = asked(port, "POST", "/v1/tournaments/T/rulings")
    assert (status, headers["content-type"], headers["retry-after"]) == (503, "application/problem+json", "2")
    assert json.loads(content)["status"] == 503 and json.loads(content)["written"] == "no"
    assert asked(port, "GET", "/v1/tournaments/T/standings")[0] == 200


@pytest.mark.parametrize(("method", "written", "again"), [("GET", "no", "2"), ("POST", "unknown", None)])
def test_a_write_that_a_service_took_and_did_not_answer_may_have_been_made(gateway, method, written, again):
    status, headers, content = asked(
        gateway[0], method, "/v1/tournaments/T/hang-up", b"{}" if method == "POST" else None
    )
    assert (status, json.loads(content)["written"], headers.get("retry-after")) == (503, written, again)


@pytest.mark.parametrize(("language", "said"), [("en", "it is executed only once"), ("zh-CN", "只会执行一次")])
def test_whose_form_was_cut_off_is_told_on_the_page_how_to_find_out(gateway, language, said):
    connection = HTTPConnection("127.0.0.1", gateway[0], timeout=10)
    headers = {"Accept": "text/html", "Accept-Language": language}
    connection.request("POST", "/v1/tournaments/T/hang-up", b"{}", headers)
    answer = connection.getresponse()
    page = answer.read().decode()
    assert (answer.status, answer.getheader("Retry-After")) == (503, None)
    assert said in page and "Idempotency-Key" not in page


def test_no_log_of_the_gateway_tells_the_code_of_an_invitation_also_while_pairing_is_away(gateway, tmp_path):
    with gateway_before(tmp_path, {name: free_port() for name in SERVICES}) as port:
        statuses = [asked(port, "GET", path)[0] for path in ("/invitations/secret", "/t/T/sessions")]
    told = (tmp_path / "nginx.log").read_text(encoding="utf-8")
    assert statuses == [503, 503] and told.count('"event":"gateway"') == 2
    assert "GET /t/T/sessions" in told, "an error tells the request's line"
    assert "secret" not in told


def answerers(port: int, path: str = "/v1/tournaments/T/publications") -> list[str]:
    """Return the servers that answered eight commands."""
    answers = [asked(port, "POST", path, b"{}") for _ in range(8)]
    assert [status for status, _, _ in answers] == [200] * 8
    return [json.loads(content)["service"] for _, _, content in answers]


def test_command_goes_to_another_process_if_one_does_not_accept_it(tmp_path):
    needed(local_nginx.missing())
    server = service_that_tells("second")
    with gateway_before(tmp_path, dict.fromkeys(SERVICES, (free_port(), server.server_port, free_port()))) as port:
        assert answerers(port) == ["second"] * 8
    server.shutdown()


def test_process_that_is_taken_out_gets_no_request(tmp_path):
    needed(local_nginx.missing())
    servers = [service_that_tells(name) for name in ("first", "second")]
    with gateway_before(tmp_path, dict.fromkeys(SERVICES, tuple(server.server_port for server in servers))) as port:
        assert set(answerers(port)) == {"first", "second"}
        (tmp_path / "away" / "standings.1").touch()
        assert answerers(port) == ["second"] * 8
        assert set(answerers(port, "/v1/tournaments/T/rulings")) == {"first", "second"}
        (tmp_path / "away" / "standings.1").unlink()
        assert set(answerers(port)) == {"first", "second"}
    for server in servers:
        server.shutdown()


@pytest.mark.parametrize("upstreams", ["pairing", "pairing=", "pairing=a:8000;", "seating=a:8000", "pairing=a"])
def test_gateway_does_not_start_with_a_malformed_upstream(tmp_path, upstreams):
    made = local_nginx.Nginx(CONFIGURATION, 0, tmp_path / "log", upstreams=upstreams, folder=tmp_path)
    made.process.start()
    with pytest.raises(NotReady, match="ARBITER_UPSTREAMS"):
        made.process.wait(10)


HEAD = b"GET /healthz HTTP/1.1\r\nHost: a\r\n"
REFUSED = {
    "no request": (b"nonsense\r\n\r\n", 400, "bad-request"),
    "two hosts": (HEAD + b"Host: b\r\n\r\n", 400, "bad-request"),
    "a long address": (b"GET /" + b"x" * 40_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414, "uri-too-long"),
    "a long field": (HEAD + b"X: " + b"x" * 40_000 + b"\r\n\r\n", 431, "request-header-fields-too-large"),
    "a long body": (HEAD.replace(b"GET", b"POST") + b"Content-Length: 99999999\r\n\r\n", 413, "content-too-large"),
    "an unknown coding": (HEAD + b"Transfer-Encoding: rot13\r\n\r\n", 501, "not-implemented"),
}


def sent(port: int, text: bytes) -> tuple[int, HTTPMessage, bytes]:
    """Status, head and content of what is answered to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(text)
        answer = HTTPResponse(connection)
        answer.begin()
        return answer.status, answer.headers, answer.read()


@pytest.mark.parametrize(("text", "status", "code"), REFUSED.values(), ids=REFUSED)
def test_what_the_gateway_refuses_itself_is_a_problem_document(gateway, text, status, code):
    said, headers, content = sent(gateway[0], text)
    assert (said, headers["Content-Type"]) == (status, "application/problem+json")
    problem = json.loads(content)
    assert (problem["type"], problem["status"]) == (f"urn:arbiter:problem:{code}", status)
    assert problem["title"] and problem["detail"]


@pytest.mark.parametrize("text", [text for text, _, _ in REFUSED.values()], ids=REFUSED)
def test_refusal_of_the_gateway_names_no_server(gateway, text):
    needed(local_nginx.missing_module())
    assert "Server" not in sent(gateway[0], text)[1]


@pytest.mark.parametrize("path", ["/v1/openapi.json", "/t/T", "/v1/tournaments/T/hang-up"])
def test_answer_through_the_gateway_names_no_server(gateway, path):
    needed(local_nginx.missing_module())
    assert "server" not in asked(gateway[0], "GET", path)[1]


PAGE, CHINESE = b"Accept: text/html,*/*;q=0.8\r\n", b"Accept-Language: zh-Hans-CN,zh;q=0.9,en;q=0.8\r\n"
LONG = b"X: " + b"x" * 40_000 + b"\r\n\r\n"


def test_who_reads_pages_gets_a_page_of_it(gateway):
    status, headers, content = sent(gateway[0], HEAD + PAGE + LONG)
    assert (status, headers["Content-Type"]) == (431, "text/html; charset=utf-8")
    assert b"<h1>Request header fields too large</h1>" in content


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        (b"", "en"),
        (b"Accept-Language: de, fr\r\n", "en"),
        (b"Accept-Language: en-GB, zh-CN\r\n", "en"),
        (b"Accept-Language: de, ZH-TW, en\r\n", "zh-CN"),
        (CHINESE, "zh-CN"),
        (CHINESE + b"Cookie: arbiter_language=en\r\n", "en"),
        (b"Cookie: arbiter_language=zh-CN\r\n", "zh-CN"),
        (b"Cookie: arbiter_language=tlh\r\n", "en"),
    ],
)
def test_the_page_is_in_the_readers_language(gateway, accepted, language):
    _, headers, content = sent(gateway[0], HEAD + PAGE + accepted + LONG)
    assert (headers["Content-Language"], headers["Vary"]) == (language, "Accept-Language, Cookie")
    title = catalogue(language).gettext("Request header fields too large")
    assert f'<html lang="{language}">' in content.decode() and f"<h1>{title}</h1>" in content.decode()
    assert catalogue(language).gettext("All tournaments") in content.decode()


LANGUAGE_READ = [name for name in REFUSED if name not in {"no request", "two hosts", "a long address"}]
"""Those whose head nginx has read so far when it refuses them."""


@pytest.mark.parametrize("name", LANGUAGE_READ)
def test_a_problem_of_the_gateway_is_in_the_language_that_is_accepted_as_the_catalogue_has_it(gateway, name):
    text, _, _ = REFUSED[name]
    first, _, rest = text.partition(b"\r\n")
    english = json.loads(sent(gateway[0], text)[2])
    _, headers, content = sent(gateway[0], first + b"\r\nCookie: arbiter_language=en\r\n" + CHINESE + rest)
    chinese = json.loads(content)
    assert (headers["Content-Language"], headers["Vary"]) == ("zh-CN", "Accept-Language")
    assert (chinese["type"], chinese["status"]) == (english["type"], english["status"])
    assert chinese["title"] == catalogue("zh-CN").gettext(english["title"]) or english["title"] == "Not implemented"
    assert chinese["detail"] != english["detail"] and not chinese["detail"].isascii()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The port of the gateway before a real house, and a token of it."""
    needed(local_nginx.missing())
    data = tmp_path_factory.mktemp("house")
    tokens.ensure_keys(data)
    token = tokens.issue(data, "auditor", "wang")
    before = tmp_path_factory.mktemp("before")
    with (
        serving(data, ARBITER_PROXIES="127.0.0.1") as (_, served),
        gateway_before(before, dict.fromkeys(SERVICES, served)) as port,
    ):
        yield port, token


@pytest.mark.parametrize(("told", "secure"), [("https", True), ("http", False), ("wss", False), (None, False)])
def test_the_cookie_is_secure_behind_the_gateway_where_the_browser_came_by_tls(house, told, secure):
    # given whoever ends TLS before the gateway, as the README has it, and one who came without
    port, token = house
    form = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/x-www-form-urlencoded"}
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("POST", "/login", f"token={token}", form | ({"X-Forwarded-Proto": told} if told else {}))
    answer = connection.getresponse()
    cookie = answer.headers["Set-Cookie"]
    assert answer.status == 303 and "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert ("; Secure" in cookie) == secure
