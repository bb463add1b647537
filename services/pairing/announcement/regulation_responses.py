"""The shipped sets of regulations as answers."""

from functools import cache

import msgspec

from services.pairing.announcement.regulation_schemas import RegulationsAnswer, RegulationsListAnswer, RegulationsListed
from shared.regulations import load, names
from shared.regulations.description import described

SETS = "/v1/regulations"


def listed() -> RegulationsListAnswer:
    """Return each shipped set, and under ``see`` the address of the whole."""
    sets = map(load, names())
    return RegulationsListAnswer(
        [RegulationsListed(s.name, s.edition, s.digest, [*s.game.rules], f"{SETS}/{s.name}") for s in sets]
    )


@cache
def whole(name: str) -> RegulationsAnswer:
    """Return a shipped set, as `described`."""
    return msgspec.convert(described(load(name)), RegulationsAnswer)
