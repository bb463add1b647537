"""Readers: how a body sent to an address of the API becomes a command, whoever asks what would come of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from marshmallow import Schema
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from shared.core.terms import Source
from shared.http.bodies import body, load
from shared.http.command_pipeline import Make
from shared.http.problems import Problem


@dataclass(frozen=True, slots=True)
class Reader:
    """One address that takes a command.

    ``make(actor, fields, texts, now, **ids)`` builds the command from the body as ``schema`` loads it; ``now`` is the time
    that the service completes it with (RFC 3339), ``ids`` are the parts that ``address`` names.
    """

    source: Source
    address: str
    schema: type[Schema]
    make: Callable[..., Any]

    def sent(self, now: Callable[[], str], **ids: Any) -> Make:
        """The command of this request, by the body that came with it."""
        return lambda actor, texts: self.make(actor, body(), texts, now(), **ids)


@dataclass(frozen=True, slots=True)
class Posted:
    """A command as it would be sent: to which reader, with which parts of its address, and the fields of its body."""

    reader: Reader
    ids: dict[str, Any]
    fields: dict[str, Any]


class Readers:
    """The readers of all services, by address."""

    def __init__(self, readers: Sequence[Reader]) -> None:
        rules = [Rule(r.address, endpoint=r.address, methods=["POST"]) for r in readers]
        self._by_address = {r.address: r for r in readers}
        self._map = Map(rules, strict_slashes=True, redirect_defaults=False, merge_slashes=False)

    def read(self, path: str, sent: dict[str, Any]) -> Posted:
        """A body sent to ``path``. Raises `Problem`: 422 for an address of which nothing is previewed, and for wrong fields."""
        try:
            address, ids = self._map.bind("").match(path, method="POST")
        except HTTPException:
            raise Problem(
                422,
                "no-preview",
                "Nothing to preview",
                f"{path[:120]} is no address whose commands are previewed",
                errors={"path": ["one of " + ", ".join(sorted(self._by_address))]},
            ) from None
        reader = self._by_address[address]
        return Posted(reader, dict(ids), load(reader.schema, sent))
