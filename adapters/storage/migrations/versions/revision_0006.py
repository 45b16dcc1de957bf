"""Packs that people bring in, and what they have handed in and not confirmed yet."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0006"
down_revision: str | None = "0005"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "packs",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("reach", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_packs"),
    )
    op.create_index("ix_packs_owner", "packs", ["owner"])
    op.create_table(
        "parcels",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_parcels"),
    )
    op.create_index("ix_parcels_owner", "parcels", ["owner", "changed"])


def downgrade() -> None:
    """Drop the tables."""
    op.drop_table("parcels")
    op.drop_table("packs")
