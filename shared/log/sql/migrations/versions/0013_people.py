"""The projection of people across tournaments."""

import sqlalchemy as sa
from alembic import op

from shared.log.sql.columns import NUMBER, required

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_table(
        "people_tournaments",
        sa.Column("tournament", sa.Text, primary_key=True),
        *required(NUMBER, "seq", "version"),
        *required(sa.Text, "name", "game", "begins"),
    )
    op.create_table(
        "people_entries",
        sa.Column("tournament", sa.Text, primary_key=True),
        sa.Column("player", NUMBER, primary_key=True, autoincrement=False),
        *required(sa.Text, "person", "identifier", "name"),
        sa.Column("rating", NUMBER),
        sa.Column("title", sa.Text),
        sa.Column("federation", sa.Text),
        sa.Column("rank", NUMBER),
        sa.Column("points", NUMBER),
        sa.Column("events", sa.Text, nullable=False),
    )
    op.create_index("people_entries_person", "people_entries", ["person"])
    op.create_table(
        "people_results",
        sa.Column("tournament", sa.Text, primary_key=True),
        sa.Column("player", NUMBER, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, primary_key=True),
        *required(NUMBER, "round", "opponent"),
        *required(sa.Text, "opponent_name", "side", "result"),
        *required(NUMBER, "won"),
        *required(sa.Text, "events"),
    )
    op.create_table(
        "people",
        sa.Column("person", sa.Text, primary_key=True),
        *required(NUMBER, "first", "second", "third", "tournaments"),
    )
    op.create_index("people_order", "people", ["first", "second", "third"])
    op.create_table(
        "people_salt",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("salt", sa.Text, nullable=False),
    )
