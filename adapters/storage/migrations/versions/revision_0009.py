"""Confidence: whether somebody was sure of an answer; NULL where nobody asked."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0009"
down_revision: str | None = "0008"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Add the column; what was answered before was not asked."""
    op.add_column("responses", sa.Column("sure", sa.Boolean()))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("responses", "sure")
