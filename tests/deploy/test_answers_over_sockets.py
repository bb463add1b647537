"""What a real server answers behind the real gateway, to each step of the documents' examples, is as the documents say.

`tests.answer_contract` holds every answer to httpx to the document: what is added or cut off on the way is seen here alone.
"""

from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from deploy.build.examples_build import played
from deploy.build.examples_walk import WALK
from deploy.server.embedded import make_app
from deploy.server.settings import SERVICES
from shared.http.app import close
from shared.http.openapi.openapi import addresses
from tests.answer_contract import Answer, NotDescribed, check
from tests.deploy.gateway import gateway_before
from tests.deploy.servers import SERVERS
from tests.faults.killing import House
from tests.programs import needed
from tests.stack import nginx as local_nginx

pytestmark = SERVERS


@pytest.fixture(scope="module")
def known(tmp_path_factory) -> dict[str, tuple[str, str]]:
    app = make_app(tmp_path_factory.mktemp("known"))
    yield addresses(app)
    close(app)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """The data folder of a real server, and its address through nginx."""
    needed(local_nginx.missing())
    data = tmp_path_factory.mktemp("house")
    server = House(data)
    folder = tmp_path_factory.mktemp("gateway")
    with gateway_before(folder, dict.fromkeys(SERVICES, server.address[1])) as port:
        yield data, f"http://127.0.0.1:{port}"
    server.kill()


def test_every_step_of_the_examples_is_answered_through_the_gateway_as_the_documents_say(house, known):
    data, address = house
    asked = []
    with httpx.Client(base_url=address, timeout=60) as browser:

        def over_the_network(
            method: str, path: str, query: Mapping[str, Any], headers: Mapping[str, str], body: bytes
        ) -> tuple[int, Mapping[str, str], bytes]:
            answer = browser.request(method, path, params=query, headers=headers, content=body)
            asked.append(answer.headers["X-Request-Id"])
            return answer.status_code, answer.headers, answer.content

        steps = list(played(over_the_network, known, data))
    assert len(steps) == len(WALK) <= len(set(asked))


@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        (Answer("GET", 418, {}, b""), "no status 418"),
        (Answer("GET", 200, {"Content-Type": "text/html"}, b""), "lacks|no text/html"),
        (Answer("PATCH", 200, {}, b""), "no status 200"),
    ],
)
def test_an_answer_of_a_server_that_no_document_has_is_told(answer, wrong):
    with pytest.raises(NotDescribed, match=wrong):
        check("/v1/tournaments/open/standings", answer)


def test_an_answer_to_httpx_is_held_to_the_document(house, monkeypatch):
    _, address = house
    monkeypatch.setattr("tests.answer_contract.check", lambda path, answer: told.append((path, answer.status)))
    told: list[tuple[str, int]] = []
    httpx.get(f"{address}/v1/tournaments")
    assert told == [("/v1/tournaments", 200)]
