"""Where a log begins: a service whose database is empty fills it from the topic, and where that is empty too, it begins a new
log beside its keys only where somebody lets it."""

from typing import Protocol

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import say
from shared.core.terms import Source, service_of
from shared.log.sql.tables import EVENTS, LEDGER
from shared.log.sql.worker_state import Mendable


class Permit(Protocol):
    """Whether a service may begin a log with the keys that it has: they are new, or an operator says so."""

    def given(self) -> bool: ...

    def spend(self) -> None:
        """The log has begun: the next one needs another permit."""


def check(connection: Connection, source: Source, records: int, permit: Permit) -> None:
    """``records``: how many were ever in the topic of the log.

    Raises `Mendable` where database and topic are empty and the permit is not given; where they are not, it is spent.
    """
    if records or any(connection.execute(sa.select(table.c.pos).limit(1)).first() for table in (EVENTS, LEDGER)):
        permit.spend()
    elif not permit.given():
        raise Mendable(
            say(
                "the keys of {service} are not new, and what they signed is gone: its database and the topic of the "
                "log are empty; put the backups of the databases back, or begin another log with `arbiter keys --new-log`",
                service=service_of(source),
            )
        )
