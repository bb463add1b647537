"""Tokens that were taken back before their time."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "revoked",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("at", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
    )
