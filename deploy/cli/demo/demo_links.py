"""The links of ``arbiter demo --serve``: a spectator, the chief arbiter, the appeals committee and a player."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from deploy.cli.demo.demo_story import HOLDERS
from deploy.cli.invitations import invitation_path
from shared.client import Client
from shared.core.language.messages import Message, say
from shared.core.terms import Role

_DAYS = 1
"""Days that a session of the demo lasts."""


class Appeal(NamedTuple):
    """The appeal of the running event: its id, its player and whether the committee has yet to decide it."""

    id: str
    by: int
    waits: bool


class Links(NamedTuple):
    """The paths of the four links, and the ``appeal`` that waits or was decided."""

    tournament: str
    chief: str
    appeals: str
    player: str
    appeal: Appeal


def find_appeal(callers: Mapping[Role, Client], tournament: str) -> Appeal:
    """Return the appeal of the running event."""
    appeal = callers["chief_arbiter"].get(f"/v1/tournaments/{tournament}/appeals").json["appeals"][0]
    return Appeal(appeal["appeal"], appeal["by"], appeal["upheld"] is None)


def make_links(data: Path, tournament: str, appeal: Appeal) -> Links:
    """Invite the chief arbiter, the appeals committee and the player who appealed."""
    from deploy.server.embedded import open_log, service_keys

    handles = {role: name for name, role in HOLDERS}
    log = open_log(data)
    try:
        keys = service_keys(data)

        def invite(role: Role, name: str) -> str:
            return invitation_path(log, keys, tournament, role, name, None, _DAYS)

        chief, appeals = invite("chief_arbiter", handles["chief_arbiter"]), invite("appeals", handles["appeals"])
        return Links(f"/t/{tournament}", chief, appeals, invite("player", str(appeal.by)), appeal)
    finally:
        log.close()


def describe(links: Links, address: str) -> Iterator[Message]:
    """Yield the links of a server at ``address``, a line each."""
    yield say("A second tournament is in progress, in its second round:")
    yield say("  Spectator: {link}", link=address + links.tournament)
    yield say("  Chief arbiter: {link}", link=address + links.chief)
    yield say("  Appeals committee: {link}", link=address + links.appeals)
    if links.appeal.waits:
        yield say(
            "    Appeal {appeal} is waiting for a decision: uphold it, and the standings change.",
            appeal=links.appeal.id,
        )
    yield say("  Player {number}: {link}", number=links.appeal.by, link=address + links.player)
    yield say("A login link works once, within 30 minutes. A browser holds one login: the newest link replaces it.")
