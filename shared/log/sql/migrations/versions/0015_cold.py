"""Cold storage of finished tournaments."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "cold",
        sa.Column("stream", sa.Text, primary_key=True),
        *required(sa.Text, "tournament", "digest"),
        *required(NUMBER, "size"),
        *required(sa.LargeBinary, "content"),
    )
    op.create_index("cold_tournament", "cold", ["tournament"])
