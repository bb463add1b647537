"""The numbers of records that wait for Kafka: one row for all that are sent together, where each wide row was written again."""

import json

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    table = op.create_table(
        "outbox_numbers",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("given", sa.Text, nullable=False),
        sqlite_autoincrement=True,
    )
    given = op.get_bind().execute(sa.text("SELECT id, number FROM outbox WHERE number IS NOT NULL ORDER BY id")).all()
    if given:
        op.bulk_insert(table, [{"given": json.dumps({str(id): number for id, number in given})}])
    op.drop_column("outbox", "number")
