"""The tables of invitations, sessions and guesses."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.log.invitations import GuessLimits, Invitation, Session, Tried
from shared.log.sql.statements import DatabaseTransaction, insert_new
from shared.log.sql.tables import GUESSES, INVITATIONS, SESSIONS
from shared.log.sql.transactions import translated_errors

_LOCK = ("invitations",)
"""Whoever counts and then writes does it alone."""


class DatabaseInvitations:
    """`shared.log.invitations.InvitationLog` in a service's database."""

    def __init__(
        self, reader: Engine, transaction: Callable[[Sequence[str]], AbstractContextManager[DatabaseTransaction]]
    ) -> None:
        self._reader, self._transaction = reader, transaction

    def invite(self, invitation: Invitation) -> bool:
        with self._transaction(_LOCK) as tx:
            _forget(tx.connection, invitation.made)
            if tx.connection.execute(sa.select(INVITATIONS.c.id).where(INVITATIONS.c.id == invitation.id)).first():
                return False
            tx.connection.execute(INVITATIONS.insert(), [invitation._asdict()])
            return True

    def waiting(self, tournament: str, now: int) -> list[Invitation]:
        chosen = sa.select(INVITATIONS).where(INVITATIONS.c.tournament == tournament, *_usable(now))
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

    def try_code(self, code: str, home: str, now: int, limits: GuessLimits) -> Tried:
        with self._transaction(_LOCK) as tx:
            wait = _wait(tx.connection, home, now, limits)
            if wait:
                return Tried(None, wait)
            row = tx.connection.execute(sa.select(INVITATIONS).where(INVITATIONS.c.code == code)).one_or_none()
            found = None if row is None else Invitation(*row)
            if found is None or (found.used is None and found.expires <= now):
                tx.connection.execute(sa.delete(GUESSES).where(GUESSES.c.at <= now - limits.seconds))
                tx.connection.execute(GUESSES.insert(), [{"home": home, "at": now}])
                found = None
            return Tried(found)

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
    """What has run out: invitations that nobody used, those whose session is over, sessions."""
    over = sa.and_(INVITATIONS.c.expires <= now, sa.or_(INVITATIONS.c.used.is_(None), INVITATIONS.c.until <= now))
    connection.execute(sa.delete(INVITATIONS).where(over))
    connection.execute(sa.delete(SESSIONS).where(SESSIONS.c.until <= now))


def _wait(connection: Connection, home: str, now: int, limits: GuessLimits) -> int:
    """Seconds until another code may be tried: until enough of the guesses are as old as the limits ask."""
    recent = sa.select(GUESSES.c.at).where(GUESSES.c.at > now - limits.seconds).order_by(GUESSES.c.at.desc())
    waits = [0]
    for chosen, limit in ((recent.where(GUESSES.c.home == home), limits.of_one), (recent, limits.of_all)):
        earliest = connection.execute(chosen.offset(limit - 1).limit(1)).scalar_one_or_none()
        if earliest is not None:
            waits.append(int(earliest) + limits.seconds - now)
    return max(waits)
