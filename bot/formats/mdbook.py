"""mdbook-quiz: TOML with one table `[[questions]]` for each question."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Haul, Question, Severity, Source
from bot.formats.options import distinct
from bot.formats.plaintext import decoded, remark
from bot.wording import phrase

NAME = "mdbook-quiz"

Table = Mapping[str, Any]


def sniff(source: Source) -> float:
    """Tell how much a file looks like mdbook-quiz, by its table of questions."""
    return 0.95 if b"\n[[questions]]" in b"\n" + source.content[:20_000] else 0.0


def read(source: Source) -> Haul:
    """Read every question; texts are Markdown and stay as they are."""
    text, remarks = decoded(source.content)
    if _ENDLESS.search(text):  # the reader of TOML takes its time to see that this is no key
        reason = phrase("The file is no TOML.")
        skipped = remark(
            Severity.SKIPPED, places.FILE, "", reason, phrase("Nothing was read from it.")
        )
        return Haul(format=NAME, questions=(), remarks=(*remarks, skipped))
    try:
        tables = tomllib.loads(text).get("questions", [])
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as broken:
        reason = phrase("The file is no TOML: {why}.", why=str(broken))
        skipped = remark(
            Severity.SKIPPED, places.FILE, "", reason, phrase("Nothing was read from it.")
        )
        return Haul(format=NAME, questions=(), remarks=(*remarks, skipped))
    tables = tables if isinstance(tables, list) else []
    questions = tuple(_question(at, table) for at, table in enumerate(tables, 1))
    return Haul(format=NAME, questions=questions, remarks=remarks)


_ENDLESS = re.compile(r"^[^\"'=\n]{2000}", re.MULTILINE)


def _question(number: int, table: object) -> Question:
    place = places.question(number)
    table = table if isinstance(table, dict) else {}
    prompt, answer = _table(table.get("prompt")), _table(table.get("answer"))
    stem = _text(prompt.get("prompt"))
    kind = str(table.get("type", ""))
    if kind not in {"MultipleChoice", "ShortAnswer"} or not stem.strip():
        reason = phrase("A question of the type {kind} cannot be asked here.", kind=kind or "-")
        excerpt = stem or _text(prompt.get("program"))
        return Question(draft=None, remarks=(remark(Severity.SKIPPED, place, excerpt, reason),))
    right = _texts(answer.get("answer"))
    found: Sequence[DraftOption] = ()
    if kind == "MultipleChoice":
        wrong = [text for text in _texts(prompt.get("distractors")) if text not in right]
        texts = sorted([*right, *wrong], key=str.casefold)
        found = [DraftOption(text=text, is_key=text in right, line=number) for text in texts]
    options, remarks = distinct(found, place)
    accepted = () if options else (*right, *_texts(answer.get("alternatives")))
    draft = Draft(
        stem=stem,
        line=number,
        options=options,
        accepted=accepted,
        rationale=_text(table.get("context")),
        as_text=kind == "ShortAnswer",
    )
    return Question(draft=draft, remarks=remarks)


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in map(_text, values) if text]


def _text(value: object) -> str:
    return "" if value is None or isinstance(value, dict | list) else str(value).strip()
