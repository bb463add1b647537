"""A command whose service has not yet read an event that it depends on: it waits, and only then it is refused."""

import threading
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import TestResponse

from shared.core.terms import PAIRING, STANDINGS
from shared.http.identity import tokens
from tests.log.distributed import until
from tests.offices import with_officials
from tests.stories.hall import Lagging

CUP = {"id": "cup", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
BOARDS = {"boards": [[1, 2]], "reason": "by lot"}
RESULT = {"round": 1, "results": [{"board": 1, "result": "1-0"}]}


def ask(hall: Lagging, path: str, body: dict[str, Any], **headers: str) -> TestResponse:
    client, at = hall.client("POST", f"/v1/tournaments{path}")
    token = tokens.issue(hall.data, "chief_arbiter", "chief_arbiter")
    headers = {"Authorization": f"Bearer {token}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    return client.post(at, json=with_officials("POST", f"/v1/tournaments{path}", body), headers=headers)


@pytest.fixture
def hall(tmp_path: Path, request: pytest.FixtureRequest):
    made = Lagging(tmp_path, 1, back_seconds=0, unread_seconds=request.param)
    try:
        assert ask(made, "", CUP).status_code in (201, 202)
        made.settled()
        assert ask(made, "/cup/entries", {"players": [{"id": n, "name": f"P{n}"} for n in (1, 2)]}).status_code < 300
        made.settled()
        yield made
    finally:
        made.close()


def _pair(hall: Lagging) -> int:
    """Pair the first round, which no service reads yet. Return the position of its last event."""
    last = int(hall.desks[STANDINGS].folds.get("cup").size)
    assert ask(hall, "/cup/rounds", BOARDS, If_Match=f'"{last}"').status_code in (201, 202)
    assert hall.pending(PAIRING, "cup")
    return last + 1


@pytest.mark.parametrize("hall", [60.0], indirect=True)
@pytest.mark.parametrize(
    ("path", "body", "matched"),
    [("/cup/results", RESULT, False), ("/cup/publications", {}, True)],
    ids=["refused without the event", "names the event"],
)
def test_command_waits_for_an_unread_event(hall, path, body, matched):
    answers: list[TestResponse] = []
    with hall.standing_still():
        seq = _pair(hall)
        headers = {"If_Match": f'"{seq}"'} if matched else {}
        waiting = threading.Thread(target=lambda: answers.append(ask(hall, path, body, **headers)))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive() and answers == []
    waiting.join(60)
    assert [answer.status_code for answer in answers] in ([201], [202]), answers[0].json


@pytest.mark.parametrize("hall", [0.3], indirect=True)
def test_command_is_refused_when_the_wait_is_over(hall):
    with hall.standing_still():
        seq = _pair(hall)
        behind = ask(hall, "/cup/publications", {}, If_Match=f'"{seq}"')
        assert (behind.status_code, behind.headers["Retry-After"]) == (503, "1")
        assert ask(hall, "/cup/results", RESULT).status_code == 404
    hall.settled()
    until(lambda: ask(hall, "/cup/results", RESULT).status_code in (201, 202))
