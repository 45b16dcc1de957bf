"""Storage: one Store for SQLite and PostgreSQL, and one in memory; `open_store` picks."""

from adapters.storage.care import backup, info, played_in, trial
from adapters.storage.copying import copy
from adapters.storage.memory import MemoryStore
from adapters.storage.opening import open_store, upgrade
from adapters.storage.schema import HEAD
from adapters.storage.sql import SqlStore

__all__ = [
    "HEAD",
    "MemoryStore",
    "SqlStore",
    "backup",
    "copy",
    "info",
    "open_store",
    "played_in",
    "trial",
    "upgrade",
]
