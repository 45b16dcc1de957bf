"""Items a second for each format, against the bare parser over the same bytes.

The bare parser is what the standard library, PyYAML or openpyxl makes of the file without asking
what it means: it is the least that reading can cost. GIFT, Aiken and plain lists have no parser
of their own, so there the lines are split.
"""

import csv
import io
import json
import sqlite3
import time
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from xml.etree import ElementTree as ET

import yaml
from openpyxl import load_workbook

from bot.building import build_all
from bot.drafts import Draft, DraftOption
from bot.formats import registry
from bot.formats.findings import Source
from bot.formats.importing import bring_in
from bot.ids import PackId
from bot.packs import Edition

ITEMS = 1000
ROUNDS = 3


def main() -> None:
    """Write a bank in each format, read it back, and print items a second."""
    edition = _edition()
    print(f"{'format':12} {'items/s':>9} {'bare parser/s':>14} {'ratio':>7}")
    for name, content in _banks(edition):
        data = content.encode() if isinstance(content, str) else content
        found = bring_in(Source(name=f"bank-{name}", content=data), format=name).found
        ours = _seconds(lambda data=data, name=name: _read(data, name))  # type: ignore[misc]
        bare = _seconds(lambda data=data, name=name: _parse(data, name))  # type: ignore[misc]
        print(f"{name:12} {found / ours:9,.0f} {found / bare:14,.0f} {ours / bare:7,.0f}")


def _edition() -> Edition:
    """Make a bank of every kind that all formats know, no two items alike."""
    drafts = []
    for number in range(ITEMS):
        options = tuple(
            DraftOption(text=f"Answer {place} of {number}", is_key=place == number % 4)
            for place in range(4)
        )
        stem = f"What is the answer to the **question** number {number}, and why is it so?"
        drafts.append(Draft(stem=stem, options=options, rationale=f"Because of {number}."))
    items = build_all(drafts, "bench").items
    return Edition(id=PackId("bench"), title="Bench", language="en", items=items)


def _banks(edition: Edition) -> Iterator[tuple[str, str | bytes]]:
    """Give the bank in every format: written by us, or else made of lines."""
    for name in registry.writers():
        content, _ = registry.writer(name).write(edition)
        yield name, content
    asked = [f"What is the answer to question number {number}?" for number in range(ITEMS)]
    options = [[f"answer {place} of {number}" for place in range(4)] for number in range(ITEMS)]
    every = list(zip(asked, options, strict=True))
    yield (
        "opentdb",
        json.dumps(
            {
                "response_code": 0,
                "results": [
                    {
                        "type": "multiple",
                        "question": stem,
                        "correct_answer": first,
                        "incorrect_answers": rest,
                    }
                    for stem, (first, *rest) in every
                ],
            }
        ),
    )
    yield "red-trivia", "".join(f"{stem}:\n- {first}\n" for stem, (first, *_) in every)
    yield "plain", "".join(_numbered(number, *one) for number, one in enumerate(every, 1))
    yield "task-list", "".join(_ticked(*one) for one in every)
    yield "text2qti", "".join(_starred(number, *one) for number, one in enumerate(every, 1))
    yield "mdbook-quiz", "".join(_toml(*one) for one in every)


def _numbered(number: int, stem: str, options: Sequence[str]) -> str:
    lines = [f"{'abcd'[at]}) {option}" for at, option in enumerate(options)]
    return "\n".join([f"{number}. {stem}", *lines, "Answer: a", "", ""])


def _ticked(stem: str, options: Sequence[str]) -> str:
    lines = [f"- [{'x' if at == 0 else ' '}] {option}" for at, option in enumerate(options)]
    return "\n".join([f"#### {stem}", "", *lines, "", ""])


def _starred(number: int, stem: str, options: Sequence[str]) -> str:
    lines = [f"{'' if at else '*'}{'abcd'[at]}) {option}" for at, option in enumerate(options)]
    return "\n".join([f"{number}. {stem}", *lines, "", ""])


def _toml(stem: str, options: Sequence[str]) -> str:
    first, *rest = map(json.dumps, options)
    return (
        f'[[questions]]\ntype = "MultipleChoice"\nprompt.prompt = {json.dumps(stem)}\n'
        f"prompt.distractors = [{', '.join(rest)}]\nanswer.answer = {first}\n\n"
    )


def _read(data: bytes, name: str) -> None:
    bring_in(Source(name="bank", content=data), format=name)


def _parse(data: bytes, name: str) -> object:
    """Parse bytes with the first bare parser that takes them."""
    if name == "red-trivia":
        return yaml.load(data, Loader=yaml.BaseLoader)  # noqa: S506 - makes nothing but strings
    if data.startswith(b"PK"):
        return _unzip(data)
    for parse in (_json, _xml, _toml_tables, _table):
        try:
            return parse(data)
        except (ValueError, ET.ParseError, csv.Error):
            continue
    return data.decode().splitlines()


def _json(data: bytes) -> object:
    return json.loads(data)


def _xml(data: bytes) -> object:
    return ET.fromstring(data)  # noqa: S314 - our own bytes


def _toml_tables(data: bytes) -> object:
    return tomllib.loads(data.decode())


def _table(data: bytes) -> object:
    head = data[:200].decode()
    if head.startswith("---"):
        return yaml.safe_load(head.split("---")[1]), data.decode().splitlines()
    if head.count(",") < 4:  # noqa: PLR2004 - no table
        raise ValueError
    return list(csv.reader(io.StringIO(data.decode())))


def _unzip(data: bytes) -> object:
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        names = opened.namelist()
        if "xl/workbook.xml" in names:
            book = load_workbook(io.BytesIO(data), read_only=True)
            return [list(sheet.values) for sheet in book]
        parts = [opened.read(name) for name in names]
    collection = next((part for part in parts if part.startswith(b"SQLite")), None)
    if collection is None:
        return [ET.fromstring(part) for part in parts if part.startswith(b"<")]  # noqa: S314
    with sqlite3.connect(":memory:") as database:
        database.deserialize(collection)
        return database.execute("select flds from notes").fetchall()


def _seconds(work: Callable[[], object]) -> float:
    """Give the best of a few rounds, in seconds of this process."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return max(min(times), 1e-9)


if __name__ == "__main__":
    main()
