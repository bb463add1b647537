"""What goes wrong at the HTTP edge, whatever it is, as one kind of answer: a problem document, or a page of it."""

import secrets
from typing import Any

from flask import Flask, Response, current_app, g, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import RequestRedirect

from shared import structured_log
from shared.core.language.messages import message_of, say
from shared.desk.requests import NoRegulations
from shared.http.language import language
from shared.http.language.library_sentences import library_sentence
from shared.http.problems import PROBLEM_PAGE, Problem, ProblemPage, log_full, of_status, too_large, unavailable
from shared.http.requests.app_context import current_context
from shared.log.port import CommitUnknown, LogFull, LogUnavailable

_READS = ("GET", "HEAD", "OPTIONS")
_RETRY_SECONDS = 2


def register(app: Flask) -> None:
    """Have an app answer every error so."""
    app.register_error_handler(Problem, _problem_response)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(NoRegulations, _no_regulations)
    app.register_error_handler(LogUnavailable, _log_unavailable)
    app.register_error_handler(LogFull, _log_full)
    app.register_error_handler(Exception, _crash)


def _problem_response(problem: Problem) -> Response:
    g.code = problem.code
    page: ProblemPage | None = current_app.extensions.get(PROBLEM_PAGE)
    return problem.response() if page is None or not _by_browser() else page(problem)


def _by_browser() -> bool:
    """Whether this request is for a page, and HTML is what its answer is wanted as."""
    wanted = request.accept_mimetypes
    return language.for_people() and wanted["text/html"] > wanted["application/json"]


def _http_error(error: HTTPException) -> Any:
    """werkzeug's own errors: unknown route, wrong method, a body over the limit and the like."""
    if isinstance(error, RequestRedirect) or error.code is None or error.code < 400:
        return error.get_response()
    detail, headers = library_sentence(error.description) if error.description else None, {}
    if error.code == 404:
        detail = say("nothing exists at this address")
    elif isinstance(error, MethodNotAllowed):
        allowed = ", ".join(sorted(error.valid_methods or ()))
        detail, headers = say("this address accepts {methods}", methods=allowed), {"Allow": allowed}
    elif error.code == 413:
        return _problem_response(too_large(current_context().limits.body))
    return _problem_response(of_status(error.code, detail, headers))


def _no_regulations(problem: NoRegulations) -> Response:
    return _problem_response(Problem(409, "no-regulations", say("No regulations yet"), message_of(problem)))


def _log_unavailable(problem: LogUnavailable) -> Response:
    if isinstance(problem, CommitUnknown):
        title = say("It is not known whether this was written")
        detail = say(
            "{problem}: check whether it is recorded, or send the same request again", problem=message_of(problem)
        )
        return _problem_response(Problem(503, "outcome-unknown", title, detail, written="unknown", see=_read_here()))
    return _problem_response(unavailable("log-away", message_of(problem), _RETRY_SECONDS))


def _read_here() -> str | None:
    """The address of this request, where it can be read too."""
    found = current_app.url_map.bind("").test(request.path, "GET")
    return request.path if found else None


def _log_full(problem: LogFull) -> Response:
    return _problem_response(log_full(message_of(problem)))


def _crash(problem: Exception) -> Response:
    """500 with an incident number; what happened stands in the log under it."""
    incident = secrets.token_hex(6)
    current_context().metrics.crashes.inc()
    structured_log.crash(incident, problem, request=g.get("request_id"))
    return _problem_response(
        Problem(
            500,
            "crash",
            say("The service failed"),
            say("this is an error of the server; it is logged as {incident}", incident=incident),
            written="no" if request.method in _READS else "unknown",
            incident=incident,
        )
    )
