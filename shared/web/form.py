"""Forms by which people command. A form belongs to the service that decides; its GET and its POST share one address.

A form contains the number of the last event that its page showed (``seq``) and a key of its own (``once``). If it is sent
twice, the second answer is the first one. It is refused if a later event concerns a game or a player that it is about, but not
because of events about others. A form about the whole tournament is refused after any event. A refused form is shown again with
the input.
"""

import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any
from urllib.parse import quote

import msgspec
from flask import Response, g, request
from marshmallow import Schema
from werkzeug.datastructures import FileStorage, MultiDict

from shared.core.language.messages import say
from shared.core.readings.authority import Permit
from shared.core.readings.concern import Concern
from shared.core.terms import Actor
from shared.core.values.bounds import HIGHEST
from shared.desk.desk import Desk, Receipt, Request, View
from shared.desk.requests import command_id
from shared.http.commands.command_pipeline import previewed, submitted
from shared.http.problems import Problem, unavailable
from shared.http.reads import tournament_query
from shared.http.reads.tournament_query import require_permit
from shared.http.requests import auth
from shared.http.requests.request_parts import key_name, load
from shared.log.port import LogUnavailable
from shared.log.texts import Texts
from shared.web.later_lines import LaterLine, later_lines
from shared.web.page import Layout, leads_to, link
from shared.web.problem_words import errors_of

CONFLICT = "written-meanwhile"
OWN = ("seq", "once", "foreseen")
"""The fields of every form, and that of a previewed form. All other fields belong to the command."""
ATTEMPTS = 20
"""Maximum number of times that a form is decided, if unrelated events are written meanwhile."""
_INSIDE = {"HX-Retarget": "#refused", "HX-Reselect": "#form", "HX-Reswap": "innerHTML"}
"""Header fields with which a page that sent the form without leaving it (htmx) shows a refusal or a pending event."""
_KEY_USED = "idempotency-key-reused"
_STALE = "stale"
_ONCE_AT_MOST = 64

Make = Callable[[Actor, Texts, dict[str, Any]], Any]
"""Makes a command from its sender, the erasable texts of the command, and the fields that the form's schema loaded."""


class Typed(dict[str, str]):
    """The input by field, from the form or from its address. A missing field is empty."""

    def __missing__(self, name: str) -> str:
        return ""


@dataclass(frozen=True)
class Form:
    """A form as it is shown at ``view``, by a template of ``layout`` that extends ``form.html``.

    ``permit``: decides who may send it, before any field is read. ``about``: the games and players that it decides on (None:
    the whole tournament). ``back``: returns the address of the page that it leads back to, given the number of the written
    event (None: unknown). ``context``: the values for its template, or a function that returns them, called only when the form
    is shown.
    """

    desk: Desk
    layout: Layout
    permit: Permit
    view: View
    template: str
    about: Concern | None
    back: Callable[[int | None], str]
    context: Mapping[str, Any] | Callable[[], Mapping[str, Any]] = field(default_factory=dict)
    check: Callable[[View, Any], None] | None = None
    """Checks a command at the event that it is decided on, before it is sent. Raises `Problem`."""
    place: Callable[[Problem], Problem] | None = None
    """Adds the place in a file to a refusal."""
    meanwhile: Callable[[], Response] | None = None
    """Returns the answer if later events concern the same games or players (None: the form is shown again)."""

    @property
    def t(self) -> str:
        return self.view.state.id

    def respond(self, schema: type[Schema], make: Make) -> Response:
        """Return the answer to a GET, or to a POST of fields of ``schema``. Raises `Problem` 403 for a form of another origin."""
        if request.method != "POST":
            if "written" in request.args:
                return self._followed(None, request.args["written"][:64])
            if "outcome" in request.args:
                return self._outcome(request.args["outcome"][:64])
            return self.shown()
        try:
            receipt = self._receipt(schema, make)
        except Problem as problem:
            if problem.code == CONFLICT and self.meanwhile is not None:
                return self.meanwhile()
            return refused(problem if self.place is None else self.place(problem), self._refused)
        return self._followed(receipt.seq, receipt.command)

    def tried(self, schema: type[Schema], make: Make, onward: Callable[[], Response]) -> Response:
        """Return the answer to a POST that must not be written yet: that of ``onward`` if the command is permitted now."""
        try:
            actor = self._sender()
            seq_of(request.form), once_of(request.form)
            command = make(actor, Texts(self.t), load(schema, fields_of(request.form)))
            previewed(self.desk, self.layout.source, self.t, command)
        except Problem as problem:
            return refused(problem, self._refused)
        return onward()

    def shown(self, problem: Problem | None = None, later: tuple[LaterLine, ...] = (), **more: Any) -> Response:
        """Return the form's page: empty, or with the input and the reason for the refusal."""
        typed = typed_now()
        anew = problem is None or problem.code in (_KEY_USED, CONFLICT, _STALE)
        now = self.about is None or problem is None or problem.code == CONFLICT
        context = self.context() if callable(self.context) else self.context
        return self.layout.page(
            self.template,
            200 if problem is None else problem.status,
            t=self.view.state,
            seq=self.view.seq if now else typed["seq"] or self.view.seq,
            once=secrets.token_urlsafe(16) if anew else typed["once"][:_ONCE_AT_MOST],
            typed=typed,
            problem=problem,
            errors=errors_of(problem),
            outcome=self._where_to_look(problem),
            later=later,
            back=self.back(None),
            **{**context, **more},
        )

    # ------------------------------------------------------------ a POST

    def _receipt(self, schema: type[Schema], make: Make) -> Receipt:
        actor = self._sender()
        texts = Texts(self.t)
        seen, key = seq_of(request.form), key_name(request, actor, once_of(request.form))
        fields = fields_of(request.form)
        command = make(actor, texts, load(schema, fields))
        content = {**fields, **{name: sha256(_content_of(file)).hexdigest() for name, file in request.files.items()}}
        digest = self.desk.keys.keyed_digest(self.layout.source, msgspec.json.encode(content, order="sorted"))
        sent = Request(key=key, body=digest, texts=tuple(texts.all))
        if self.about is None:
            return submitted(self.desk, self.layout.source, self.t, command, sent._replace(if_match=seen))
        for _ in range(ATTEMPTS):
            view = tournament_query.view_at(self.desk, self.t, after=seen)
            later = later_lines(self.desk, view, seen, self.about, command_id(sent))
            if later.lines:
                raise Problem(
                    409,
                    CONFLICT,
                    say("Another event about this was written in the meantime"),
                    say("compare both before you send the form again"),
                    lines=later.lines,
                )
            if self.check is not None and not later.repeated:
                self.check(view, command)
            try:
                now = None if later.repeated else view.seq
                return submitted(self.desk, self.layout.source, self.t, command, sent._replace(if_match=now))
            except Problem as problem:
                if problem.code != _STALE:
                    raise
        raise unavailable(
            "busy", say("other events were written each time while this was decided: send the form again")
        )

    def _sender(self) -> Actor:
        actor = auth.require(self.t)
        require_permit(self.desk, self.t, actor, self.permit)
        return actor

    def _refused(self, problem: Problem) -> Response:
        response = self.shown(problem, problem.extra.get("lines", ()))
        response.headers.update({**problem.headers, **_INSIDE, "Cache-Control": "no-store"})
        return response

    def _followed(self, seq: int | None, command: str) -> Response:
        """Return 303 to the page that shows the event, or 202 if the event is not back through the log yet."""
        g.causation = command
        with suppress(LogUnavailable):  # The event is written, even if the log cannot be read now.
            seq = seq or self._line_of(command)
        if seq is not None:
            return leads_to(self.back(seq))
        again = f"{request.path}?written={quote(command)}"
        response = self.layout.page("written.html", 202, t=self.view.state, again=again, back=self.back(None))
        response.headers.update({**_INSIDE, "Cache-Control": "no-store"})
        return response

    def _where_to_look(self, problem: Problem | None) -> str | None:
        """Return the address that shows whether the input was written, or None if that is known."""
        if problem is None or problem.written == "no" or "command" not in problem.extra:
            return None
        return f"{request.path}?outcome={quote(problem.extra['command'])}"

    def _outcome(self, command: str) -> Response:
        """Return 303 to the page that shows the outcome of a command, or the form if the log has no event of the command."""
        seq = self._line_of(command)
        if seq is not None:
            return leads_to(self.back(seq))
        nothing = say("the input is not recorded yet: send it again from the form")
        return self._refused(Problem(404, "not-in-the-log", say("Not recorded"), nothing))

    def _line_of(self, command: str) -> int | None:
        """Return the number of the last event that results from a command, or None while the log here has no such event."""
        consequences = self.desk.consequences(self.t, command)
        return consequences.events[-1].seq if consequences is not None and consequences.events else None


def refused(problem: Problem, show: Callable[[Problem], Response]) -> Response:
    """Return the page of a refused form, made by ``show``. Raise the problem instead if the form is from another origin."""
    if problem.code == auth.FOREIGN_ORIGIN:
        raise problem
    g.code = problem.code
    return show(problem)


def typed_now() -> Typed:
    """Return the input of the form, or the values in its address."""
    return Typed((request.form if request.method == "POST" else request.args).items())


def fields_of(form: MultiDict[str, str]) -> dict[str, Any]:
    """Return the input by field: a text, or a list if a field occurs more than once. Empty fields are left out."""
    values = {name: [v.strip() for v in values if v.strip()] for name, values in form.lists() if name not in OWN}
    return {name: one[0] if len(one) == 1 else one for name, one in values.items() if one}


def _content_of(file: FileStorage) -> bytes:
    file.seek(0)  # the command was made of it
    return bytes(file.read())


def seq_of(form: MultiDict[str, str]) -> int:
    """Return the event number of the form's page. Raises `Problem` 422."""
    text = form.get("seq", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= HIGHEST):
        raise _incomplete("seq")
    return int(text)


def once_of(form: MultiDict[str, str]) -> str:
    """Return the key of the form, 1 to 64 visible characters. Raises `Problem` 422."""
    once = form.get("once", "")
    if not (0 < len(once) <= _ONCE_AT_MOST and once.isascii() and once.isprintable() and " " not in once):
        raise _incomplete("once")
    return once


def _incomplete(name: str) -> Problem:
    return Problem(
        422, "bad-fields", say("Fields are missing or wrong"),
        say("open the form again: a hidden value of its page is missing"), errors={name: [say("Missing or wrong.")]},
    )  # fmt: skip


def back_to(page: str, unwritten: str = "", **parts: Any) -> Callable[[int | None], str]:
    """Return a function of the written event's number that returns the address of a page, not before that event.

    Without an event, the address is that of the page ``unwritten``, if given.
    """

    def back(seq: int | None) -> str:
        return link(unwritten if unwritten and seq is None else page, at=None, without=None, after=seq, **parts)

    return back


def back_to_round(t: str, n: int, board: int | None = None) -> Callable[[int | None], str]:
    """Return such a function for a round page: the board after an entered ``board`` is next. htmx gets the changed rows."""

    def back(seq: int | None) -> str:
        entered = seq is not None and board is not None
        since = request.form.get("seq") if entered and "HX-Request" in request.headers else None
        return back_to("round_page", t=t, n=n, board=board if entered else None, since=since)(seq)

    return back


def upholding_address(t: str, n: int) -> str:
    """Return the address of the form that upholds or withdraws an outdated pairing of a round."""
    return f"{link('round_page', t=t, n=n, at=None, without=None)}/upholding"


def publication_address(t: str, n: int) -> str:
    """Return the address of the form that publishes the table after a round again."""
    return f"{link('tournament_page', t=t, at=None, without=None)}/publication?round={n}"


def board_address(t: str, n: int, board: int, form: str) -> str:
    """Return the address of a board's form: ``result``, ``correction``, ``arrival``."""
    return f"{link('round_page', t=t, n=n, at=None, without=None)}/boards/{board}/{form}"
