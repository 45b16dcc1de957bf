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
import zipfile
from collections.abc import Callable
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
    for name in registry.writers():
        content, _ = registry.writer(name).write(edition)
        data = content.encode() if isinstance(content, str) else content
        found = bring_in(Source(name=f"bank-{name}", content=data), format=name).found
        ours = _seconds(lambda data=data, name=name: _read(data, name))  # type: ignore[misc]
        bare = _seconds(lambda data=data: _parse(data))  # type: ignore[misc]
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


def _read(data: bytes, name: str) -> None:
    bring_in(Source(name="bank", content=data), format=name)


def _parse(data: bytes) -> object:
    """Parse bytes with the first bare parser that takes them."""
    if data.startswith(b"PK"):
        return _unzip(data)
    for parse in (_json, _xml, _table):
        try:
            return parse(data)
        except (ValueError, ET.ParseError, csv.Error):
            continue
    return data.decode().splitlines()


def _json(data: bytes) -> object:
    return json.loads(data)


def _xml(data: bytes) -> object:
    return ET.fromstring(data)  # noqa: S314 - our own bytes


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
