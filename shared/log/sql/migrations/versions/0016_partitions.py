"""The owner of each partition, the partition of each event in the ledger, and that of each record in the outbox.

Processes of the version before leave the new columns out: their events get partition -1, their records NULL.
"""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.create_table(
        "owners",
        sa.Column("partition", sa.Integer, primary_key=True, autoincrement=False),
        *required(sa.Text, "member"),
        *required(NUMBER, "epoch", "generation", "beat", "answered"),
        sa.Column("until", sa.Float, nullable=False),
    )
    op.add_column("ledger", sa.Column("partition", sa.Integer, nullable=False, server_default="-1"))
    op.create_index("ledger_partition", "ledger", ["partition", "pos"])
    op.add_column("outbox", sa.Column("partition", sa.Integer))
