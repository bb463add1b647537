"""Numbers of records, what was found in the topics, and what became of own events that no ledger holds."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("number", NUMBER, nullable=True))
    op.create_table(
        "numbers",
        sa.Column("reader", sa.Text, primary_key=True),
        sa.Column("source", sa.Text, primary_key=True),
        sa.Column("topic", sa.Text, primary_key=True),
        sa.Column("partition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", NUMBER, nullable=False),
    )
    op.create_table(
        "findings",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("partition", sa.Integer, nullable=False),
        sa.Column("place", NUMBER, nullable=False),
        *required(sa.Text, "kind", "source", "what"),
        *required(NUMBER, "first", "last", "records"),
        sa.Column("found", sa.Float, nullable=False),
        sa.Column("acknowledged", sa.Float, nullable=True),
        sa.Column("by", sa.Text, nullable=True),
        sa.Column("reason", sa.Text, nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "settled",
        sa.Column("command", sa.Text, primary_key=True),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("successor", sa.Text, nullable=True),
        sa.Column("at", sa.Float, nullable=False),
        *required(sa.Text, "by", "reason"),
    )
    op.execute(
        "INSERT INTO findings (topic, partition, place, kind, source, what, first, last, records, found) "
        "SELECT topic, partition, next, 'stranger', '', 'records that are no lines, read by an earlier version', "
        "0, 0, strangers, 0 FROM positions WHERE strangers > 0"
    )
