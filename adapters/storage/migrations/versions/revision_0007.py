"""Corrections of keys, and the challenges that lead to them; responses are found by their item."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0007"
down_revision: str | None = "0006"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make both tables and the index."""
    op.create_table(
        "corrections",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("stamp", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("pack", "item", "room", "marks", "was", "decider")
        ),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("undone", sa.Boolean(), nullable=False),
        sa.Column("effect", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_corrections"),
    )
    op.create_index("ix_corrections_stamp", "corrections", ["stamp"])
    op.create_table(
        "challenges",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        *(
            sa.Column(name, sa.String(), nullable=False)
            for name in ("participant", "room", "pack", "item", "reason")
        ),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("decider", sa.String(), nullable=False),
        sa.Column("decided", sa.BigInteger()),
        sa.Column("correction", sa.Integer(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("session", "turn", "participant", name="pk_challenges"),
    )
    op.create_index("ix_challenges_participant", "challenges", ["participant"])
    op.create_index("ix_challenges_state", "challenges", ["state", "room"])
    op.create_index("ix_responses_item", "responses", ["pack", "item"])


def downgrade() -> None:
    """Drop them."""
    op.drop_index("ix_responses_item", "responses")
    op.drop_table("challenges")
    op.drop_table("corrections")
