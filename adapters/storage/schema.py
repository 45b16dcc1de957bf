"""The tables: one schema for SQLite and PostgreSQL, and what a program knows of its history.

Times are whole milliseconds since 1970 in UTC. Columns that are called `room`, `participant`,
`session`, `pack` or `item` hold our own ids.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    text,
)

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009")
"""The migrations in order; a database at anything else was written by a newer program."""

HEAD = REVISIONS[-1]

ACTIVE = text("phase NOT IN ('paused', 'finished')")
"""Which sessions take up their place; literal, so that the partial indexes can be used."""

METADATA = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

rooms = Table(
    "rooms",
    METADATA,
    Column("id", String, primary_key=True),
    Column("title", Text, nullable=False),
    Column("community", String, nullable=False),
    Column("settings", Text, nullable=False),
    Index("ix_rooms_community", "community"),
)

participants = Table(
    "participants",
    METADATA,
    Column("id", String, primary_key=True),
    Column("name", Text, nullable=False),
    Column("language", String, nullable=False),
    Column("language_chosen", Boolean, nullable=False),
    Column("nickname", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
)

aliases = Table(
    "aliases",
    METADATA,
    Column("kind", String, nullable=False),
    Column("platform", String, nullable=False),
    Column("external", String, nullable=False),
    Column("target", String, nullable=False),
    PrimaryKeyConstraint("kind", "platform", "external"),
    Index("ix_aliases_target", "kind", "target"),
)

sessions = Table(
    "sessions",
    METADATA,
    Column("id", String, primary_key=True),
    Column("room", String, ForeignKey("rooms.id"), nullable=False),
    Column("owner", String, nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("mode", String, nullable=False),
    Column("phase", String, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("closed", Integer, nullable=False),
    Column("pack", String, nullable=False),
    Column("starter", String, nullable=False),
    Column("started", BigInteger, nullable=False),
    Column("finished", BigInteger),
    Column("deadline", BigInteger),
    Column("state", Text, nullable=False),
    Column("keeper", BigInteger, nullable=False, server_default=text("0")),
    Index("ix_sessions_place", "room", "owner", "started"),
    Index(
        "uq_sessions_active",
        "room",
        "owner",
        unique=True,
        sqlite_where=ACTIVE,  # the other dialect has it from the first migration: naming it here
        # would load all of it at each start
    ),
)

responses = Table(
    "responses",
    METADATA,
    Column("session", String, ForeignKey("sessions.id"), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("participant", String, nullable=False),
    Column("room", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("item", String, nullable=False),
    Column("submission", Text, nullable=False),
    Column("grade", Float, nullable=False),
    Column("points", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("elapsed", BigInteger, nullable=False),
    Column("week", String, nullable=False),
    Column("sure", Boolean),
    PrimaryKeyConstraint("session", "turn", "participant"),
    Index("ix_responses_participant", "participant", "session"),
    Index("ix_responses_item", "pack", "item"),
)

scores = Table(
    "scores",
    METADATA,
    Column("room", String, nullable=False),
    Column("participant", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("item", String, nullable=False),
    Column("week", String, nullable=False),
    Column("session", String, ForeignKey("sessions.id"), nullable=False),
    Column("turn", Integer, nullable=False),
    Column("points", Integer, nullable=False),
    Column("grade", Float, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("elapsed", BigInteger, nullable=False),
    PrimaryKeyConstraint("room", "participant", "pack", "item", "week"),
    Index("ix_scores_room", "room", "at"),
)

totals = Table(
    "totals",
    METADATA,
    Column("room", String, nullable=False),
    Column("week", String, nullable=False),
    Column("participant", String, nullable=False),
    Column("points", BigInteger, nullable=False),
    Column("credit", BigInteger, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("elapsed", BigInteger, nullable=False),
    PrimaryKeyConstraint("room", "week", "participant"),
    Index("ix_totals_points", "room", "week", "points"),
    Index("ix_totals_participant", "participant"),
)

notes = Table(
    "notes",
    METADATA,
    Column("key", String, primary_key=True),
    Column("value", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
)

asked = Table(
    "asked",
    METADATA,
    Column("scope_room", String, nullable=False),
    Column("scope_owner", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("item", String, nullable=False),
    Column("times", Integer, nullable=False),
    PrimaryKeyConstraint("scope_room", "scope_owner", "pack", "item"),
)

links = Table(
    "links",
    METADATA,
    Column("participant", String, primary_key=True),
    Column("person", String, nullable=False),
    Index("ix_links_person", "person"),
)

codes = Table(
    "codes",
    METADATA,
    Column("participant", String, primary_key=True),
    Column("digest", String, nullable=False),
    Column("room", String, nullable=False),
    Column("expires", BigInteger, nullable=False),
    Column("guest", String, nullable=False),
    Column("used", Boolean, nullable=False),
    Index("ix_codes_digest", "digest", unique=True),
)

tries = Table(
    "tries",
    METADATA,
    Column("participant", String, primary_key=True),
    Column("wrong", Integer, nullable=False),
    Column("latest", BigInteger, nullable=False),
)

reminders = Table(
    "reminders",
    METADATA,
    Column("participant", String, primary_key=True),
    Column("room", String, nullable=False),
    Column("minute", Integer, nullable=False),
    Column("zone", String, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("sent", BigInteger),
    Column("ignored", Integer, nullable=False),
    Index("ix_reminders_due", "due"),
)

packs = Table(
    "packs",
    METADATA,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("reach", String, nullable=False),
    Column("target", String, nullable=False),
    Column("language", String, nullable=False),
    Column("title", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("published", Boolean, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Index("ix_packs_owner", "owner"),
)

parcels = Table(
    "parcels",
    METADATA,
    Column("id", String, primary_key=True),
    Column("owner", String, nullable=False),
    Column("room", String, nullable=False),
    Column("state", Text, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Index("ix_parcels_owner", "owner", "changed"),
)

corrections = Table(
    "corrections",
    METADATA,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("stamp", Integer, nullable=False),
    Column("pack", String, nullable=False),
    Column("item", String, nullable=False),
    Column("room", String, nullable=False),
    Column("marks", String, nullable=False),
    Column("was", String, nullable=False),
    Column("decider", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("undone", Boolean, nullable=False),
    Column("effect", Text, nullable=False),
    Index("ix_corrections_stamp", "stamp"),
)

challenges = Table(
    "challenges",
    METADATA,
    Column("session", String, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("participant", String, nullable=False),
    Column("room", String, nullable=False),
    Column("pack", String, nullable=False),
    Column("item", String, nullable=False),
    Column("reason", String, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("state", String, nullable=False),
    Column("decider", String, nullable=False),
    Column("decided", BigInteger),
    Column("correction", Integer, nullable=False),
    Column("told", Boolean, nullable=False),
    PrimaryKeyConstraint("session", "turn", "participant"),
    Index("ix_challenges_participant", "participant"),
    Index("ix_challenges_state", "state", "room"),
)

dailies = Table(
    "dailies",
    METADATA,
    Column("room", String, ForeignKey("rooms.id"), primary_key=True),
    Column("minute", Integer, nullable=False),
    Column("zone", String, nullable=False),
    Column("days", String, nullable=False),
    Column("source", Text, nullable=False),
    Column("starter", String, nullable=False),
    Column("language", String, nullable=False),
    Column("last", String),
    Column("session", String, nullable=False),
    Column("next_at", BigInteger),
    Index("ix_dailies_next_at", "next_at"),
)
