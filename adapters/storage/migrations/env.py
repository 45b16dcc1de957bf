"""Alembic's entry: run the migrations on the connection that `opening.py` passes in."""

from alembic import context

from adapters.storage.schema import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
