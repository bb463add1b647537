"""The score sheets that standings follows, where games is a service apart."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "sheets",
        sa.Column("pos", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("stream", sa.Text, nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("sourceseq", NUMBER, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.UniqueConstraint("source", "stream", "sourceseq", name="sheets_sourceseq"),
        sqlite_autoincrement=True,
    )
