"""The usual holders of offices in tests: each is called like his office, and appointed by the announcement itself."""

from typing import Any

from shared.core.events import OfficialAppointed
from shared.core.terms import OFFICES, Actor

ANNOUNCEMENTS = "/v1/tournaments"
USUAL: tuple[dict[str, str], ...] = tuple({"name": role, "role": role} for role in OFFICES)
"""The officials of an announcement's body."""


def with_officials(method: str, path: str, body: Any, officials: Any = USUAL) -> Any:
    """The body of a request; of an announcement that says nothing of officials, with these."""
    if method != "POST" or path.partition("?")[0] != ANNOUNCEMENTS or not isinstance(body, dict) or "officials" in body:
        return body
    return body | {"officials": list(officials)}


def everywhere(*names: str) -> list[dict[str, str]]:
    """Each of these persons in every office."""
    return [{"name": name, "role": role} for name in names for role in OFFICES]


def appointing(*actors: Actor) -> tuple[OfficialAppointed, ...]:
    """The officials of an announcing command: these, in the offices that they act in."""
    return tuple(OfficialAppointed(actor.name, actor.role) for actor in actors)


def holder(role: str, body: Any) -> str:
    """The handle of who speaks where a test names nobody: his office's, and a player's the number of his entry; of the
    first board's players the one of the side that is spoken for."""
    if role != "player":
        return role
    return "2" if isinstance(body, dict) and body.get("side") == "black" else "1"
