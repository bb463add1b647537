"""Invitations to a session, the sessions that are open, and the codes that were tried in vain."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text, primary_key=True),
        *required(sa.Text, "code", "tournament", "name", "role"),
        sa.Column("first", NUMBER),
        sa.Column("last", NUMBER),
        *required(sa.Text, "inviter", "inviterrole"),
        sa.Column("invitertoken", sa.Text),
        *required(NUMBER, "made", "expires", "until"),
        sa.Column("used", NUMBER),
        sa.UniqueConstraint("code", name="invitations_code"),
    )
    op.create_index("invitations_tournament", "invitations", ["tournament"])
    op.create_table(
        "sessions",
        sa.Column("jti", sa.Text, primary_key=True),
        sa.Column("tournament", sa.Text),
        *required(sa.Text, "name", "role"),
        sa.Column("first", NUMBER),
        sa.Column("last", NUMBER),
        *required(NUMBER, "issued", "since", "until"),
        sa.Column("inviter", sa.Text),
    )
    op.create_index("sessions_tournament", "sessions", ["tournament"])
    op.create_table(
        "guesses",
        sa.Column("id", NUMBER, primary_key=True, autoincrement=True),
        sa.Column("home", sa.Text, nullable=False),
        sa.Column("at", NUMBER, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("guesses_at", "guesses", ["at"])
