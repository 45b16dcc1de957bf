"""Totals: sums for leaderboards, so that reading one does not take longer with every answer."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0003"
down_revision: str | None = "0002"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_WHOLE = 720_720
_KINDS = (("room", "week"), ("room", "''"), ("''", "week"), ("''", "''"))


def upgrade() -> None:
    """Make the table and fill it from the scores."""
    key = ["room", "week", "participant"]
    op.create_table(
        "totals",
        *(sa.Column(name, sa.String(), nullable=False) for name in key),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.Column("credit", sa.BigInteger(), nullable=False),
        sa.Column("answered", sa.Integer(), nullable=False),
        sa.Column("elapsed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(*key, name="pk_totals"),
    )
    for room, week in _KINDS:
        op.execute(
            "INSERT INTO totals (room, week, participant, points, credit, answered, elapsed)"  # noqa: S608
            f" SELECT {room} AS r, {week} AS w, participant, SUM(points),"
            f" SUM(CAST(ROUND(grade * {_WHOLE}) AS BIGINT)), COUNT(*), SUM(elapsed)"
            " FROM scores GROUP BY 1, 2, 3"
        )
    op.create_index("ix_totals_points", "totals", ["room", "week", "points"])
    op.create_index("ix_totals_participant", "totals", ["participant"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("totals")
