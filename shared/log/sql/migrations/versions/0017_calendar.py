"""The calendar of tournaments."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, ORDERED_TEXT, required

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "calendar",
        sa.Column("tournament", ORDERED_TEXT, primary_key=True),
        *required(NUMBER, "seq", "version"),
        *required(sa.Text, "state", "game"),
        *required(ORDERED_TEXT, "first_day"),
        *required(sa.Text, "last_day", "current_until"),
        *required(NUMBER, "dated"),
        *required(sa.Text, "venue", "words"),
        *required(NUMBER, "stopped", "open_boards"),
        *required(sa.Text, "changed", "uid"),
        *required(sa.LargeBinary, "content"),
    )
    op.create_index("calendar_days", "calendar", ["first_day", "tournament"])
