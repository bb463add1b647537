"""What a service apart from the log keeps: roots, topics and keys of records, positions, its worker's sign of life."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    # Nothing but tests ever wrote to these four.
    for table in ("stopped", "positions", "outbox", "ledger"):
        op.drop_table(table)
    op.create_table(
        "ledger",
        sa.Column("pos", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("sourceseq", NUMBER, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        *required(sa.LargeBinary, "line", "root"),
        sa.UniqueConstraint("stream", "seq", name="ledger_seq"),
        sa.UniqueConstraint("source", "stream", "sourceseq", name="ledger_sourceseq"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "outbox",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        *required(sa.Text, "topic", "key"),
        sa.Column("record", sa.LargeBinary),
        sa.Column("at", sa.Float, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "positions",
        sa.Column("reader", sa.Text, primary_key=True),
        sa.Column("topic", sa.Text, primary_key=True),
        sa.Column("partition", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("topicid", sa.Text, nullable=False),
        sa.Column("next", NUMBER, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        *required(NUMBER, "ledger", "strangers"),
    )
    op.create_table(
        "stopped",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("resumed", NUMBER, nullable=False),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        *required(NUMBER, "asked", "answered", "beat"),
        sa.Column("at", sa.Float, nullable=False),
        sa.Column("problem", sa.Text, nullable=False),
    )
    op.execute("INSERT INTO worker (id, asked, answered, beat, at, problem) VALUES (1, 0, 0, 0, 0, '')")


def downgrade() -> None:
    raise NotImplementedError("the tables of an older version cannot hold what these do")
