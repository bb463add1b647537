"""Why a part of the worker has halted, each part for itself."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "halted",
        sa.Column("part", sa.Text, primary_key=True),
        sa.Column("why", sa.Text, nullable=False),
    )
    op.drop_column("worker", "problem")
