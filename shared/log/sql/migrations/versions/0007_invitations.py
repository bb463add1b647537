"""Invitations to a session, the sessions that are open, and the codes that were tried in vain."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("tournament", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("first", NUMBER),
        sa.Column("last", NUMBER),
        sa.Column("inviter", sa.Text, nullable=False),
        sa.Column("inviterrole", sa.Text, nullable=False),
        sa.Column("invitertoken", sa.Text),
        sa.Column("made", NUMBER, nullable=False),
        sa.Column("expires", NUMBER, nullable=False),
        sa.Column("until", NUMBER, nullable=False),
        sa.Column("used", NUMBER),
        sa.UniqueConstraint("code", name="invitations_code"),
    )
    op.create_index("invitations_tournament", "invitations", ["tournament"])
    op.create_table(
        "sessions",
        sa.Column("jti", sa.Text, primary_key=True),
        sa.Column("tournament", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("role", sa.Text, nullable=False),
        sa.Column("first", NUMBER),
        sa.Column("last", NUMBER),
        sa.Column("issued", NUMBER, nullable=False),
        sa.Column("since", NUMBER, nullable=False),
        sa.Column("until", NUMBER, nullable=False),
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
