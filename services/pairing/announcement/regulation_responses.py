"""The shipped sets of regulations as answers."""

from functools import cache
from typing import Any

from shared.regulations import load, names
from shared.regulations.description import described

SETS = "/v1/regulations"


def listed() -> dict[str, Any]:
    """``regulations``: each shipped set, and under ``see`` where it is whole."""
    sets = (load(name) for name in names())
    return {
        "regulations": [
            {
                "name": one.name,
                "edition": one.edition,
                "digest": one.digest,
                "games": list(one.game.rules),
                "see": f"{SETS}/{one.name}",
            }
            for one in sets
        ],
        "next": None,
    }


@cache
def whole(name: str) -> dict[str, Any]:
    """A shipped set, as `described`."""
    return described(load(name))
