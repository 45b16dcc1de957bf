"""Servers: an empty database on the PostgreSQL that KUIS_TEST_POSTGRES names."""

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine


async def fresh(server: str, name: str) -> str:
    """Make a database anew, and give its URL."""
    engine = create_async_engine(server, isolation_level="AUTOCOMMIT")
    async with engine.connect() as connection:
        await connection.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        await connection.execute(text(f"CREATE DATABASE {name}"))
    await engine.dispose()
    return make_url(server).set(database=name).render_as_string(hide_password=False)
