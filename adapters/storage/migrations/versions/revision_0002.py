"""Who looks after a session, where several processes share a database."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Add the keeper; nobody has the number 0, so every session can be claimed."""
    keeper = sa.Column("keeper", sa.BigInteger(), nullable=False, server_default=sa.text("0"))
    op.add_column("sessions", keeper)


def downgrade() -> None:
    """Drop the keeper."""
    op.drop_column("sessions", "keeper")
