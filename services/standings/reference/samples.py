"""Requests as a caller writes them: in curl, and in Python with httpx."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pprint import pformat
from typing import Any

from services.standings.reference.description import Described

_WIDTH = 90
_KEY = "Idempotency-Key"


@dataclass(frozen=True, slots=True)
class Sample:
    """A request. ``match``: it needs the ETag of the tournament at this path. ``key``: it takes an idempotency key.

    ``bearer``: the environment variable with the token of another caller.
    """

    method: str
    address: str
    body: Any = None
    token: bool = False
    key: bool = False
    match: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    bearer: str = ""

    @property
    def curl(self) -> str:
        """Return commands of a POSIX shell. ``ARBITER`` is the address of the server, ``TOKEN`` a token."""
        lines = [f'curl -sS --fail-with-body -X {self.method} "$ARBITER{self.address}"']
        if self.token:
            lines.append(f'-H "Authorization: Bearer ${self.bearer or "TOKEN"}"')
        if self.key:
            lines.append(f'-H "{_KEY}: $(date +%s%N)"')
        if self.match:
            lines.append('-H "If-Match: $etag"')
        lines += [f"-H '{name}: {value}'" for name, value in self.headers.items()]
        if self.body is not None:
            sent = json.dumps(self.body, ensure_ascii=False).replace("'", "'\\''")
            lines += ["-H 'Content-Type: application/json'", f"-d '{sent}'"]
        read = (
            f"etag=$(curl -sSI \"$ARBITER{self.match}\" | tr -d '\\r' | sed -n 's/^etag: //Ip')\n" if self.match else ""
        )
        return read + " \\\n  ".join(lines)

    @property
    def python(self) -> str:
        """Return statements that use the client ``arbiter``, which `CLIENT` makes."""
        headers = dict(self.headers)
        given = [f'"{self.address}"']
        if self.body is not None:
            given.append(f"json={pformat(self.body, width=_WIDTH, sort_dicts=False)}")
        texts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in headers.items()]
        if self.bearer:
            texts.append(f'"Authorization": f"Bearer {{os.environ[\'{self.bearer}\']}}"')
        texts += [f'"{_KEY}": str(uuid4())'] * self.key + ['"If-Match": etag'] * bool(self.match)
        if texts:
            given.append(f"headers={{{', '.join(texts)}}}")
        call = ", ".join(given) if len(given) < 2 else "\n    " + ",\n    ".join(given) + ",\n"
        read = f'etag = arbiter.get("{self.match}").headers["ETag"]\n' if self.match else ""
        return f"{read}answer = arbiter.{self.method.lower()}({call})\nanswer.raise_for_status()"


SHELL = "export ARBITER=http://localhost:8000\nexport TOKEN=$(arbiter token --role chief_arbiter --name anna)"
CLIENT = """import os
from uuid import uuid4

import httpx

arbiter = httpx.Client(
    base_url=os.environ["ARBITER"],
    headers={"Authorization": f"Bearer {os.environ['TOKEN']}"},
)"""


def sample_of(one: Described) -> Sample | None:
    """Return an example of an operation, or None if its body is a file."""
    if one.media and one.body_example is None and "application/json" not in one.media:
        return None
    tournament = one.address.split("/")[:4]
    return Sample(
        one.method,
        one.address,
        one.body_example,
        token=one.takes_token,
        key=one.takes_key,
        match="/".join(tournament) if one.needs_match else "",
    )
