"""The score sheets that standings follows, where games is a service apart."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import line_columns

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "sheets",
        *line_columns(),
        sa.UniqueConstraint("source", "stream", "sourceseq", name="sheets_sourceseq"),
        sqlite_autoincrement=True,
    )
