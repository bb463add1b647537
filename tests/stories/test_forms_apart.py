"""A form of a service whose lines come back through the log later: written, and not shown before it is so."""

import re
from pathlib import Path
from typing import Any

from shared.core.terms import GAMES
from shared.http.identity import tokens
from shared.http.requests import auth
from tests.http.forms import HIDDEN, HOST
from tests.offices import with_officials
from tests.stories.hall import Lagging

RESULT = "/t/cup/rounds/1/boards/1/result"


def test_what_is_not_back_through_the_log_is_written_and_its_link_asks_again(tmp_path: Path):
    hall = Lagging(tmp_path, 1, back_seconds=0)
    try:
        _paired(hall)
        browser = hall.app("games").test_client()
        browser.set_cookie(auth.COOKIE, tokens.issue(tmp_path, "arbiter", "arbiter"))
        fields = dict(HIDDEN.findall(browser.get(RESULT).text)) | {"result": "1-0"}
        with hall.standing_still():
            written = browser.post(RESULT, data=fields, headers={"Origin": HOST})
            assert (written.status_code, "location" in written.headers) == (202, False)
            assert written.headers["HX-Retarget"] == "#refused", "a desk that sent it stays where it is"
            (again,) = re.findall(r'href="([^"]*written=[^"]*)"', written.text)
            assert browser.get(again).status_code == 202
            assert hall.pending(GAMES, "cup")
        hall.settled()
        answer = browser.get(again)
        assert (answer.status_code, "after=" in answer.headers["Location"]) == (303, True)
        assert browser.post(RESULT, data=fields, headers={"Origin": HOST}).status_code == 303, "sent again, the same"
    finally:
        hall.close()


def _paired(hall: Lagging) -> None:
    """Two players on one board, and every service knows it."""
    cup = {"id": "cup", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
    players = {"players": [{"id": n, "name": f"Player {n}"} for n in (1, 2)]}
    for path, body in (
        ("", cup),
        ("/cup/entries", players),
        ("/cup/rounds", {"boards": [[1, 2]], "reason": "by lot"}),
    ):
        _done(hall, f"/v1/tournaments{path}", body)
        hall.settled()


def _done(hall: Lagging, path: str, body: dict[str, Any]) -> None:
    headers = {"Authorization": f"Bearer {tokens.issue(hall.data, 'chief_arbiter', 'chief_arbiter')}"}
    if path.endswith("rounds"):
        client, at = hall.client("GET", "/v1/tournaments/cup")
        headers["If-Match"] = client.get(at, headers=headers).headers["ETag"]
    client, at = hall.client("POST", path)
    answer = client.post(at, json=with_officials("POST", path, body), headers=headers)
    assert answer.status_code in (201, 202), answer.json
