"""One person on several platforms: who is linked with whom, and the codes for it."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0004"
down_revision: str | None = "0003"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "links",
        sa.Column("participant", sa.String(), nullable=False),
        sa.Column("person", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("participant", name="pk_links"),
    )
    op.create_index("ix_links_person", "links", ["person"])
    op.create_table(
        "codes",
        sa.Column("participant", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("guest", sa.String(), nullable=False),
        sa.Column("used", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("participant", name="pk_codes"),
    )
    op.create_index("ix_codes_digest", "codes", ["digest"], unique=True)
    op.create_table(
        "tries",
        sa.Column("participant", sa.String(), nullable=False),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("latest", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("participant", name="pk_tries"),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in ("tries", "codes", "links"):
        op.drop_table(table)
