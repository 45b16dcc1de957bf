"""Reminders: who wants to be told once a day that something is due, and where."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0005"
down_revision: str | None = "0004"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "reminders",
        sa.Column("participant", sa.String(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("zone", sa.String(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("sent", sa.BigInteger()),
        sa.Column("ignored", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("participant", name="pk_reminders"),
    )
    op.create_index("ix_reminders_due", "reminders", ["due"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("reminders")
