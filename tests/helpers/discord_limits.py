"""Discord's limits, checked over everything a bot has sent: simcord itself checks few of them."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

BUTTON, SELECT, TEXT = 2, 3, 10
NAME = re.compile(r"[-_\w]{1,32}")


def violations(requests: Iterable[Any]) -> list[str]:
    """List every place where a request goes beyond what Discord takes."""
    return [
        f"{request.method} {request.path}: {what}"
        for request in requests
        for what in _of(request.path, request.json)
    ]


def _of(path: str, body: Any) -> Iterator[str]:
    if path.endswith("/commands"):
        yield from _commands(body or [])
        return
    if not isinstance(body, dict):
        return
    data = body.get("data") if "/callback" in path else body
    if isinstance(data, dict):
        yield from _message(data)
        yield from _poll(data.get("poll") or {})
        choices = data.get("choices") or []
        yield from _most("choices", len(choices), 25)
        for choice in choices:
            yield from _most("choice name", len(choice["name"]), 100)
            yield from _most("choice value", len(str(choice["value"])), 100)
        if "title" in data and "custom_id" in data:
            yield from _most("modal title", len(data["title"]), 45)
            yield from _most("modal custom id", len(data["custom_id"]), 100)
        mentions = data.get("allowed_mentions")
        if "components" in data and "title" not in data and mentions != {"parse": []}:
            yield f"mentions are allowed: {mentions}"


def _message(data: dict[str, Any]) -> Iterator[str]:
    parts = list(_walk(data.get("components") or []))
    yield from _most("content", len(data.get("content") or ""), 2000)
    yield from _most("components", len(parts), 40)
    yield from _most("texts", sum(len(p.get("content", "")) for p in parts), 4000)
    yield from _most("files", len(data.get("attachments") or []), 10)
    ids = [p["custom_id"] for p in parts if "custom_id" in p]
    if len(set(ids)) < len(ids):
        yield f"custom ids are not unique: {ids}"
    for part in parts:
        yield from _part(part)


def _part(part: dict[str, Any]) -> Iterator[str]:
    yield from _most("custom id", len(part.get("custom_id") or ""), 100)
    if part["type"] == TEXT and not part["content"].strip():
        yield "an empty text"
    if part["type"] == BUTTON:
        yield from _most("button label", len(part.get("label") or ""), 80)
    if part["type"] == SELECT:
        yield from _most("options", len(part["options"]), 25)
        yield from _most("placeholder", len(part.get("placeholder") or ""), 150)
        for option in part["options"]:
            yield from _most("option label", len(option["label"]), 100)
            yield from _most("option value", len(option["value"]), 100)
    if part["type"] == 1 and len(part["components"]) > 5:
        yield "more than five buttons in a row"
    if part["type"] == 18:
        yield from _most("label", len(part["label"]), 45)


def _poll(poll: dict[str, Any]) -> Iterator[str]:
    if not poll:
        return
    yield from _most("poll question", len(poll["question"]["text"]), 300)
    yield from _most("poll answers", len(poll["answers"]), 10)
    for answer in poll["answers"]:
        yield from _most("poll answer", len(answer["poll_media"]["text"]), 55)
    if not (isinstance(poll["duration"], int | float) and 1 <= poll["duration"] <= 768):
        yield f"poll duration is {poll['duration']}"
    if poll["duration"] != int(poll["duration"]):
        yield "poll duration is no whole number of hours"


def _commands(commands: list[dict[str, Any]]) -> Iterator[str]:
    yield from _most("commands", len(commands), 100)
    for command in commands:
        yield from _named(command)
        options = command.get("options") or []
        yield from _most("options", len(options), 25)
        required = [bool(option.get("required")) for option in options]
        if required != sorted(required, reverse=True):
            yield f"{command['name']}: a required option after an optional one"
        for option in options:
            yield from _named(option)
            yield from _most("choices", len(option.get("choices") or []), 25)
            for choice in option.get("choices") or []:
                for name in (choice["name"], *(choice.get("name_localizations") or {}).values()):
                    yield from _most("choice name", len(name), 100)
        yield from _most("a whole command", _size(command), 8000)


def _named(thing: dict[str, Any]) -> Iterator[str]:
    for name in (thing["name"], *(thing.get("name_localizations") or {}).values()):
        if not NAME.fullmatch(name) or name != name.lower():
            yield f"{name!r} cannot be a name"
    for text in (thing["description"], *(thing.get("description_localizations") or {}).values()):
        if not 1 <= len(text) <= 100:
            yield f"description of {len(text)} characters: {text!r}"


def _size(thing: dict[str, Any]) -> int:
    own = len(thing["name"]) + len(thing.get("description", "")) + len(str(thing.get("value", "")))
    inner = [*(thing.get("options") or []), *(thing.get("choices") or [])]
    return own + sum(map(_size, inner))


def _walk(parts: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for part in parts:
        yield part
        inner = part.get("components") or ([part["component"]] if "component" in part else [])
        yield from _walk(inner)


def _most(what: str, count: int, most: int) -> Iterator[str]:
    if count > most:
        yield f"{what}: {count} is more than {most}"
