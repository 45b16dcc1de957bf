"""Migrations of the SQL store, run by Alembic and configured from code (`opening.py`)."""
