"""A program to be killed: corrects the key of an item and takes it back, over and over.

python -m tests.storage.correcting sqlite:///kuis.db
"""

import asyncio
import os
import sys

from adapters.storage import open_store
from bot.corrections import Correction
from bot.ids import ItemId
from bot.items import Choice
from bot.text import Markdown
from tests.helpers.samples import option
from tests.storage.worlds import NOON, PACK


def item(name: str = "a") -> Choice:
    """An item whose key is B (place 1)."""
    options = tuple(map(option, "ABCD"))
    return Choice(id=ItemId(name), stem=Markdown(f"Which, {name}?"), options=options, key=1)


def correction(*right: int, **more: object) -> Correction:
    given = {"pack": PACK, "item": ItemId("a"), "was": frozenset({1}), "at": NOON} | more
    return Correction(keys=frozenset(right), **given)  # type: ignore[arg-type]


async def main(url: str) -> None:
    async with await open_store(url) as store:
        os.write(1, b"ready\n")
        while True:
            done = await store.correct(correction(2), [item()])
            await store.undo(done.correction.id, [item()])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
