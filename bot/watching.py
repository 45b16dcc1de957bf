"""Watching: what a host tells of itself, so that it can be seen from outside how it is doing."""

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from bot.effects import Refusal
from bot.ports import Receipt


class Watcher(Protocol):
    """Counts what happens. It must neither wait nor fail: the host does not look after it."""

    def recorded(self, receipt: Receipt, grade: float, seconds: float) -> None:
        """Count an answer the store has dealt with; `seconds` since it arrived."""

    def replied(self, refusal: Refusal | None, seconds: float) -> None:
        """Count an answer whose person has been told; `seconds` since it arrived."""

    def failed(self, kind: str) -> None:
        """Count something that went wrong: a value of `bot.effects.Trouble`, or `store`."""

    def showing(self, platform: str) -> AbstractContextManager[None]:
        """Give a block in which a panel is on its way to a chat."""


class Unwatched:
    """Nobody looks on."""

    def recorded(self, receipt: Receipt, grade: float, seconds: float) -> None:
        """Count nothing."""

    def replied(self, refusal: Refusal | None, seconds: float) -> None:
        """Count nothing."""

    def failed(self, kind: str) -> None:
        """Count nothing."""

    def showing(self, platform: str) -> AbstractContextManager[None]:  # noqa: ARG002 - as the port has it
        """Give a block that does nothing."""
        return nullcontext()
