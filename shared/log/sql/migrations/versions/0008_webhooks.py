"""Addresses that lines of the log are sent to, and up to which line each has had."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("tournament", sa.Text, nullable=False),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("made", NUMBER, nullable=False),
        sa.Column("tries", NUMBER, nullable=False),
        sa.Column("due", NUMBER, nullable=False),
        sa.Column("failing", sa.Text, nullable=False),
        sa.Column("seq", NUMBER, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("stopped", NUMBER, nullable=False),
        sa.UniqueConstraint("tournament", "url", name="webhooks_url"),
    )
    op.create_table(
        "webhook_positions",
        sa.Column("webhook", sa.Text, primary_key=True),
        sa.Column("tournament", sa.Text, primary_key=True),
        sa.Column("seq", NUMBER, nullable=False),
    )
