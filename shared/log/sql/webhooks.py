"""The tables of webhooks."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

import sqlalchemy as sa
from sqlalchemy.engine import Engine

from shared.log.sql.statements import DatabaseTransaction
from shared.log.sql.tables import WEBHOOK_POSITIONS, WEBHOOKS
from shared.log.sql.transactions import translated_errors
from shared.log.sql.worker_state import tell
from shared.log.webhooks import Webhook

_LOCK = ("webhooks",)
"""Whoever counts and then writes does it alone."""
_FRESH = {"tries": 0, "due": 0, "failing": "", "seq": 0, "why": "", "stopped": 0}


class DatabaseWebhooks:
    """`shared.log.webhooks.WebhookLog` in a service's database."""

    def __init__(
        self, reader: Engine, transaction: Callable[[Sequence[str]], AbstractContextManager[DatabaseTransaction]]
    ) -> None:
        self._reader, self._transaction = reader, transaction
        self._watchers: list[Callable[[], None]] = []

    def watch(self, changed: Callable[[], None]) -> None:
        self._watchers.append(changed)

    def add(self, webhook: Webhook, sent: Mapping[str, int], at_most: int) -> str | None:
        with self._transaction(_LOCK) as tx:
            chosen = sa.select(WEBHOOKS.c.id, WEBHOOKS.c.url).where(WEBHOOKS.c.tournament == webhook.tournament)
            there = {row.id: row.url for row in tx.connection.execute(chosen)}
            if webhook.id in there:
                return "again"
            if webhook.url in there.values():
                return "there"
            if len(there) >= at_most:
                return "many"
            tx.connection.execute(WEBHOOKS.insert(), [webhook._asdict()])
            rows = [{"webhook": webhook.id, "tournament": t, "seq": seq} for t, seq in sent.items()]
            if rows:
                tx.connection.execute(WEBHOOK_POSITIONS.insert(), rows)
            tell(tx.connection)
        self._tell()
        return None

    def of(self, tournament: str) -> list[Webhook]:
        return self._read(sa.select(WEBHOOKS).where(WEBHOOKS.c.tournament == tournament))

    def every(self) -> list[Webhook]:
        return self._read(sa.select(WEBHOOKS))

    def _read(self, chosen: sa.Select[tuple[object, ...]]) -> list[Webhook]:
        with translated_errors(), self._reader.connect() as connection:
            rows = connection.execute(chosen.order_by(WEBHOOKS.c.made, WEBHOOKS.c.id))
            return [Webhook(**row) for row in rows.mappings()]

    def sent(self, id: str) -> dict[str, int]:
        chosen = sa.select(WEBHOOK_POSITIONS.c.tournament, WEBHOOK_POSITIONS.c.seq)
        with translated_errors(), self._reader.connect() as connection:
            rows = connection.execute(chosen.where(WEBHOOK_POSITIONS.c.webhook == id))
            return {row.tournament: row.seq for row in rows}

    def remove(self, tournament: str, id: str) -> bool:
        with self._transaction(_LOCK) as tx:
            if tx.connection.execute(sa.delete(WEBHOOKS).where(*_named(tournament, id))).rowcount != 1:
                return False
            tx.connection.execute(sa.delete(WEBHOOK_POSITIONS).where(WEBHOOK_POSITIONS.c.webhook == id))
            tx.erased.add(WEBHOOKS)
            return True

    def resume(self, tournament: str, id: str) -> bool:
        changed = sa.update(WEBHOOKS).where(*_named(tournament, id)).values(tries=0, due=0, stopped=0)
        with self._transaction(_LOCK) as tx:
            found = tx.connection.execute(changed).rowcount == 1
            tell(tx.connection)
        self._tell()
        return found

    def _tell(self) -> None:
        """Wake who sends in this process; another that shares a PostgreSQL hears of it by NOTIFY."""
        for changed in self._watchers:
            changed()

    def taken(self, id: str, tournament: str, seq: int) -> bool:
        where = WEBHOOK_POSITIONS.c.webhook == id, WEBHOOK_POSITIONS.c.tournament == tournament
        with self._transaction(_LOCK) as tx:
            if tx.connection.execute(sa.update(WEBHOOKS).where(WEBHOOKS.c.id == id).values(_FRESH)).rowcount != 1:
                return False
            if tx.connection.execute(sa.update(WEBHOOK_POSITIONS).where(*where).values(seq=seq)).rowcount != 1:
                tx.connection.execute(
                    WEBHOOK_POSITIONS.insert(), [{"webhook": id, "tournament": tournament, "seq": seq}]
                )
            return True

    def failed(self, webhook: Webhook) -> None:
        said = {name: getattr(webhook, name) for name in _FRESH}
        with self._transaction(_LOCK) as tx:
            tx.connection.execute(sa.update(WEBHOOKS).where(WEBHOOKS.c.id == webhook.id).values(said))


def _named(tournament: str, id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return WEBHOOKS.c.tournament == tournament, WEBHOOKS.c.id == id
