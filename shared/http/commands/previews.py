"""Readers of commands by address and by form, and the previews of these commands."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from marshmallow import Schema
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from shared.core.language.messages import message_of, say
from shared.core.readings.authority import Permit
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, Refusal, Source
from shared.desk.computations.child_process import ChildProcess, Exhausted
from shared.desk.desk import Desk, View
from shared.desk.foresight import SheetNeeded
from shared.desk.requests import Behind, unknown_official
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.limits.rate_limits import Limits, Places
from shared.http.problems import Problem, refused, unavailable
from shared.http.requests.auth import is_stranger
from shared.http.requests.request_parts import load
from shared.log.texts import Texts


@dataclass(frozen=True, slots=True)
class Posted:
    """A command to be previewed: its route, the parts of its address (``ids``), and the fields of its body."""

    route: WriteRoute
    ids: Mapping[str, Any]
    fields: dict[str, Any]

    def command(self, desk: Desk, actor: Actor, texts: Texts, now: str) -> Any:
        return self.route.read(Submission(desk, actor, self.fields, texts, self.ids, now), **self.ids)


Sent = tuple[WriteRoute, Mapping[str, Any], dict[str, Any]]
"""The route of a form's command, the parts of the route's address, and the JSON body."""
Means = Callable[[Tournament, Mapping[str, Any], Mapping[str, Any]], Sent]
"""Translates a form into a command, from the tournament, the parts of the form's address and its fields."""


@dataclass(frozen=True, slots=True)
class FormReader:
    """A form at ``address``. ``permit`` decides whether an actor may send it, and ``schema`` loads its texts."""

    address: str
    permit: Permit
    schema: type[Schema]
    means: Means

    def read(self, t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Posted:
        """Return the command of a form whose fields are loaded. Raises `Problem` 422 like `load`."""
        route, of_route, sent = self.means(t, ids, fields)
        return Posted(route, of_route, load(route.schema, sent))


class Readers:
    """The routes and forms of all services whose commands are previewed, by address."""

    def __init__(self, routes: Sequence[WriteRoute], forms: Sequence[FormReader] = ()) -> None:
        self._routes, self._forms = {r.address: r for r in routes}, {f.address: f for f in forms}
        self._map, self._form_map = _map(self._routes), _map(self._forms)

    def read(self, path: str, sent: dict[str, Any]) -> Posted:
        """Return the command of a body for ``path``. Raises `Problem` 422 for an address without previews or for wrong fields."""
        address, ids = _matched(self._map, path)
        if address is None:
            detail = say("commands to {path} cannot be previewed", path=path[:120])
            errors = {"path": ["one of " + ", ".join(sorted(self._routes))]}
            raise Problem(422, "no-preview", say("Nothing to preview"), detail, errors=errors)
        route = self._routes[address]
        return Posted(route, ids, load(route.schema, sent))

    def form(self, path: str) -> tuple[FormReader, dict[str, Any]]:
        """Return the form at ``path`` and the parts of this address. Raises `Problem` 404 without a previewed form."""
        address, ids = _matched(self._form_map, path)
        if address is None:
            detail = say("the form {path} cannot be previewed", path=path[:120])
            raise Problem(404, "no-preview", say("Nothing to preview"), detail)
        return self._forms[address], ids


def _map(addresses: Mapping[str, object]) -> Map:
    rules = [Rule(address, endpoint=address, methods=["POST"]) for address in addresses]
    return Map(rules, redirect_defaults=False, merge_slashes=False)


def _matched(addresses: Map, path: str) -> tuple[str | None, dict[str, Any]]:
    try:
        address, ids = addresses.bind("").match(path, method="POST")
    except HTTPException:
        return None, {}
    return address, dict(ids)


Outcome = TypeVar("Outcome")
Result = TypeVar("Result")
Decide = Callable[[TournamentState, Source, Any, Mapping[str, Sequence[bytes]], str], Outcome | Refusal]
"""A picklable function of a tournament, a service, a command for it, the score sheets and the time. It raises `SheetNeeded` for
a missing score sheet."""

_NICE = 5
"""Previews have a higher priority than audits, and a lower one than everything that is written."""
_FULL_SECONDS, _AGAIN_SECONDS = 2, 30


class Previews(Generic[Outcome]):
    """The previews of a server: ``decide`` computes them one after the other from the commands of ``readers``.

    A preview may take ``limits.preview_seconds``, and ``limits.audit_memory`` MiB. At most ``limits.previews`` requests wait
    for one.
    """

    def __init__(self, desk: Desk, decide: Decide[Outcome], readers: Readers, limits: Limits) -> None:
        self._desk, self._decide, self.readers = desk, decide, readers
        self._child = ChildProcess(seconds=limits.preview_seconds, memory=limits.audit_memory << 20, nice=_NICE)
        self._places = Places(limits.previews)

    def preview(self, view: View, posted: Posted, actor: Actor) -> Outcome:
        """Return the outcome that a command would have, decided on the state of the view.

        Raises `Problem`: that of a refusal, or 503. The causes of 503: too many requests wait, the preview takes too much time
        or memory, its process cannot be started or dies, or this service has not read the whole log.
        """
        current, now = self._desk.caught_up(), self._desk.now()
        command = posted.command(self._desk, actor, Texts(view.state.id), now)
        try:
            with self._place():
                outcome = self._foreseen(view.state, posted.route.source, command, now)
        except Exhausted:
            large = say("this preview exceeds the time limit of this service; send the command without a preview")
            raise unavailable("preview-too-large", large, _AGAIN_SECONDS) from None
        except Behind as problem:
            raise unavailable("no-preview-now", message_of(problem), _AGAIN_SECONDS) from None
        if isinstance(outcome, Refusal):
            if unknown_official(outcome, current) is not None:
                raise unavailable(
                    "behind",
                    say(
                        "this service has not yet read the whole log, so it cannot check the role of the user: try again"
                    ),
                )
            raise refused(outcome)
        return outcome

    def beside(self, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return the result of a picklable function for another read, in the process and within the limits of previews.

        Raises `Problem` 503 if too many requests wait, if it takes too much time or memory, or if the process cannot be started
        or dies.
        """
        try:
            with self._place():
                return self._child.run(function, *arguments)
        except Behind as problem:
            raise unavailable("not-computed", message_of(problem), _AGAIN_SECONDS) from None

    def _place(self) -> AbstractContextManager[None]:
        """Hold one of the places for requests that wait for the child. Raises `Problem` 503 if all are taken."""
        wait = say("as many requests as this service allows are already waiting for a preview: try again later")
        return self._places.held_beside(unavailable("previews-full", wait, _FULL_SECONDS), stranger=is_stranger())

    def _foreseen(self, t: TournamentState, source: Source, command: Any, now: str) -> Outcome | Refusal:
        """Decide in the child, and again with each score sheet that turns out to be needed."""
        sheets: dict[str, list[bytes]] = {}
        while True:
            try:
                return self._child.run(self._decide, t, source, command, sheets, now)
            except SheetNeeded as needed:
                (game,) = needed.args
                sheets[game] = [row.line for row in self._desk.lines(f"games/{game}")]

    def end(self) -> None:
        """End the child without waiting for its result."""
        self._child.end()
