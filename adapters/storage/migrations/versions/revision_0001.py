"""The first tables."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0001"
down_revision: str | None = None
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

_ACTIVE = sa.text("phase NOT IN ('paused', 'finished')")


def upgrade() -> None:
    """Make the tables and their indexes."""
    _people()
    _sessions()
    _responses()
    _scores()
    op.create_table(
        "notes",
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_notes"),
    )


def downgrade() -> None:
    """Drop everything."""
    for table in (
        "notes",
        "asked",
        "scores",
        "responses",
        "sessions",
        "aliases",
        "participants",
        "rooms",
    ):
        op.drop_table(table)


def _people() -> None:
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("community", sa.String(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_rooms"),
    )
    op.create_index("ix_rooms_community", "rooms", ["community"])
    op.create_table(
        "participants",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("language_chosen", sa.Boolean(), nullable=False),
        sa.Column("nickname", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_participants"),
    )
    op.create_table(
        "aliases",
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("platform", sa.String(), nullable=False),
        sa.Column("external", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "platform", "external", name="pk_aliases"),
    )
    op.create_index("ix_aliases_target", "aliases", ["kind", "target"])


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("shared", sa.Boolean(), nullable=False),
        sa.Column("mode", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("closed", sa.Integer(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("starter", sa.String(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("finished", sa.BigInteger(), nullable=True),
        sa.Column("deadline", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.ForeignKeyConstraint(["room"], ["rooms.id"], name="fk_sessions_room"),
    )
    op.create_index("ix_sessions_place", "sessions", ["room", "owner", "started"])
    op.create_index(
        "uq_sessions_active",
        "sessions",
        ["room", "owner"],
        unique=True,
        sqlite_where=_ACTIVE,
        postgresql_where=_ACTIVE,
    )


def _responses() -> None:
    op.create_table(
        "responses",
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("participant", sa.String(), nullable=False),
        sa.Column("room", sa.String(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("submission", sa.Text(), nullable=False),
        sa.Column("grade", sa.Float(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("elapsed", sa.BigInteger(), nullable=False),
        sa.Column("week", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("session", "turn", "participant", name="pk_responses"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_responses_session"),
    )
    op.create_index("ix_responses_participant", "responses", ["participant", "session"])


def _scores() -> None:
    key = ["room", "participant", "pack", "item", "week"]
    op.create_table(
        "scores",
        *(sa.Column(name, sa.String(), nullable=False) for name in key),
        sa.Column("session", sa.String(), nullable=False),
        sa.Column("turn", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("grade", sa.Float(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("elapsed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(*key, name="pk_scores"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_scores_session"),
    )
    op.create_index("ix_scores_room", "scores", ["room", "at"])
    op.create_table(
        "asked",
        sa.Column("scope_room", sa.String(), nullable=False),
        sa.Column("scope_owner", sa.String(), nullable=False),
        sa.Column("pack", sa.String(), nullable=False),
        sa.Column("item", sa.String(), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope_room", "scope_owner", "pack", "item", name="pk_asked"),
    )
