"""Forms that are previewed before they are confirmed: what was shown is what is written, or it is shown anew."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from flask import Response, request

from shared.core.language.messages import say
from shared.core.terms import Actor
from shared.desk.desk import View
from shared.desk.foresight import digest_of
from shared.http.commands.command_pipeline import previewed
from shared.http.commands.previews import FormReader
from shared.http.problems import Problem
from shared.log.texts import Texts
from shared.web.form import CONFLICT, Form
from shared.web.page import leads_to

FORESEEN = "foreseen"
"""The field of a confirmed form that holds the digest of what was previewed."""
UNSEEN = "unseen"
"""The digest of a form that its sender chose to record without a preview, because none could be computed."""
ANEW = "anew"
EDIT = "edit"


def respond(form: Form, reader: FormReader, ids: Mapping[str, Any]) -> Response:
    """The answer to a GET; to a POST that is only tried, which leads on to its preview; and to one that was previewed.

    What the rules refuse is shown again by the form. A confirmed form is written where its decision is the one that was
    shown and nobody wrote of the same games and players since; else it is previewed anew. ``?edit``: it is filled in again.
    With `UNSEEN` the decision may be any.
    """

    def make(actor: Actor, texts: Texts, fields: dict[str, Any]) -> Any:
        return reader.read(form.view.tournament, ids, fields).command(form.desk, actor, texts, form.desk.now())

    if request.method != "POST":
        return form.respond(reader.schema, make)
    if EDIT in request.args:
        return form.shown()
    preview = preview_address(form.t)
    if not request.form.get(FORESEEN):
        return form.tried(reader.schema, make, lambda: leads_to(preview, 307))

    def as_foreseen(view: View, command: Any) -> None:
        decision = previewed(form.desk, form.layout.source, form.t, command)
        decided = digest_of(view.state, form.layout.source, (*decision.events, *decision.brought))
        if request.form[FORESEEN] != decided:
            raise Problem(
                409,
                CONFLICT,
                say("The decision would be different now"),
                say("check the new preview before you send it"),
            )

    check = None if request.form[FORESEEN] == UNSEEN else as_foreseen
    return replace(form, check=check, meanwhile=lambda: leads_to(f"{preview}?{ANEW}", 307)).respond(reader.schema, make)


def preview_address(t: str) -> str:
    """Where the form of this request is previewed: the same path, below ``/t/{t}/preview``."""
    below = f"/t/{t}/"
    path = request.path.partition(below)[2]
    return f"{request.script_root}/t/{quote(t)}/preview/{quote(path)}"
