"""Databases as older versions of Arbiter left them."""

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from shared.log.sql.schema import MIGRATIONS


def upgraded(url: str, revision: str) -> None:
    """Bring an empty database to the migration that was the newest of its version."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()
