"""A page of several forms. The field ``act`` names the action, and a refused form is shown again with its input."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from flask import Response, request

from shared.core.language.messages import say
from shared.http.problems import Problem
from shared.http.requests import auth
from shared.web.form import fields_of, refused, typed_now
from shared.web.page import Layout
from shared.web.problem_words import errors_of

A = TypeVar("A")
Show = Callable[[Problem | None], Response]


def respond(acts: Mapping[str, A], follow: Callable[[A, dict[str, Any]], Response], show: Show) -> Response:
    """Answer a GET with the page, and a POST by ``follow`` with the chosen one of ``acts`` and the other fields.

    Raises `Problem` 403 for a form of another origin, before any field of the form is read.
    """
    if request.method != "POST":
        return show(None)
    auth.require_own_origin()
    try:
        fields = fields_of(request.form)
        act = acts.get(str(fields.pop("act", "")))
        if act is None:
            detail = say("the form does not state the action: open it again")
            raise Problem(422, "bad-fields", say("Fields are missing or wrong"), detail)
        return follow(act, fields)
    except Problem as problem:
        return refused(problem, show)


def page(layout: Layout, template: str, problem: Problem | None, **context: Any) -> Response:
    """Return the page with its forms, the input, and the reason for the refusal. No cache stores it."""
    errors = errors_of(problem)
    return layout.private_page(template, typed=typed_now(), problem=problem, errors=errors, later=(), **context)
