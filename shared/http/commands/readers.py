"""How a body sent to an address of the API, or a form, becomes a command that is previewed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from marshmallow import Schema
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from shared.core.language.messages import say
from shared.core.readings.authority import Permit
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor
from shared.desk.desk import Desk
from shared.http.commands.write_routes import Submission, WriteRoute
from shared.http.problems import Problem
from shared.http.requests.request_parts import load
from shared.log.texts import Texts


@dataclass(frozen=True, slots=True)
class Posted:
    """A command as it would be sent: to which route, with which parts of its address, and the fields of its body."""

    route: WriteRoute
    ids: Mapping[str, Any]
    fields: dict[str, Any]

    def command(self, desk: Desk, actor: Actor, texts: Texts, now: str) -> Any:
        return self.route.read(Submission(desk, actor, self.fields, texts, self.ids, now), **self.ids)


Sent = tuple[WriteRoute, Mapping[str, Any], dict[str, Any]]
"""The route whose command a form is, the parts of its address and its JSON body."""
Means = Callable[[Tournament, Mapping[str, Any], Mapping[str, Any]], Sent]
"""What a form means, from the tournament, the parts of the form's address and its fields."""


@dataclass(frozen=True, slots=True)
class FormReader:
    """One form for people: at ``address``, for whom ``permit`` lets send it, of texts that ``schema`` loads."""

    address: str
    permit: Permit
    schema: type[Schema]
    means: Means

    def read(self, t: Tournament, ids: Mapping[str, Any], fields: Mapping[str, Any]) -> Posted:
        """Return the command of a form, whose fields are loaded. Raises `Problem` 422 as `load`."""
        route, of_route, sent = self.means(t, ids, fields)
        return Posted(route, of_route, load(route.schema, sent))


class Readers:
    """The routes and forms of all services whose commands are previewed, by address."""

    def __init__(self, routes: Sequence[WriteRoute], forms: Sequence[FormReader] = ()) -> None:
        self._routes, self._forms = {r.address: r for r in routes}, {f.address: f for f in forms}
        self._map, self._form_map = _map(self._routes), _map(self._forms)

    def read(self, path: str, sent: dict[str, Any]) -> Posted:
        """A body sent to ``path``. Raises `Problem`: 422 for an address of which nothing is previewed, and for wrong fields."""
        address, ids = _matched(self._map, path)
        if address is None:
            detail = say("commands to {path} cannot be previewed", path=path[:120])
            errors = {"path": ["one of " + ", ".join(sorted(self._routes))]}
            raise Problem(422, "no-preview", say("Nothing to preview"), detail, errors=errors)
        route = self._routes[address]
        return Posted(route, ids, load(route.schema, sent))

    def form(self, path: str) -> tuple[FormReader, dict[str, Any]]:
        """The form at ``path``, and the parts that this names. Raises `Problem` 404 where none is previewed."""
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
