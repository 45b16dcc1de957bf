"""300 answers on Telegram and 200 on Discord, by one person: joined, counted right, separated."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import count, product
from typing import Any

from adapters.storage import open_store
from bot.actions import Verb
from bot.answering import Given
from bot.commands import Place
from bot.desk import Desk, Reply, Request
from bot.events import Advanced
from bot.host import Host
from bot.ids import ItemId
from bot.modes import Mode, Rules
from bot.packs import Library, Pack
from bot.people import Alias, Participant, Room
from bot.ports import Board, BoardQuery, Merit, Period, Scope, Store
from bot.session import Session
from bot.wishes import Wish
from tests.helpers.doubles import Recorder, Watch
from tests.helpers.samples import CHOICE, edition

ITEMS = 50
SEEDS: Callable[[], int] = count(1000).__next__


@dataclass(kw_only=True)
class Side:
    """One platform: a process of its own over the common store, with a room of its own."""

    host: Host
    desk: Desk
    room: Room
    watch: Watch
    chat: Recorder
    pack: Pack

    @classmethod
    async def made(cls, platform: str, store: Store, watch: Watch) -> "Side":
        items = (replace(CHOICE, id=ItemId(f"i{number}")) for number in range(ITEMS))
        pack = Pack(editions=(edition(*items),))
        library, chat = Library((pack,)), Recorder()
        host = Host(store=store, clock=watch, library=library, chats={platform: chat}, seeds=SEEDS)
        desk = Desk(host=host, store=store, library=library, clock=watch)
        room = await store.room(Alias(platform=platform, external="1"), title=platform)
        return cls(host=host, desk=desk, room=room, watch=watch, chat=chat, pack=pack)

    async def plays(self, who: Participant, count: int, *, every: int) -> None:
        """Take a quiz of so many items alone, and be wrong about every so-manieth."""
        wish = Wish(pack=self.pack, rules=Rules(mode=Mode.SOLO, keep_order=True), count=count)
        session = await self.host.start(wish, room=self.room, by=who)
        assert isinstance(session, Session)
        for turn in range(count):
            if turn % 7 == 0:
                await self.watch.move_to(self.watch.now() + timedelta(seconds=every))
            letter = "A" if turn % every == 0 else "B"
            now = self.watch.now()
            given = Given(session=session.id, turn=turn, answer=letter, by=who, at=now)
            assert await self.host.answer(given) is None
            await self.host.steer(session.id, Advanced(turn=turn, by=who.id, at=now))

    def asks(self, who: Participant) -> Request:
        return Request(room=self.room, person=who, place=Place.PRIVATE)


async def boards(store: Store, side: Side, me: Participant, scope: Scope) -> list[Board]:
    queries = [
        BoardQuery(room=side.room, scope=scope, period=period, merit=merit, me=me.id)
        for period in Period
        for merit in Merit
    ]
    return [await store.leaderboard(query, side.watch.now()) for query in queries]


async def state(store: Store, sides: list[Side], people: list[Participant]) -> list[Any]:
    """All that a person can see of themselves: boards, histories, numbers."""
    return [
        (
            [await boards(store, side, who, scope) for side, scope in product(sides, Scope)],
            await store.history(who.id),
            await store.response_count(who.id),
            (await sides[0].desk.obey(sides[0].asks(who), "stats", "")).panel.body,
        )
        for who in people
    ]


def said(reply: Reply | None) -> str:
    assert reply
    return "\n".join(reply.panel.body)


async def test_histories_of_300_and_200_are_joined_and_separated_again(store_url: str):
    async with await open_store(store_url) as store:
        watch = Watch()
        telegram, discord = [
            await Side.made(platform, store, watch) for platform in ("telegram", "discord")
        ]
        tia, dan, cid = [
            await store.participant(Alias(platform=platform, external=name), name=name)
            for platform, name in (("telegram", "Tia"), ("discord", "Dan"), ("discord", "Cid"))
        ]
        for week in range(3):
            for every in (2, 5):
                await telegram.plays(tia, ITEMS, every=every)
            if week < 2:
                for every in (3, 7):
                    await discord.plays(dan, ITEMS, every=every)
            await discord.plays(cid, 10 * (week + 1), every=100)
            if week < 2:
                await watch.move_to(watch.now() + timedelta(days=7))
        sides, people = [telegram, discord], [tia, dan, cid]
        before = await state(store, sides, people)
        counts = [await store.response_count(who.id) for who in (tia, dan)]
        apart = await boards(store, telegram, tia, Scope.EVERYWHERE)

        shown = await telegram.desk.obey(telegram.asks(tia), "link", "")
        code = re.search(r"`/link (\S+)`", said(shown))
        assert code
        asked = await discord.desk.obey(discord.asks(dan), "link", code[1])
        assert asked
        assert asked.panel.buttons[0].action.verb is Verb.LINK
        await discord.desk.press(discord.asks(dan), asked.panel.buttons[0].action)
        await telegram.desk.tick({"telegram"})

        assert counts == [300, 200]
        assert "Dan on Discord" in telegram.chat.last.panel.body[0]
        for own, joined in zip(
            apart, await boards(store, telegram, tia, Scope.EVERYWHERE), strict=True
        ):
            rows = {row.name: row for row in own.rows}
            one = next(row for row in joined.rows if row.participant == tia.id)
            parts = [rows[name] for name in ("Tia", "Dan") if name in rows]
            assert one.points == sum(row.points for row in parts)
            assert one.answered == sum(row.answered for row in parts)
            assert joined.total == own.total - len(parts) + 1
            assert joined.mine == one
        history = await store.history(dan.id)
        assert sum(len(responses) for _, responses in history) == 500
        stats = [
            said(await side.desk.obey(side.asks(w), "stats", ""))
            for side, w in zip(sides, (tia, dan), strict=True)
        ]
        assert stats[0] == stats[1]
        assert "10 quizzes taken" in stats[0]
        for (seen, *_), who in zip(before, people, strict=True):
            for (side, scope), board in zip(product(sides, Scope), seen, strict=True):
                if scope is not Scope.EVERYWHERE:
                    assert await boards(store, side, who, scope) == board
        assert await store.rebuild() == 3 * ITEMS + 2 * ITEMS + 60

        asked = await discord.desk.obey(discord.asks(dan), "unlink", "")
        assert asked
        await discord.desk.press(discord.asks(dan), asked.panel.buttons[0].action)

        assert await state(store, sides, people) == before
        for side in sides:
            await side.host.close()
