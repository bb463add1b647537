"""Webhooks: those that are not taken, and those that wait to be resumed."""

from collections.abc import Iterator
from datetime import UTC, datetime
from urllib.parse import urlsplit

import sqlalchemy as sa

from deploy.cli.doctor.finding import Finding
from deploy.cli.terminal.output import counted
from shared.core.language.messages import say
from shared.log.distributed import DistributedLog
from shared.log.sql.tables import WEBHOOKS
from shared.log.sqlite import SqliteLog
from shared.log.webhooks import Webhook


def look_at_webhooks(log: SqliteLog | DistributedLog) -> Iterator[Finding]:
    """Nothing where none is registered, or the database is of a version that has none. Of an address only the host is told."""
    if not sa.inspect(log.reader).has_table(WEBHOOKS.name):
        return
    hooks = log.webhooks.every()
    if hooks:
        yield Finding(
            say("webhooks"),
            counted(len(hooks), say("1 is registered"), say("{count} are registered", count=len(hooks))),
        )
    for hook in hooks:
        if hook.tries:
            yield _in_vain(hook)


def _in_vain(hook: Webhook) -> Finding:
    what = say("webhook {id}", id=hook.id)
    facts: dict[str, str | int] = {
        "host": urlsplit(hook.url).hostname or "",
        "seq": hook.seq,
        "t": hook.failing,
        "why": hook.why,
    }
    if not hook.stopped:
        due = f"{datetime.fromtimestamp(hook.due, UTC):%Y-%m-%d %H:%M}"
        state = say(
            "{host} did not accept event {seq} of {t} ({why}); the next attempt is at {due} UTC", due=due, **facts
        )
        return Finding(what, state)
    path = f"/v1/tournaments/{hook.tournament}" if hook.tournament else "/v1"
    state = say("{host} did not accept event {seq} of {t} ({why}); delivery has stopped", **facts)
    remedy = say(
        "make sure that the receiver accepts it, then send POST {path}", path=f"{path}/webhooks/{hook.id}/resume"
    )
    return Finding(what, state, remedy)
