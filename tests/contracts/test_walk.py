"""The walk of one result, from the request to the log, passes few modules of the product."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from deploy.server import embedded
from shared.http.app import close
from shared.http.identity import tokens
from shared.http.limits.rate_limits import Limits
from tests.http.calls import calls_on, pair_by_hand

ROOT = Path(__file__).parents[2]
FOLDERS = ("services", "shared", "deploy")
CUP = {"id": "T", "name": "Cup", "game": "xiangqi", "format": "swiss", "rounds": 3, "regulations": "campus"}
MOST = 42
"""Modules in which the request and writer threads call a function. Lower the number if a change makes the walk shorter.

Three of them check the bounds of every value that is written, two choose the version of each event by the written edition, and
one lets the request wait for its own command only. One compares positions by partition.
"""
OF_TESTS = "shared/http/openapi/"
"""Called by the check of every answer of a test (`tests/answer_contract.py`), never while a request is answered."""


class Walk:
    """The modules of the product that are called while the walk is watched, by threads started after `watched`."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.on = False

    def note(self, frame: FrameType, event: str, _: object) -> None:
        if self.on and event == "call":
            self.modules.add(frame.f_code.co_filename)

    def of_product(self) -> list[str]:
        found = (Path(name) for name in self.modules)
        inside = (path.relative_to(ROOT) for path in found if path.is_relative_to(ROOT))
        return sorted(str(path) for path in inside if path.parts[0] in FOLDERS and OF_TESTS not in str(path))


@contextmanager
def watched() -> Iterator[Walk]:
    """Follow the calls of this thread and of each one that starts from now on."""
    walk, before = Walk(), sys.getprofile()
    threading.setprofile(walk.note)
    sys.setprofile(walk.note)
    try:
        yield walk
    finally:
        sys.setprofile(before)
        threading.setprofile(None)


def test_one_result_passes_few_modules(tmp_path):
    walks: list[set[str]] = []
    with watched() as walk:
        app = embedded.make_app(tmp_path, Limits(rate=0, reads=0))
        try:
            client, token = app.test_client(), tokens.issue(tmp_path, "chief_arbiter", "chief_arbiter")

            def report(cup: str, board: int) -> int:
                results = {"round": 1, "results": [{"board": board, "result": "1-0"}]}
                sent = {"Authorization": f"Bearer {token}"}
                return client.post(f"/v1/tournaments/{cup}/results", json=results, headers=sent).status_code

            for cup in ("S", "T", "U"):
                pair_by_hand(calls_on(app, tmp_path, "chief_arbiter"), CUP | {"id": cup})
                assert report(cup, 1) == 201, "the first one fills what is kept"
                walk.modules, walk.on = set(), True
                assert report(cup, 2) == 201
                walk.on = False
                walks.append(set(walk.of_product()))
        finally:
            close(app)
    # Periodic work of the server, such as reading revoked tokens, can fall into one of the walks.
    passed = sorted(set.intersection(*walks))
    assert "services/games/rules/hall/results.py" in passed, "the writer thread was followed"
    assert len(passed) <= MOST, "\n".join(passed)
