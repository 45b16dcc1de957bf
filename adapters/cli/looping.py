"""Looping: a command that awaits is run to its end."""

from collections.abc import Coroutine
from typing import Any, TypeVar

Done = TypeVar("Done")


def do(command: Coroutine[Any, Any, Done]) -> Done:
    """Run a command, and give what it gives."""
    import asyncio  # noqa: PLC0415 - 30 ms that `kuis --help` need not pay

    return asyncio.run(command)
