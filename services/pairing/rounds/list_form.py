"""Forms that replace a whole list of the tournament. A list is previewed before it is set.

The form is refused if somebody has set the list since the page was shown, but not because of events about other things.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from hashlib import sha256
from typing import Any

from flask import Response, request
from marshmallow import Schema, fields, validate

from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.values.bounds import REASON
from shared.desk.desk import View
from shared.http.common_problems import bad_fields
from shared.http.problems import Problem
from shared.web.form import CONFLICT, Form, Make

LONGEST_LIST = 200_000
"""Limit of characters in a typed list."""
_PREVIEW = "preview"


class ListForm(Schema):
    """``lines``: the list as typed. ``before``: the digest of the list that the page showed. ``seen``: that of the preview."""

    lines = fields.String(load_default="", validate=validate.Length(0, LONGEST_LIST))
    before = fields.String(load_default="")
    seen = fields.String(load_default="")
    do = fields.String(load_default="", validate=validate.OneOf(("", _PREVIEW, "set")))
    reason = fields.String(load_default=None, validate=validate.Length(1, REASON.longest))


def digest(items: Iterable[Any]) -> str:
    """Return a text that identifies a list, whatever the order of its items."""
    return sha256(repr(sorted(items)).encode()).hexdigest()[:16]


def require_preview(items: Iterable[Any], seen: str) -> None:
    """Raise `Problem` 422 if the list to be set is not the one that was previewed."""
    if request.form.get("do") != _PREVIEW and digest(items) != seen:
        raise bad_fields({}, say("the list differs from its preview, or was not previewed: preview it, then set it"))


def respond(form: Form, schema: type[Schema], make: Make, items: Callable[[Tournament], Iterable[Any]]) -> Response:
    """Answer a GET, a POST that previews the list, or a POST that sets it.

    ``items`` returns the list that is in force. The form's context previews the list of every POST, a refused one too.
    """
    if request.method == "POST" and request.form.get("do") == _PREVIEW:
        return form.tried(schema, make, form.shown)

    def check(view: View, command: Any) -> None:
        if digest(items(view.tournament)) != request.form.get("before"):
            raise Problem(
                409,
                CONFLICT,
                say("Another event about this was written in the meantime"),
                say("compare both before you send the form again"),
            )

    return replace(form, check=check).respond(schema, make)
