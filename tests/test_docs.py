"""Guides are true: their code runs."""

import re
from itertools import count
from pathlib import Path

from adapters.clock import SystemClock
from adapters.storage import MemoryStore
from bot.desk import Desk
from bot.host import Host
from bot.packs import Library
from bot.panels import Entry
from tests.helpers.samples import CHOICE, NUMBER, pack

ROOT = Path(__file__).parents[1]
CODE = re.compile(r"```python\n(.*?)```", re.DOTALL)


async def test_the_chat_in_the_guide_plays_a_quiz_from_beginning_to_end():
    (source,) = CODE.findall((ROOT / "docs/adapters.md").read_text(encoding="utf-8"))
    module: dict[str, object] = {}
    exec(compile(source, "docs/adapters.md", "exec"), module)  # noqa: S102 - our own guide
    chat = module["PaperChat"]()  # type: ignore[operator]
    store, clock, library = MemoryStore(), SystemClock(), Library([pack(CHOICE, NUMBER)])
    host = Host(
        store=store,
        clock=clock,
        library=library,
        chats={chat.platform: chat},
        seeds=count(1).__next__,
    )
    desk = Desk(host=host, store=store, library=library, clock=clock)
    request = await chat.request(store, "Ann")

    await chat.on_command(desk, request, "mixed")
    for _ in range(2):
        answer = "3.14" if chat.form.entry is Entry.NUMBER else "Jakarta"
        await chat.on_text(desk, request, answer)
        await chat.on_press(desk, request, 0)

    await host.close()
    assert "Done!" in chat.lines
    assert chat.lines.count("Right!") == 2


def test_every_page_that_is_linked_to_exists():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]

    broken = [
        f"{page.name}: {link}"
        for page in pages
        for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", page.read_text(encoding="utf-8"))
        if page.name != "packs.md" and not (page.parent / link).exists()
    ]

    assert broken == []
