"""`kuis run` with both tokens: one process, one database, one board over both platforms."""

from pathlib import Path

import pytest

from adapters.storage import open_store
from bot.people import Alias
from bot.ports import BoardQuery, Scope
from tests.fakes.bot_api import TOKEN, BotApi
from tests.helpers.discord_process import Process
from tests.helpers.discord_wire import WireDiscord, text_of, until
from tests.helpers.telegrams import Spectator

pytestmark = pytest.mark.xdist_group("discord-wire")


async def test_both_chats_share_one_board_and_end_together(tmp_path: Path) -> None:
    wire = WireDiscord()
    await wire.start()
    async with BotApi() as api:
        process = Process(
            wire=wire,
            folder=tmp_path,
            chats=(),
            more={"TELEGRAM_TOKEN": TOKEN, "TELEGRAM_API_URL": api.url},
        )
        await process.start()
        telegram = Spectator(api)
        await until(lambda: api.polled, child=process.child)

        ani = api.world.person(1001, "Ani")
        api.world.say(ani, "/quiz gradient 1")
        (question,) = await telegram.new(ani)
        api.world.vote(ani, question, telegram.poll_of(question).keys[0])
        await telegram.new(ani)
        ben = wire.person("ben")
        await wire.command(ben, "quiz", pack="gradient-accumulation", count=1)
        await wire.click(ben, wire.private()[0], "A")
        await wire.command(ben, "leaderboard", scope="everywhere", period="all")
        await until(wire.public)
        board = text_of(wire.public()[0])
        code, complaint = await process.end()

    await wire.stop()
    assert "**Ani** · 100 points" in board
    assert "**ben**" in board
    assert "everywhere" in board
    assert (code, "Traceback" in complaint) == (0, False)
    async with await open_store(f"sqlite:///{tmp_path}/kuis.db") as store:
        room = await store.room(Alias(platform="discord", external=str(wire.channel.id)))
        query = BoardQuery(room=room, scope=Scope.EVERYWHERE)
        stored = await store.leaderboard(query, wire.backend.clock.now())
    assert stored.total == 2
