"""Dailies: the question of the day of each room."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0008"
down_revision: str | None = "0007"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "dailies",
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("days", sa.String(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("starter", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("last", sa.String()),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("next_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("room", name="pk_dailies"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_dailies_room"),
    )
    op.create_index("ix_dailies_next_at", "dailies", ["next_at"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("dailies")
