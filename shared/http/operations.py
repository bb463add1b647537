"""What a route declares of itself, once; parsing, the refusal of unknown fields and the OpenAPI document come from it.

@bp.post("/v1/tournaments/<t>/results")
@Operation("Report results of a round", body=ResultsSchema, status=201)
def results(t: str) -> Response: ...
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from flask import current_app, request
from marshmallow import Schema

from shared.http.answers import Answer

View = TypeVar("View", bound=Callable[..., Any])
_ATTRIBUTE = "__operation__"

TABLE, WHOLE_LOG, JUDGEMENT, PREVIEW, AUDIT = 5, 10, 20, 20, 100
"""Costs: a table, or a page with one; every line of a log; a position judged; a preview with its two tables; an audit."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One route in the words of OpenAPI; a decorator of the view that answers it.

    ``name`` is what a generated client calls it by. ``body`` is the schema of the JSON body, which may be left out where it
    is ``optional_body``; ``files`` are the media types that may come instead, or that alone come where there is no ``body``.
    ``query`` is a schema, or maps a parameter's name to its meaning. ``answer`` is the class of the good answer in JSON,
    ``status`` its status, ``media`` its media types, ``also`` other good answers by status (None: of the same schema),
    ``errors`` the statuses beyond the usual ones.
    ``tagged``: a read has the ETag of its line. ``match``: ``If-Match`` is required. ``public``: a question that changes
    nothing and takes no token.
    ``makes``: of a command, the address of what it makes (`command_pipeline.location`); left out: of the command itself.
    ``form``: a form for people, which the browser's cookie may send from a page of this host.
    ``shared``: a page of a tournament that is the same for all who have no token; they have it together (`shared_answers`).
    ``cost`` is what a read, or a question that is sent as a command is, takes of its reader's allowance
    (`rate_limits.Limits.reads`), about a millisecond each.
    """

    summary: str = ""
    name: str = ""
    body: type[Schema] | None = None
    optional_body: bool = False
    files: tuple[str, ...] = ()
    query: type[Schema] | Mapping[str, str] = field(default_factory=dict)
    answer: type[Answer] | None = None
    status: int = 200
    media: tuple[str, ...] = ("application/json",)
    also: Mapping[int, type[Answer] | None] = field(default_factory=dict)
    tagged: bool = True
    errors: tuple[int, ...] = ()
    match: bool = False
    makes: str = ""
    public: bool = False
    form: bool = False
    shared: bool = False
    cost: int = 1

    def writes(self, method: str) -> bool:
        """Whether a request by this method is a command."""
        return method != "GET" and not self.public

    def __call__(self, view: View) -> View:
        """As a decorator: the view declares this."""
        setattr(view, _ATTRIBUTE, self)
        return view


def operation_of(view: Callable[..., Any] | None) -> Operation | None:
    """What a view declares, None where it declares nothing."""
    declaration = getattr(view, _ATTRIBUTE, None)
    return declaration if isinstance(declaration, Operation) else None


def current_operation() -> Operation:
    """What the route of this request declares, nothing at all included."""
    return operation_of(current_app.view_functions.get(request.endpoint or "")) or Operation()
