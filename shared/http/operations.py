"""What a route declares of itself, once; parsing, the refusal of unknown fields and the OpenAPI document come from it.

@bp.post("/v1/tournaments/<t>/results")
@Operation("Report results of a round", body=ResultsSchema, status=201)
def results(t: str) -> Response: ...
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from marshmallow import Schema

from shared.wire.answer import Answer

View = TypeVar("View", bound=Callable[..., Any])
OPERATION = "__operation__"
"""The attribute of a view that holds its operation."""

TABLE, WHOLE_LOG, JUDGEMENT, PREVIEW, ARCHIVE, AUDIT = 5, 10, 20, 20, 50, 100
"""Costs: a table, or a page with one; every line of a log; a position judged; a preview with its two tables; an archive; an
audit."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One route in the words of OpenAPI; a decorator of the view that answers it.

    ``summary`` is imperative, at most 60 characters; ``description`` states the behaviour in full sentences. OpenAPI adds the
    permissions and the problem codes to it. Permissions: ``acts`` are acts of an office (`authority.ACTS`) or of the ruleset,
    by default those of the route's command, ``further`` acts that some bodies require; ``permission`` replaces both.
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
    description: str = ""
    acts: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    permission: str = ""
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
        setattr(view, OPERATION, self)
        return view


@dataclass(frozen=True, slots=True)
class Creation(Operation):
    """A route whose good answer is 201."""

    status: int = 201


def quoted(words: Iterable[str]) -> str:
    """Return words as code in a sentence, the last one after *or*."""
    *first, last = (f"`{word}`" for word in words)
    return f"{', '.join(first)} or {last}" if first else last


def operation_of(view: Callable[..., Any] | None) -> Operation | None:
    """Return the operation that a view declares, or None."""
    declared: Operation | None = getattr(view, OPERATION, None)
    return declared
