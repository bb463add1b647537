"""The events of a score sheet: only games writes them, and only games applies them."""

from typing import Any

from shared.core import events as ev
from shared.core.event_types.event_type import EventType, unchanged
from shared.core.state.grounds import AS_WRITTEN
from shared.core.terms import GAMES


def _without_grounds(data: dict[str, Any]) -> dict[str, Any]:
    """Add empty grounds: this version did not store them."""
    return data | {"grounds": ""}


def _with_codes(data: dict[str, Any]) -> dict[str, Any]:
    """Turn the grounds, one sentence in this version, into a ground with a code."""
    text = data["grounds"]
    return data | {"grounds": [{"code": AS_WRITTEN, "facts": {"text": text}}] if text else []}


EVENT_TYPES = (
    EventType("arbiter.move.played.v1", ev.MovePlayed, GAMES),
    EventType("arbiter.offer.made.v1", ev.OfferMade, GAMES),
    EventType("arbiter.claim.made.v4", ev.ClaimMade, GAMES, upcasters=(unchanged, unchanged, unchanged)),
    EventType("arbiter.claim.decided.v4", ev.ClaimDecided, GAMES, upcasters=(_without_grounds, unchanged, _with_codes)),
    EventType("arbiter.moves.taken-back.v2", ev.MovesTakenBack, GAMES, upcasters=(unchanged,)),
    EventType("arbiter.step.taken.v1", ev.StepTaken, GAMES),
    EventType("arbiter.file.read.v1", ev.FileRead, GAMES),
)
