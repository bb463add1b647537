"""Addresses that lines of the log are sent to, and up to which line each has had."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Text, primary_key=True),
        *required(sa.Text, "tournament", "url", "secret", "by"),
        *required(NUMBER, "made", "tries", "due"),
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
