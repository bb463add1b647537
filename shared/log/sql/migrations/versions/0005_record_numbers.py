"""Numbers of records, what was found in the topics, and what became of own events that no ledger holds."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


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
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("first", NUMBER, nullable=False),
        sa.Column("last", NUMBER, nullable=False),
        sa.Column("records", NUMBER, nullable=False),
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
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.execute(
        "INSERT INTO findings (topic, partition, place, kind, source, what, first, last, records, found) "
        "SELECT topic, partition, next, 'stranger', '', 'records that are no lines, read by an earlier version', "
        "0, 0, strangers, 0 FROM positions WHERE strangers > 0"
    )
