"""The table of revoked tokens: rows are added, and none is taken away."""

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared.log.port import RevokedRow
from shared.log.sql.tables import REVOKED
from shared.log.sql.transactions import translated_errors


def latest(connection: Connection, key: str) -> RevokedRow | None:
    """The last one under a key."""
    chosen = sa.select(REVOKED.c.key, REVOKED.c.at, REVOKED.c.record).where(REVOKED.c.key == key)
    row = connection.execute(chosen.order_by(REVOKED.c.at.desc()).limit(1)).one_or_none()
    return None if row is None else RevokedRow(*row)


def standing(connection: Connection) -> dict[str, RevokedRow]:
    """Key -> the last one under it."""
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
        """The records of all that is revoked."""
        with translated_errors(), self.reader.connect() as connection:
            return [row.record for row in standing(connection).values()]

    def revocations(self) -> int:
        """How many there are: only grows, so that whoever looks sees whether there are more."""
        with translated_errors(), self.reader.connect() as connection:
            return int(connection.exec_driver_sql("SELECT count(*) FROM revoked").scalar_one())
