"""Alembic's environment: the connection is handed over by `shared.log.sql.migration`."""

from alembic import context

from shared.log.sql.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    version_table=context.config.attributes.get("version_table", "alembic_version"),
)
with context.begin_transaction():
    context.run_migrations()
