"""A program to be killed: records responses, and says of each that it is safe once it is.

python -m tests.storage.crashing sqlite:///kuis.db name
"""

import asyncio
import os
import sys
from dataclasses import replace

from adapters.storage import open_store
from bot.ids import ParticipantId
from tests.storage.worlds import World, alias


async def main(url: str, name: str) -> None:
    store = await open_store(url)
    world = await World.made(store)
    room = await store.room(alias(name))
    session = await world.opened(name, room=room)
    given = world.response(session, world.ann, room=room)
    os.write(1, b"ready\n")

    async def answer(lane: int) -> None:
        number = 0
        while True:
            who = ParticipantId(f"{lane}-{number}")
            await store.record(replace(given, participant=who))
            os.write(1, f"{who}\n".encode())
            number += 1

    await asyncio.gather(*map(answer, range(20)))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
