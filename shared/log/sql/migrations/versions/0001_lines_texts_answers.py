"""Lines, outbox, texts and kept answers."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import line_columns, required

revision = "0001"
down_revision = None


def _lines(name: str, *constraints: sa.UniqueConstraint) -> None:
    op.create_table(
        name,
        *line_columns(),
        *constraints,
        sqlite_autoincrement=True,
    )


def upgrade() -> None:
    _lines(
        "events",
        sa.UniqueConstraint("source", "stream", "sourceseq", name="events_sourceseq"),
        sa.UniqueConstraint("command", "n", name="events_command"),
    )
    op.create_index("events_seq", "events", ["stream", "seq"])
    _lines("ledger", sa.UniqueConstraint("stream", "seq", name="ledger_seq"))
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "texts",
        sa.Column("hash", sa.Text, primary_key=True),
        *required(sa.Text, "salt", "text", "tournament"),
    )
    op.create_index("ix_texts_tournament", "texts", ["tournament"])
    op.create_table("erased", sa.Column("hash", sa.Text, primary_key=True))
    op.create_table(
        "kept",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
    )
    op.create_table(
        "positions",
        sa.Column("topic", sa.Text, primary_key=True),
        sa.Column("next", sa.Integer, nullable=False),
    )
    op.create_table(
        "stopped",
        sa.Column("stream", sa.Text, primary_key=True),
        sa.Column("why", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for table in ("stopped", "positions", "kept", "erased", "texts", "outbox", "ledger", "events"):
        op.drop_table(table)
