"""Requests on real desks: whoever asks bears a token of his role; and what such a desk wrote, decided again."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from shared.audit.audit import Evidence, audit
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys.key_files import make
from shared.audit.keys.key_files import read as read_key
from shared.core.terms import Role, Source
from shared.desk.desk import Desk
from shared.desk.rules_port import Rules
from shared.http.identity import tokens
from shared.log.sqlite import SqliteLog
from tests.offices import holder, with_officials

Call = Callable[..., TestResponse]


@contextmanager
def audited_desk(
    folder: Path, rules: Mapping[Source, Rules], tournament: str, clock: Callable[[], str] | None = None
) -> Iterator[Desk]:
    """A desk on a log of its own; at the end every line that it wrote of the tournament is decided again."""
    make(folder / "arbiter.key")
    desk = Desk(
        SqliteLog(folder / "arbiter.db"), rules, Signer("arbiter", read_key(folder / "arbiter.key")).sign, clock=clock
    )
    try:
        yield desk
        lines = [row.line for row in desk.lines(f"tournaments/{tournament}")]
        streams = desk.streams("games/")
        sheets = {s.removeprefix("games/"): [row.line for row in desk.lines(s)] for s in streams}
    finally:
        desk.close()
    report = audit(lines, rules, Evidence(sheets=sheets))
    assert (report.findings, report.crossings, report.unchecked) == ([], [], {}), "every line is decided again"


def calls_on(app: Flask, folder: Path, usual: Role | None) -> Call:
    """``call(method, path, json, role, If_Match=…)``; ``usual`` is who asks where no role is given, None: nobody.
    Each is called like his role, unless a ``name`` is given."""

    def call(
        method: str,
        path: str,
        json: Any = None,
        role: Role | None = usual,
        name: str | None = None,
        **headers: str,
    ) -> TestResponse:
        sent = {"Authorization": f"Bearer {tokens.issue(folder, role, name or holder(role, json))}"} if role else {}
        sent |= {header.replace("_", "-"): value for header, value in headers.items()}
        return app.test_client().open(path, method=method, json=with_officials(method, path, json), headers=sent)

    return call


def pair_by_hand(call: Call, cup: Mapping[str, Any], called: str = "Player {}") -> None:
    """Announce a tournament with players 1 to 4, ``called`` so, and pair its first round: 1-2, 3-4."""
    at, chief = f"/v1/tournaments/{cup['id']}", "chief_arbiter"
    assert call("POST", "/v1/tournaments", dict(cup), chief).status_code == 201
    entries = {"players": [{"id": n, "name": called.format(n)} for n in range(1, 5)]}
    assert call("POST", f"{at}/entries", entries, chief).status_code == 201
    boards = {"boards": [[1, 2], [3, 4]], "reason": "for this test"}
    paired = call("POST", f"{at}/rounds", boards, chief, If_Match=call("GET", at).headers["ETag"])
    assert paired.status_code == 201, paired.json
