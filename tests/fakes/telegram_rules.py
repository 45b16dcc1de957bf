"""The rules by which Telegram accepts texts, keyboards and polls, with the words it refuses in.

Lengths are code points of what is left after parsing and cleaning, as in PLATFORMS.md A.2.
"""

import json
import re
import unicodedata
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any, NoReturn

TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "s": "strikethrough",
    "code": "code",
    "pre": "pre",
    "a": "text_link",
    "blockquote": "blockquote",
    "tg-spoiler": "spoiler",
}
DROPPED = {"\r", *map(chr, range(0x2028, 0x202F))}
LONGEST = 4096
CAPTION = 1024


class Refused(Exception):
    """An answer that is not ok."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        self.code = code
        self.description = description
        self.parameters = parameters
        super().__init__(description)


def refuse(description: str, code: int = 400, **parameters: Any) -> NoReturn:
    """Answer that something cannot be done."""
    words = f"Bad Request: {description}" if code == 400 else description
    raise Refused(code, words, **parameters)


def flag(value: Any) -> bool:
    return str(value).lower() == "true"


def loaded(value: Any) -> Any:
    """Read a parameter that travels as JSON."""
    return json.loads(value) if isinstance(value, str) and value else value


def cleaned(text: str) -> str:
    kept = (" " if unicodedata.category(c) == "Cc" and c != "\n" else c for c in text)
    return "".join(c for c in kept if c not in DROPPED).strip()


class _Html(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.text = ""
        self.open: list[tuple[str, int, dict[str, str | None]]] = []
        self.entities: list[dict[str, Any]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in TAGS:
            refuse(f'can\'t parse entities: Unsupported start tag "{tag}" at byte offset 0')
        self.open.append((tag, len(self.text), dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open[-1][0] != tag:
            refuse("can't parse entities: Unmatched end tag at byte offset 0")
        name, at, attributes = self.open.pop()
        if len(self.text) > at:
            found = {"type": TAGS[name], "offset": utf16(self.text[:at]), "_text": self.text[at:]}
            found["length"] = utf16(self.text[at:])
            if name == "a":
                found["url"] = attributes.get("href") or ""
            self.entities.append(found)

    def handle_data(self, data: str) -> None:
        if "<" in data:
            refuse("can't parse entities: Unclosed start tag at byte offset 0")
        self.text += data

    def handle_entityref(self, name: str) -> None:
        known = {"lt": "<", "gt": ">", "amp": "&", "quot": '"'}
        self.text += known.get(name, f"&{name}")

    def handle_charref(self, name: str) -> None:
        self.text += chr(int(name[1:], 16) if name.lower().startswith("x") else int(name))


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def parsed(text: str, mode: str | None) -> tuple[str, list[dict[str, Any]]]:
    """Give the text and its entities."""
    if (mode or "").upper() != "HTML":
        return cleaned(text), []
    reader = _Html()
    reader.feed(text)
    reader.close()
    if reader.open or reader.rawdata:
        refuse("can't parse entities: Can't find end tag corresponding to start tag")
    for entity in reader.entities:
        entity.pop("_text")
    return cleaned(reader.text), reader.entities


def message_text(params: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    text, entities = parsed(params.get("text", ""), params.get("parse_mode"))
    if not text:
        refuse("message text is empty")
    if len(text) > LONGEST:
        refuse("message is too long")
    if len(entities) > 100:
        entities = entities[:100]
    return text, entities


def caption(text: str, mode: str | None) -> tuple[str, list[dict[str, Any]]]:
    shown, entities = parsed(text, mode)
    if len(shown) > CAPTION:
        refuse("message caption is too long")
    return shown, entities


def keyboard(markup: Any) -> dict[str, Any] | None:
    """Check an inline keyboard or a force reply."""
    found = loaded(markup)
    if not found:
        return None
    for row in found.get("inline_keyboard", []):
        for button in row:
            if not button.get("text"):
                refuse("inline keyboard button text is empty")
            data = button.get("callback_data")
            if data is not None and not 1 <= len(data.encode()) <= 64:
                refuse("BUTTON_DATA_INVALID")
            if "url" in button and not re.match(r"https?://|tg://", button["url"]):
                refuse(f"inline keyboard button URL '{button['url']}' is invalid")
    return found


def poll_question(params: dict[str, Any]) -> str:
    question, _ = parsed(params.get("question", ""), params.get("question_parse_mode"))
    if not question:
        refuse("text must be non-empty")
    if len(question) > 300:
        refuse("poll question length must not exceed 300")
    return question


def poll_options(params: dict[str, Any]) -> list[str]:
    options = loaded(params.get("options", "[]"))
    if not isinstance(options, list):
        refuse("expected an Array of String as options")
    texts = [cleaned(o["text"] if isinstance(o, dict) else o) for o in options]
    if not texts:
        refuse("poll must have at least one answer option")
    if len(texts) > 12:
        refuse("poll can't have more than 12 options")
    if not all(texts):
        refuse("poll options must be non-empty")
    if any(len(text) > 100 for text in texts):
        refuse("poll options length must not exceed 100")
    if len(set(texts)) != len(texts):
        refuse("POLL_OPTION_DUPLICATE")
    return texts


def poll_keys(params: dict[str, Any], count: int) -> list[int]:
    keys = loaded(params.get("correct_option_ids"))
    if keys is None and params.get("correct_option_id") is not None:
        keys = [int(params["correct_option_id"])]
    if not keys:
        refuse("correct quiz option list must be non-empty")
    if any(a >= b for a, b in pairwise(keys)):
        refuse("correct quiz option list must be increasing")
    if not all(0 <= key < count for key in keys):
        refuse("wrong quiz correct_option_id specified")
    return list(keys)


def explanation(params: dict[str, Any]) -> str:
    text, _ = parsed(params.get("explanation") or "", params.get("explanation_parse_mode"))
    if len(text) > 200 or utf16(text) > 200 or text.count("\n") > 2:
        refuse("MESSAGE_TOO_LONG: poll explanation")
    return text
