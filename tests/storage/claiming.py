"""A program to be killed: claims a room's question of the day, and says so instead of asking it.

python -m tests.storage.claiming sqlite:///kuis.db
"""

import asyncio
import os
import sys
from itertools import count

from adapters.storage import open_store
from bot.commands import Place
from bot.desk import Desk
from bot.host import Host
from bot.packs import Library
from bot.people import Alias
from bot.ports import Post
from bot.requests import Request
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, NOON, TRUE, pack


class Mute:
    """A chat that never gets a word out."""

    async def show(self, post: Post) -> str:  # noqa: ARG002 - as the port has it
        os.write(1, b"claimed\n")
        await asyncio.sleep(60)
        return ""


async def main(url: str) -> None:
    store = await open_store(url)
    watch, library = Watch(), Library([pack(CHOICE, TRUE)])
    watch._now = NOON.replace(hour=11)  # noqa: SLF001 - an hour before
    host = Host(
        store=store, clock=watch, library=library, chats={"test": Mute()}, seeds=count(1).__next__
    )
    desk = Desk(host=host, store=store, library=library, clock=watch)
    room = await store.room(Alias(platform="test", external="here"))
    ann = await store.participant(Alias(platform="test", external="ann"), name="Ann")
    await host.recover()
    request = Request(room=room, person=ann, place=Place.ROOM, moderator=True)
    await desk.obey(request, "daily", "set 19:00 Asia/Jakarta")
    watch._now = NOON  # noqa: SLF001 - it is time
    await desk.tick({"test"})


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
