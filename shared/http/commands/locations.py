"""Where that is read which a command made: its `Location` (RFC 9110 10.2.2)."""

from string import Formatter
from typing import Any
from urllib.parse import quote

import msgspec

COMMAND = "/v1/tournaments/{t}/commands/{command}"
"""Of what has no address of its own: all that came of the command."""


def location(makes: str, body: bytes, **known: str) -> str:
    """The address of what was made, by the template that its route declares (`Operation.makes`, else `COMMAND`).

    A name of the template is one ``known``, ``t`` and ``command`` among them, else a member of the answer. Where the answer
    has null in its place, nothing of that kind was made, and the command is told.
    """
    names = [name for _, name, _, _ in Formatter().parse(makes) if name]
    members: dict[str, Any] = {} if set(names) <= set(known) else msgspec.json.decode(body)
    values = {name: known.get(name, members.get(name)) for name in names}
    if not names or None in values.values():
        return COMMAND.format(**known)
    return makes.format_map({name: quote(str(value), safe="") for name, value in values.items()})
