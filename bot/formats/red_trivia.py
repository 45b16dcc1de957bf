"""Red-DiscordBot trivia: YAML lists of questions, each with the answers that count as right.

Read without YAML's guesses, so that `007` is not 7 and `No` is nobelium; for a bare `No` Red
itself then accepts False and Off as well, and so do we.
"""

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.drafts import LONGEST, SHORTEST, Draft
from bot.formats import places
from bot.formats.findings import Haul, Question, Remark, Severity, Source
from bot.formats.html import from_plain
from bot.formats.plaintext import LEFT_OUT, MOST_LINES, decoded, remark
from bot.wording import phrase

if TYPE_CHECKING:
    from yaml import Node

NAME = "red-trivia"
SPECIAL = ("AUTHOR", "DESCRIPTION", "CONFIG")


def sniff(source: Source) -> float:
    """Tell how much a file looks like a trivia list: questions as keys, and lists below them."""
    text, _ = decoded(source.content[:8000])
    named = source.name.casefold().endswith((".yaml", ".yml"))
    lines = [line for line in text.split("\n")[:-1] if line.strip()]
    asked = sum(bool(_ASKED.fullmatch(one) and _ANSWER.match(two)) for one, two in _pairs(lines))
    if not asked:
        return 0.1 if named else 0.0
    special = any(line.startswith(tuple(f"{name}:" for name in SPECIAL)) for line in lines)
    return min(0.97, 0.5 + 0.25 * named + 0.25 * special)


def read(source: Source) -> Haul:
    """Read every question of a list; entries that are no YAML are read by their lines."""
    text, found = decoded(source.content, most_lines=MOST_LINES)
    remarks = list(found)
    entries = list(_entries(text))
    special = {entry.key: entry for entry in entries if entry.key in SPECIAL}
    delay = _delay(special.get("CONFIG"), remarks)
    questions = tuple(_question(entry, delay) for entry in entries if entry.key not in SPECIAL)
    if "DESCRIPTION" in special:
        about = " ".join(special["DESCRIPTION"].values)
        reason = phrase("The list has a description.")
        remarks.append(remark(Severity.NOTE, "DESCRIPTION", about, reason, LEFT_OUT))
    if not questions:
        reason = phrase("There are no questions in it.")
        cure = phrase("Write lines such as What is 2 + 2?: and below it - 4.")
        remarks.append(remark(Severity.NOTE, places.FILE, "", reason, cure))
    author = ", ".join(special["AUTHOR"].values) if "AUTHOR" in special else ""
    return Haul(format=NAME, questions=questions, remarks=tuple(remarks), author=author)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """A question with its answers, or a setting; `bare` are the answers without quotes."""

    key: str
    line: int
    values: tuple[str, ...] = ()
    bare: frozenset[str] = frozenset()
    fields: tuple[tuple[str, str], ...] = ()
    repaired: str = ""
    broken: str = ""


_ASKED = re.compile(r"(?!\s|-\s|#).{3,}:\s*")
_ANSWER = re.compile(r"\s*-\s+\S")
_TRUE, _FALSE = ("True", "Yes", "On"), ("False", "No", "Off")
_TRUTHS = {
    spelling: words
    for words in (_TRUE, _FALSE)
    for word in words
    for spelling in (word, word.lower(), word.upper())
}
_PICTURE = re.compile(r"(https?://[^\s<>()]+\.(?:png|jpe?g|gif|webp))(?=\s|$)", re.IGNORECASE)


def _pairs(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    return itertools.pairwise(lines)


def _entries(text: str) -> Iterator[_Entry]:
    """Read the file at once, or entry by entry if that fails somewhere."""
    node = _composed(text)
    if isinstance(node, str):
        for start, lines in _sections(text):
            yield _section(start, lines)
    elif node is not None:
        yield from _mapped(node, 0)


def _composed(text: str) -> "Node | str | None":
    """Read YAML into nodes, in which anchors are not multiplied; or say what is wrong with it."""
    import yaml  # noqa: PLC0415 - loaded when needed

    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return yaml.compose(text, Loader=loader)
    except yaml.YAMLError as broken:
        problem = getattr(broken, "problem", None)
        return str(problem) if problem else phrase("it cannot be read")
    except RecursionError:  # of the loader in Python, where there is none in C
        return phrase("it is nested too deeply")


def _mapped(node: "Node", offset: int) -> Iterator[_Entry]:
    """Go through the keys of a mapping; what is no mapping at all is one broken entry."""
    from yaml import MappingNode, ScalarNode  # noqa: PLC0415 - loaded when needed

    line = node.start_mark.line + offset + 1
    if not isinstance(node, MappingNode):
        yield _Entry(key="", line=line, broken=phrase("There is no question and list here."))
        return
    for key, value in node.value:
        line = key.start_mark.line + offset + 1
        if not isinstance(key, ScalarNode):
            yield _Entry(key="", line=line, broken=phrase("The question is no text."))
            continue
        yield _entry(key.value.strip(), line, value)


def _entry(key: str, line: int, value: "Node") -> _Entry:
    from yaml import MappingNode, ScalarNode  # noqa: PLC0415 - loaded when needed

    if isinstance(value, MappingNode):
        pairs = ((name.value, given.value) for name, given in value.value)
        fields = tuple((k, v) for k, v in pairs if isinstance(k, str) and isinstance(v, str))
        broken = "" if key in SPECIAL else phrase("The question has settings in place of answers.")
        return _Entry(key=key, line=line, fields=fields, broken=broken)
    given = value.value if isinstance(value.value, list) else [value]
    parts = [part for part in given if isinstance(part, ScalarNode)]
    if len(parts) < len(given):
        return _Entry(key=key, line=line, broken=phrase("An answer is no text."))
    values = tuple(part.value.strip() for part in parts)
    bare = frozenset(part.value for part in parts if not part.style)
    return _Entry(key=key, line=line, values=tuple(filter(None, values)), bare=bare)


def _sections(text: str) -> Iterator[tuple[int, list[str]]]:
    """Divide a file before every line that begins a key, giving the number of that line."""
    start, lines = 0, list[str]()
    for at, line in enumerate(text.split("\n")):
        if line[:1].strip() and not line.startswith(("-", "#", "}", "]")):
            if any(map(_is_content, lines)):
                yield start, lines
            start, lines = at, []
        lines.append(line)
    yield start, lines


def _is_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _section(start: int, lines: Sequence[str]) -> _Entry:
    """Read one entry as YAML, or else as a line that asks and lines that answer."""
    node = _composed("\n".join(lines))
    if node is not None and not isinstance(node, str):
        found = next(_mapped(node, start), None)
        if found and not found.broken:
            return found
    key, *answers = [line.strip() for line in lines if _is_content(line)] or [""]
    if not key.endswith(":") or not all(_ANSWER.match(answer) for answer in answers):
        reason = (
            phrase("The entry is no YAML: {why}.", why=node)
            if isinstance(node, str)
            else phrase("It has no answers.")
        )
        return _Entry(key=key, line=start + 1, broken=reason)
    return _Entry(
        key=_unquoted(key[:-1].strip()),
        line=start + 1,
        values=tuple(_unquoted(answer.lstrip("-").strip()) for answer in answers),
        repaired=phrase("The entry is no YAML: {why}.", why=node),
    )


def _unquoted(text: str) -> str:
    paired = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1] if paired else text


def _delay(config: _Entry | None, remarks: list[Remark]) -> str:
    """Take the time for a question from the list's settings, and say which others are left out."""
    fields = dict(config.fields) if config else {}
    delay = re.match(r"[0-9]{1,4}", fields.pop("delay", ""))
    if fields and config:
        reason = phrase("The list has settings: {fields}.", fields=", ".join(fields))
        place = places.line(config.line)
        remarks.append(
            remark(Severity.NOTE, place, "CONFIG", reason, phrase("They were left out."))
        )
    return delay[0] if delay and SHORTEST <= int(delay[0]) <= LONGEST else ""


def _question(entry: _Entry, delay: str) -> Question:
    place = places.line(entry.line)
    broken = entry.broken or ("" if entry.key else phrase("There is no question."))
    if broken:
        skipped = remark(Severity.SKIPPED, place, entry.key, broken)
        return Question(draft=None, remarks=(skipped,))
    accepted = dict.fromkeys(entry.values)
    for value in entry.values:
        if value in entry.bare:
            accepted |= dict.fromkeys(_TRUTHS.get(value, ()))
    draft = Draft(
        stem=_stem(entry.key),
        line=entry.line,
        accepted=tuple(accepted),
        as_text=True,
        seconds=delay,
    )
    if not entry.repaired:
        return Question(draft=draft)
    action = phrase("It was read as it stands; put quotes around such answers.")
    changed = remark(Severity.CHANGED, place, entry.key, entry.repaired, action)
    return Question(draft=draft, remarks=(changed,))


def _stem(text: str) -> str:
    """Write a stem, with the addresses of pictures in it as pictures below."""
    words = from_plain(_PICTURE.sub(" ", text).strip())
    pictures = (f"![]({address})" for address in _PICTURE.findall(text))
    return "\n\n".join(filter(None, (words, *pictures)))
