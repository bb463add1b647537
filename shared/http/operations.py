"""The declaration of a route. Parsing, the rejection of unknown fields and the OpenAPI document are derived from it.

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
"""Costs: a table or a page with one, every event of a log, the judgement of a position, a preview with its two tables, an
archive, an audit."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A route as OpenAPI describes it, used as a decorator of the view that answers it.

    - ``summary``: imperative, at most 60 characters. ``description``: the behaviour in full sentences, to which OpenAPI adds
      the permissions and the problem codes.
    - ``name``: the name of the operation in a generated client.
    - ``acts``: acts of a role (`authority.ACTS`) or of the ruleset, by default those of the route's command. ``further``: acts
      that some bodies require. ``permission`` replaces both.
    - ``body``: the schema of the JSON body. ``optional_body``: the body may be omitted. ``files``: media types accepted instead
      of JSON, or as the only ones without a ``body``.
    - ``query``: a schema, or a mapping of parameters to their meaning.
    - ``answer``: the class of the successful answer in JSON. ``status``: its status. ``media``: its media types. ``also``:
      other successful answers by status (None: of the same schema). ``errors``: the statuses in addition to the usual ones.
    - ``tagged``: a read has the ETag of its event. ``match``: ``If-Match`` is required.
    - ``private``: a read that requires a token, but no act.
    - ``public``: a question that changes nothing and requires no token, even if its method is POST.
    - ``makes``: for a command, the address of the object that it creates (`command_pipeline.location`). Default: that of the
      command.
    - ``form``: a form for people, which the browser may send with its cookie from a page of this host.
    - ``shared``: a page of a tournament that all readers without a token share (`shared_answers`).
    - ``cost``: the cost of a read, or of a question that is sent like a command, in its reader's allowance
      (`rate_limits.Limits.reads`). One unit is about a millisecond.
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
    private: bool = False
    public: bool = False
    form: bool = False
    shared: bool = False
    cost: int = 1

    def writes(self, method: str) -> bool:
        """Return whether a request by this method is a command."""
        return method != "GET" and not self.public

    def requires_token(self, method: str) -> bool:
        """Return whether a request by this method without a token is always refused."""
        return self.writes(method) or self.private or bool(self.acts and not self.permission)

    def __call__(self, view: View) -> View:
        """Declare this operation for a view, as a decorator."""
        setattr(view, OPERATION, self)
        return view


@dataclass(frozen=True, slots=True)
class Creation(Operation):
    """A route whose successful answer has status 201."""

    status: int = 201


def quoted(words: Iterable[str]) -> str:
    """Return words as code in a sentence, the last one after *or*."""
    *first, last = (f"`{word}`" for word in words)
    return f"{', '.join(first)} or {last}" if first else last


def operation_of(view: Callable[..., Any] | None) -> Operation | None:
    """Return the operation that a view declares, or None."""
    declared: Operation | None = getattr(view, OPERATION, None)
    return declared
