"""Storage: one Store for SQLite and PostgreSQL, and one in memory; `open_store` picks."""

from adapters.storage.care import backup, info
from adapters.storage.memory import MemoryStore
from adapters.storage.opening import open_store, upgrade
from adapters.storage.sql import SqlStore

__all__ = ["MemoryStore", "SqlStore", "backup", "info", "open_store", "upgrade"]
