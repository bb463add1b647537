"""What 1.0.0 answered to its requests, member by member, is answered still; its document described most answers as bare objects.

``released/answers_1_0_0.json`` was recorded from 1.0.0 itself by `released/walk_1_0_0.py`.
"""

import json
import tomllib
from pathlib import Path
from typing import Any

from deploy.build.examples_build import client_of, played
from deploy.server.embedded import make_app
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from shared.http.openapi.openapi import addresses
from tests.contracts.released.walk_1_0_0 import WALK

RECORDED = json.loads((Path(__file__).parent / "released" / "answers_1_0_0.json").read_text(encoding="utf-8"))
REFUSED = tomllib.loads((Path(__file__).parent / "released" / "otherwise.toml").read_text(encoding="utf-8"))["refused"]
KINDS = {
    dict: "object",
    list: "array",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}
OTHERWISE = {
    "data.regulations.game.sheet": "a later version of the event: regulations have a chapter for each game",
    "data.regulations.articles.game.sheet": "its article",
}
"""What a member's path ends in: why it is not there any more."""


def members(part: Any, at: str = "", found: dict[str, set[str]] | None = None) -> dict[str, set[str]]:
    """Path of a member -> the types that it has; ``[]`` stands for each row of a list."""
    found = {} if found is None else found
    if at:
        found.setdefault(at, set()).add(KINDS[type(part)])
    if isinstance(part, dict):
        for name, value in part.items():
            members(value, f"{at}.{name}" if at else name, found)
    if isinstance(part, list):
        for value in part:
            members(value, f"{at}[]", found)
    return found


def test_each_member_that_1_0_0_answered_is_there_with_its_type(tmp_path):
    app = make_app(tmp_path, Limits(rate=0, reads=0))
    try:
        now = [
            (step.operation, step.answers, members(body))
            for step, _, body in played(client_of(app), addresses(app), tmp_path, WALK)
        ]
    finally:
        close(app)
    assert [(one["operation"], one["status"]) for one in RECORDED] == [(name, status) for name, status, _ in now]
    lacking = set()
    for then, (operation, _, answered) in zip(RECORDED, now, strict=True):
        for member, kinds in then["members"].items():
            if not set(kinds) - {"null"} <= answered.get(member, set()):
                lacking.add((operation, member))
    assert {one for one in lacking if not one[1].endswith(tuple(OTHERWISE))} == set()
    assert [end for end in OTHERWISE if not any(member.endswith(end) for _, member in lacking)] == [], "needed no more"


def test_a_request_that_1_0_0_followed_is_refused_as_listed(tmp_path):
    app = make_app(tmp_path, Limits(rate=0, reads=0))
    try:
        for row in REFUSED:
            method, path = row["operation"].split()
            headers = {"Authorization": f"Bearer {tokens.issue(tmp_path, 'organiser', 'li.wei')}"}
            answer = app.test_client().open(path, method=method, json=row["body"], headers=headers)
            assert (answer.status_code, answer.json["type"]) == (row["status"], f"urn:arbiter:problem:{row['code']}")
            assert row["why"]
    finally:
        close(app)
