"""Commands over HTTP as values: one row for each says where it is sent, how it is read, and what is answered."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, get_args, get_type_hints

from flask import Blueprint, Response
from marshmallow import Schema, fields, validate

from shared.core.events import Event
from shared.core.readings.key_announcement import AnnounceKey
from shared.core.terms import Actor, Source, TextRef
from shared.desk.desk import Desk
from shared.http.addresses import T
from shared.http.answers import WrittenAnswer
from shared.http.commands.command_pipeline import preview, run, wants_preview
from shared.http.operations import Operation
from shared.http.reads.tournament_query import tournament_of
from shared.http.requests.request_parts import body
from shared.log.texts import Texts

PREVIEW = {"preview": "If `true`, return the events that would be written, and write nothing. Default `false`."}
"""The query of a command that can be previewed at its own address."""


def seed() -> int:
    """Return lots for a command. 0 says that nothing was drawn; 48 bits are exact in every JSON reader."""
    return 1 + secrets.randbits(48)


@dataclass(frozen=True, slots=True)
class Submission:
    """A command as it was sent: ``fields`` is its body as the schema loads it, ``ids`` the parts of its address, ``now`` the
    time that the service completes it with (RFC 3339)."""

    desk: Desk
    actor: Actor
    fields: dict[str, Any]
    texts: Texts
    ids: Mapping[str, Any]
    now: str

    def __getitem__(self, name: str) -> Any:
        """Return a field of the body."""
        return self.fields[name]

    def text(self, name: str) -> TextRef | None:
        """Return the reference to a field's text, which is stored beside the log; None if the field is empty."""
        return self.texts.ref(self.fields[name])

    def required_text(self, name: str) -> TextRef:
        """Return the reference to the text of a field that the schema requires."""
        return self.texts.required(self.fields[name])


@dataclass(frozen=True, slots=True)
class WriteRoute:
    """A command of a service at an address.

    ``read(submission, **ids)`` builds the command; ``response(events, submission)`` gives the route's own members of the
    answer.
    """

    source: Source
    address: str
    read: Callable[..., Any]
    operation: Operation
    response: Callable[[Sequence[Event], Submission], WrittenAnswer] | None = None
    method: str = "POST"

    @property
    def schema(self) -> type[Schema]:
        """The schema of the body."""
        assert self.operation.body is not None, f"{self.address} declares no body"
        return self.operation.body


def register(bp: Blueprint, desk: Desk, rows: Sequence[WriteRoute]) -> None:
    """Register a view for each row, named like its operation."""
    for row in rows:
        operation = replace(row.operation, acts=row.operation.acts or _acts(desk, row))
        bp.add_url_rule(row.address, operation.name, operation(_view(desk, row)), methods=[row.method])


def _acts(desk: Desk, row: WriteRoute) -> tuple[str, ...]:
    """Return the acts of the commands that the row's reader returns."""
    made = get_type_hints(row.read)["return"]
    commands = get_args(made) or (made,)
    return tuple(dict.fromkeys(act for command in commands for act in desk.table[row.source].acts(command)))


def _view(desk: Desk, row: WriteRoute) -> Callable[..., Response]:
    @wraps(row.read)  # OpenAPI lists an operation under the service that its reader is in
    def view(**ids: Any) -> Response:
        return submit(desk, row, ids)

    return view


def submit(desk: Desk, row: WriteRoute, ids: Mapping[str, Any]) -> Response:
    """Return the answer to the command of this request, or its preview. Raises `Problem` as `run`."""
    submission: Submission | None = None

    def make(actor: Actor, texts: Texts) -> Any:
        nonlocal submission
        fields = {} if row.operation.body is None else body()
        submission = Submission(desk, actor, fields, texts, ids, desk.now())
        return row.read(submission, **ids)

    def answer(events: Sequence[Event]) -> WrittenAnswer:
        return WrittenAnswer() if row.response is None or submission is None else row.response(events, submission)

    t = ids["t"] if "t" in ids else tournament_of(ids["g"])
    query = row.operation.query
    if isinstance(query, Mapping) and "preview" in query and wants_preview():
        return preview(desk, row.source, t, make)
    return run(desk, row.source, t, make, answer=answer)


class KeySchema(Schema):
    """``key``: the service's new public key, a C2SP verifier key as ``keys/<service>.vkey`` holds it.

    ``recovery``: the signature of the recovery key, which ``arbiter keys --recover`` prints. A tournament with offices 3
    requires it.
    """

    key = fields.String(required=True, validate=validate.Length(1, 200))
    reason = fields.String(required=True, validate=validate.Length(1, 2000))
    recovery = fields.String(
        load_default="",
        validate=validate.Length(max=100),
        metadata={"description": "Signature of the recovery key, printed by `arbiter keys --recover`."},
    )


def announcement(sent: Submission, t: str) -> AnnounceKey:
    return AnnounceKey(sent.actor, sent["key"].strip(), sent.text("reason"), sent["recovery"].strip())


def lost_key(source: Source, path: str, name: str, summary: str, description: str) -> WriteRoute:
    """Return the route ``POST path`` of the service that writes as ``source``."""
    operation = Operation(summary, name=name, description=description, body=KeySchema, status=201)
    return WriteRoute(source, f"{T}/{path}", announcement, operation)
