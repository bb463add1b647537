"""A hall of three boards served by all four services, and people who send its forms as a browser does."""

import re
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from shared.core.terms import Role
from shared.http.identity import tokens
from shared.http.requests import auth
from tests.http.calls import Call, calls_on

HOST = "http://localhost"
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')
HIDDEN = re.compile(r'<input type="hidden" name="(seq|once)" value="([^"]*)">')


class Person:
    """Who sits before a browser, logged in with a role; ``<t>`` of an address is the tournament ``t``."""

    def __init__(self, app: Flask, data: Path, role: Role | None, name: str, t: str) -> None:
        self.client, self.t = app.test_client(), t
        self.token = tokens.issue(data, role, name) if role else None
        if self.token is not None:
            self.client.set_cookie(auth.COOKIE, self.token)

    def sees(self, path: str) -> TestResponse:
        """A page as it is answered, whatever its status."""
        return self.client.get(path.replace("<t>", self.t))

    def opens(self, path: str) -> dict[str, str]:
        """The hidden fields of a form that is opened."""
        answer = self.sees(path)
        assert answer.status_code == 200, answer.text
        return dict(HIDDEN.findall(answer.text))

    def sends(self, path: str, fields: dict[str, Any], origin: str | None = HOST) -> TestResponse:
        """The answer to a form as it was opened, with what is typed."""
        return self.client.post(
            path.replace("<t>", self.t), data=fields, headers={} if origin is None else {"Origin": origin}
        )

    def fills(self, path: str, **typed: Any) -> TestResponse:
        """A form opened and sent at once."""
        return self.sends(path, self.opens(path) | typed)

    def confirms(self, path: str, **typed: Any) -> TestResponse:
        """A form filled in, previewed and confirmed."""
        fields = self.opens(path) | typed
        preview = self.sends(self.sends(path, fields).headers["Location"], fields)
        assert preview.status_code == 200, preview.text
        return self.sends(path, dict(FIELD.findall(preview.text.partition('id="decided"')[2])))


def hall(app: Flask, data: Path, t: str, boards: int = 3, **more: Any) -> Call:
    """A call on a xiangqi tournament ``t``, ``<t>`` of its paths; its first round is paired: board n of players 2n-1 and 2n."""
    call = entered(app, data, t, 2 * boards, **more)
    pair(call, [[n, n + 1] for n in range(1, 2 * boards, 2)])
    return call


def entered(app: Flask, data: Path, t: str, players: int, **more: Any) -> Call:
    """The same before its first round, with so many players."""
    on = calls_on(app, data, "chief_arbiter")

    def call(method: str, path: str, *rest: Any, **named: Any) -> TestResponse:
        return on(method, path.replace("<t>", t), *rest, **named)

    cup = {"id": t, "name": "Hall", "game": "xiangqi", "format": "swiss", "rounds": 5, "regulations": "campus", **more}
    cup = {name: value for name, value in cup.items() if value is not None}
    assert call("POST", "/v1/tournaments", cup).status_code == 201
    entries = [{"id": n, "name": f"Player {n}"} for n in range(1, players + 1)]
    assert call("POST", "/v1/tournaments/<t>/entries", {"players": entries}).status_code == 201
    return call


def pair(call: Call, boards: list[list[int]]) -> None:
    """The next round, paired by hand."""
    seen = call("GET", "/v1/tournaments/<t>").headers["ETag"]
    paired = call("POST", "/v1/tournaments/<t>/rounds", {"boards": boards, "reason": "by lot"}, If_Match=seen)
    assert paired.status_code == 201, paired.json
