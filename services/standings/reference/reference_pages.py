"""The reference of the API, as pages: prose, a page for each operation, object and problem code."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from flask import Blueprint, Response, request, url_for
from markupsafe import Markup

from services.standings.page_context import LAYOUT
from services.standings.reference.code_words import coded
from services.standings.reference.description import Description, kinds_of, members_of
from services.standings.reference.quick_start import QUICK_START
from services.standings.reference.samples import CLIENT, SHELL, sample_of
from services.standings.reference.shared_codes import operations_with
from services.standings.reference.worked_examples import WORKED_EXAMPLES
from shared.core.language.messages import say
from shared.http.language import language
from shared.http.problem_texts import example_document, problem_texts
from shared.http.problems import Problem, field_errors, of_status
from shared.http.reads.paging import LIMIT_AT_MOST
from shared.http.requests.app_context import current_context
from shared.http.requests.request_parts import etag, unchanged
from shared.http.webhook_address import RECEIVER_SECONDS

_PAGES = 2048
"""Rendered pages that a process keeps: all of them, in two languages."""
_SECTIONS = (
    ("quick-start", say("Quick start")),
    *((example.id, example.title) for example in WORKED_EXAMPLES),
    ("tokens", say("Tokens and roles")),
    ("commands", say("Commands and reads")),
    ("idempotency", say("Idempotency")),
    ("concurrency", say("Concurrency")),
    ("paging", say("Paging")),
    ("limits", say("Limits")),
    ("webhooks", say("Webhooks")),
    ("streams", say("Streams")),
    ("verification", say("Verification")),
    ("errors", say("Errors")),
    ("operations", say("Operations")),
)


class Content(NamedTuple):
    """The title and the content of a page, without its layout."""

    title: str
    html: Markup


def reference(bp: Blueprint, file: Path) -> None:
    """Add the pages of the reference. ``file``: the OpenAPI document of all services."""
    description = Description(file)

    @lru_cache(maxsize=_PAGES)
    def kept(template: str, name: str, base: str, _language: str) -> Content:
        """Return the content of a page, which is the same for all readers of a language. Each is built once."""
        title, context = _CONTENTS[template](description, name)
        return Content(title, LAYOUT.part(template, base=base, coded=coded, **context))

    def page(template: str, name: str = "") -> Response:
        base = url_for(".docs_page").removesuffix("/docs")
        content = kept(template, name, base, language.language())
        here = request.path.removeprefix(base)
        made = LAYOUT.page("reference.html", title=content.title, content=content.html, base=base, place=here)
        tag = etag(0, made.get_data())
        if unchanged(request, tag):
            made = Response(status=304)
        made.headers["ETag"] = tag
        made.headers["Cache-Control"] = "no-cache, private"
        language.mark(made)
        return made

    @LAYOUT.serves(bp, "/docs")
    def docs_page() -> Response:
        return page("reference_start.html")

    @LAYOUT.serves(bp, "/docs/operations/<name>")
    def operation_page(name: str) -> Response:
        if name not in description.operations:
            raise _missing()
        return page("reference_operation.html", name)

    @LAYOUT.serves(bp, "/docs/schemas/<name>")
    def schema_page(name: str) -> Response:
        if name not in description.schemas:
            raise _missing()
        return page("reference_schema.html", name)

    @LAYOUT.serves(bp, "/problems")
    def problems_page() -> Response:
        return page("reference_problems.html")

    @LAYOUT.serves(bp, "/problems/<code>")
    def problem_page(code: str) -> Response:
        if code not in problem_texts():
            detail = say("{code} is not a problem code; /problems lists all of them", code=code[:80])
            raise Problem(404, "unknown-problem", say("No such problem code"), detail)
        return page("reference_problem.html", code)


def _missing() -> Problem:
    return of_status(404, say("nothing exists at this address"))


def _start(description: Description, name: str) -> tuple[str, dict[str, Any]]:
    wrong = field_errors("results[0].board", "Not a valid integer.")
    return language.words(say("Start")), {
        "subjects": [*description.subjects],
        "sections": [(id, language.words(title)) for id, title in _SECTIONS],
        "steps": QUICK_START,
        "examples": WORKED_EXAMPLES,
        "shell": SHELL,
        "client": CLIENT,
        "limits": current_context().limits,
        "webhook_seconds": int(RECEIVER_SECONDS),
        "most": LIMIT_AT_MOST,
        "error_example": json.dumps({"errors": wrong}, indent=2),
    }


def _operation(description: Description, name: str) -> tuple[str, dict[str, Any]]:
    one = description.operations[name]
    return one.summary, {"one": one, "sample": sample_of(one), "texts": problem_texts()}


def _schema(description: Description, name: str) -> tuple[str, dict[str, Any]]:
    schema = description.schemas[name]
    return name, {
        "name": name,
        "description": schema.get("description", ""),
        "members_of_it": members_of(schema),
        "one_of": [kind for one in schema.get("oneOf", ()) for kind in kinds_of(one)],
        "also": [kind for one in schema.get("allOf", ()) for kind in kinds_of(one)],
        "example": json.dumps(schema["example"], ensure_ascii=False, indent=2) if "example" in schema else "",
    }


def _problems(description: Description, name: str) -> tuple[str, dict[str, Any]]:
    return language.words(say("Problem codes")), {"texts": [*problem_texts().values()]}


def _problem(description: Description, name: str) -> tuple[str, dict[str, Any]]:
    one = problem_texts()[name]
    used = [*operations_with(name, description.operations)]
    return name, {
        "one": one,
        "used": used if len(used) < len(description.operations) else [],
        "any_operation": len(used) == len(description.operations),
        "messages": [language.translated(text) for text in one.messages],
        "example": json.dumps(example_document(one), ensure_ascii=False, indent=2),
        "links": {each: f"/docs/operations/{each}" for each in description.operations},
    }


_CONTENTS: Mapping[str, Callable[[Description, str], tuple[str, dict[str, Any]]]] = {
    "reference_start.html": _start,
    "reference_operation.html": _operation,
    "reference_schema.html": _schema,
    "reference_problems.html": _problems,
    "reference_problem.html": _problem,
}
"""Template -> the function that returns its title and context, from the document and the name in the address."""
