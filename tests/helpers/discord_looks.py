"""Looking at messages of Discord: what they say, and what can be pressed."""

from collections.abc import Iterable
from typing import Any


def texts(components: Iterable[Any]) -> str:
    """Give all texts of a message of components."""
    return "\n".join(part["content"] for part in walk(components) if part.get("type") == 10)


def walk(components: Iterable[Any]) -> list[dict[str, Any]]:
    found = []
    for part in components:
        raw = part if isinstance(part, dict) else part.to_dict()
        found.append(raw)
        found += walk(raw.get("components", []))
    return found


def shown(message: Any) -> str:
    """Give what a message says."""
    return "\n".join(filter(None, [message.content, texts(message.components)]))


def buttons(message: Any) -> dict[str, dict[str, Any]]:
    """Give the buttons of a message by their labels."""
    return {part["label"]: part for part in walk(message.components) if part.get("type") == 2}


def enabled(message: Any) -> list[str]:
    """List what can be pressed."""
    return [label for label, part in buttons(message).items() if not part.get("disabled")]
