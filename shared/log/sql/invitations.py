"""The tables of invitations, of revoked tokens and of webhooks."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.log.invitations import GuessLimits, Invitation, Session, Tried
from shared.log.port import RevokedRow
from shared.log.sql.statements import DatabaseTransaction, insert_new
from shared.log.sql.tables import GUESSES, INVITATIONS, REVOKED, SESSIONS, WEBHOOK_POSITIONS, WEBHOOKS
from shared.log.sql.transactions import translated_errors
from shared.log.sql.worker_state import tell
from shared.log.webhooks import Webhook

_LOCK = ("invitations",)
"""Whoever counts and then writes does it alone."""
_IS_TOKEN = INVITATIONS.c.code == INVITATIONS.c.id
"""An integration token. Its row is kept: it shows that a request was carried out, and that the login name is a program's."""


class DatabaseInvitations:
    """`shared.log.invitations.InvitationLog` in a service's database."""

    def __init__(
        self, reader: Engine, transaction: Callable[[Sequence[str]], AbstractContextManager[DatabaseTransaction]]
    ) -> None:
        self._reader, self._transaction = reader, transaction

    def invite(self, *invitations: Invitation) -> bool:
        known = sa.select(INVITATIONS.c.id).where(INVITATIONS.c.id.in_([one.id for one in invitations]))
        with self._transaction(_LOCK) as tx:
            _forget(tx.connection, min(one.made for one in invitations))
            if tx.connection.execute(known).first():
                return False
            tx.connection.execute(INVITATIONS.insert(), [one._asdict() for one in invitations])
            return True

    def waiting(self, tournament: str, now: int) -> list[Invitation]:
        return self._of(tournament, *_usable(now))

    def integration_tokens(self, tournament: str) -> list[Invitation]:
        return self._of(tournament, _IS_TOKEN)

    def _of(self, tournament: str, *which: sa.ColumnElement[bool]) -> list[Invitation]:
        chosen = sa.select(INVITATIONS).where(INVITATIONS.c.tournament == tournament, *which)
        with translated_errors(), self._reader.connect() as connection:
            return [Invitation(*row) for row in connection.execute(chosen.order_by(INVITATIONS.c.made))]

    def withdraw(self, tournament: str, id: str) -> bool:
        unused = INVITATIONS.c.tournament == tournament, INVITATIONS.c.id == id, INVITATIONS.c.used.is_(None)
        with self._transaction(_LOCK) as tx:
            return tx.connection.execute(sa.delete(INVITATIONS).where(*unused)).rowcount == 1

    def withdraw_all(self, tournament: str, name: str) -> None:
        unused = INVITATIONS.c.tournament == tournament, INVITATIONS.c.name == name, INVITATIONS.c.used.is_(None)
        with self._transaction(_LOCK) as tx:
            tx.connection.execute(sa.delete(INVITATIONS).where(*unused))

    def withdraw_role(self, tournament: str, role: str, kept: Sequence[str]) -> None:
        unused = INVITATIONS.c.tournament == tournament, INVITATIONS.c.role == role, INVITATIONS.c.used.is_(None)
        with self._transaction(_LOCK) as tx:
            tx.connection.execute(sa.delete(INVITATIONS).where(*unused, INVITATIONS.c.id.not_in(kept)))

    def try_code(self, code: str, home: str, now: int, limits: GuessLimits) -> Tried:
        with translated_errors(), self._reader.connect() as connection:
            row = connection.execute(sa.select(INVITATIONS).where(INVITATIONS.c.code == code)).one_or_none()
            found = None if row is None else Invitation(*row)
            if found is not None and (found.used is not None or found.expires > now):
                return Tried(found)
            if wait := _wait(
                connection, home, now, limits
            ):  # asked here too: a flood of guesses must not take the lock
                return Tried(None, wait)
        with self._transaction(_LOCK) as tx:
            if wait := _wait(tx.connection, home, now, limits):
                return Tried(None, wait)
            tx.connection.execute(sa.delete(GUESSES).where(GUESSES.c.at <= now - limits.seconds))
            tx.connection.execute(GUESSES.insert(), [{"home": home, "at": now}])
            return Tried(None)

    def use(self, id: str, session: Session) -> bool:
        with self._transaction(_LOCK) as tx:
            chosen = sa.update(INVITATIONS).where(INVITATIONS.c.id == id, *_usable(session.since))
            if tx.connection.execute(chosen.values(used=session.since)).rowcount != 1:
                return False
            tx.connection.execute(SESSIONS.insert(), [session._asdict()])
            return True

    def keep_session(self, session: Session) -> None:
        with self._transaction(()) as tx:
            insert_new(tx.connection, SESSIONS, [session._asdict()])

    def sessions(self, tournament: str, now: int) -> list[Session]:
        here = sa.or_(SESSIONS.c.tournament == tournament, SESSIONS.c.tournament.is_(None))
        chosen = sa.select(SESSIONS).where(here, SESSIONS.c.until > now).order_by(SESSIONS.c.since)
        with translated_errors(), self._reader.connect() as connection:
            return [Session(*row) for row in connection.execute(chosen)]


def _usable(now: int) -> tuple[sa.ColumnElement[bool], ...]:
    return INVITATIONS.c.used.is_(None), INVITATIONS.c.expires > now


def _forget(connection: Connection, now: int) -> None:
    """Delete expired rows: unused invitations, invitations whose session is over, and sessions."""
    unused_or_over = sa.or_(INVITATIONS.c.used.is_(None), INVITATIONS.c.until <= now)
    over = sa.and_(INVITATIONS.c.expires <= now, unused_or_over, ~_IS_TOKEN)
    connection.execute(sa.delete(INVITATIONS).where(over))
    connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.until <= now))


def _wait(connection: Connection, home: str, now: int, limits: GuessLimits) -> int:
    """Return the seconds until an address may try another invalid code; 0 is now."""
    recent = sa.select(GUESSES.c.at).where(GUESSES.c.at > now - limits.seconds, GUESSES.c.home == home)
    earliest = connection.execute(
        recent.order_by(GUESSES.c.at.desc()).offset(limits.guesses - 1).limit(1)
    ).scalar_one_or_none()
    return 0 if earliest is None else int(earliest) + limits.seconds - now


def latest(connection: Connection, key: str) -> RevokedRow | None:
    """Return the last revocation under a key."""
    chosen = sa.select(REVOKED.c.key, REVOKED.c.at, REVOKED.c.record).where(REVOKED.c.key == key)
    row = connection.execute(chosen.order_by(REVOKED.c.at.desc()).limit(1)).one_or_none()
    return None if row is None else RevokedRow(*row)


def standing(connection: Connection) -> dict[str, RevokedRow]:
    """Return key -> the last revocation under it."""
    chosen = sa.select(REVOKED.c.key, REVOKED.c.at, REVOKED.c.record).order_by(REVOKED.c.at)
    return {row.key: RevokedRow(*row) for row in connection.execute(chosen)}


def sign_again(connection: Connection, row: RevokedRow) -> None:
    """Put another record in the place of the one of this key and time."""
    same = sa.update(REVOKED).where(REVOKED.c.key == row.key, REVOKED.c.at == row.at)
    connection.execute(same.values(record=row.record))


class DatabaseRevocations:
    """Reading them from a service's database."""

    reader: Engine

    def revoked(self) -> list[bytes]:
        """Return the records of all revocations in force."""
        with translated_errors(), self.reader.connect() as connection:
            return [row.record for row in standing(connection).values()]

    def revocations(self) -> int:
        """How many there are: only grows, so that whoever looks sees whether there are more."""
        with translated_errors(), self.reader.connect() as connection:
            return int(connection.exec_driver_sql("SELECT count(*) FROM revoked").scalar_one())


_WEBHOOKS_LOCK = ("webhooks",)
"""Transactions that count webhooks and then write run one after another."""
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
        with self._transaction(_WEBHOOKS_LOCK) as tx:
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
        with self._transaction(_WEBHOOKS_LOCK) as tx:
            if tx.connection.execute(sa.delete(WEBHOOKS).where(*_named(tournament, id))).rowcount != 1:
                return False
            tx.connection.execute(sa.delete(WEBHOOK_POSITIONS).where(WEBHOOK_POSITIONS.c.webhook == id))
            tx.erased.add(WEBHOOKS)
            return True

    def resume(self, tournament: str, id: str) -> bool:
        changed = sa.update(WEBHOOKS).where(*_named(tournament, id)).values(tries=0, due=0, stopped=0)
        with self._transaction(_WEBHOOKS_LOCK) as tx:
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
        with self._transaction(_WEBHOOKS_LOCK) as tx:
            if tx.connection.execute(sa.update(WEBHOOKS).where(WEBHOOKS.c.id == id).values(_FRESH)).rowcount != 1:
                return False
            if tx.connection.execute(sa.update(WEBHOOK_POSITIONS).where(*where).values(seq=seq)).rowcount != 1:
                tx.connection.execute(
                    WEBHOOK_POSITIONS.insert(), [{"webhook": id, "tournament": tournament, "seq": seq}]
                )
            return True

    def failed(self, webhook: Webhook) -> None:
        said = {name: getattr(webhook, name) for name in _FRESH}
        with self._transaction(_WEBHOOKS_LOCK) as tx:
            tx.connection.execute(sa.update(WEBHOOKS).where(WEBHOOKS.c.id == webhook.id).values(said))


def _named(tournament: str, id: str) -> tuple[sa.ColumnElement[bool], ...]:
    return WEBHOOKS.c.tournament == tournament, WEBHOOKS.c.id == id
