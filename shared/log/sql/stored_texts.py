"""The erasable texts in a service's database, as they are read."""

from collections.abc import Iterable
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Engine

from shared.log.port import Text
from shared.log.sql.tables import TEXTS


class DatabaseTexts:
    """Reads texts from a service's database."""

    reader: Engine

    def texts(self, hashes: Iterable[str]) -> dict[str, Text]:
        wanted: Any = list(set(hashes))
        chosen = "= ANY(%s)"
        if self.reader.dialect.name != "postgresql":
            wanted, chosen = msgspec.json.encode(wanted).decode(), "IN (SELECT value FROM json_each(?))"
        # One parameter for all of them: SQLAlchemy takes longer to write one each than the database to find the texts.
        # The engine executes it, and not `run`, since its listeners note damaged pages.
        statement = f"SELECT hash, salt, text, tournament FROM texts WHERE hash {chosen}"  # noqa: S608
        with self.reader.connect() as connection:
            return {row[0]: Text(*row) for row in connection.exec_driver_sql(statement, (wanted,))}

    def tournament_texts(self, tournament: str) -> list[Text]:
        chosen = sa.select(TEXTS).where(TEXTS.c.tournament == tournament).order_by(TEXTS.c.hash)
        with self.reader.connect() as connection:
            return [Text(r.hash, r.salt, r.text, r.tournament) for r in connection.execute(chosen)]
