"""The trace of the request that a record in the outbox belongs to."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.add_column("outbox", sa.Column("traceparent", sa.Text))
