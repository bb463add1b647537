"""National IDs and consent in the projection of people."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    for name in ("fide_id", "national_id", "fide_person", "national_person"):
        op.add_column("people_entries", sa.Column(name, sa.Text))
    op.add_column("people_entries", sa.Column("public", NUMBER, nullable=False, server_default="0"))
    op.create_index("people_entries_national", "people_entries", ["national_person"])
    op.create_table(
        "people_public",
        sa.Column("person", sa.Text, primary_key=True),
        *required(NUMBER, "first", "second", "third", "tournaments"),
    )
    op.create_index("people_public_order", "people_public", ["first", "second", "third"])
