"""A stage for the Discord adapter: the real client and library against simcord's Discord."""

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from simcord.backend import serializers
from simcord.builders import ChannelHandle, UserHandle
from simcord.interactions import base_payload
from simcord.results import InteractionResult

from adapters.discord import DiscordChat
from adapters.packs import load
from adapters.storage import open_store
from bot.desk import Desk
from bot.events import Failed
from bot.host import Host
from bot.items import keys
from bot.packs import Library
from bot.people import Alias
from bot.session import Phase, Session
from tests.helpers.discord_limits import violations
from tests.helpers.discord_looks import buttons, shown

QUESTIONS = Path(__file__).parent.parent.parent / "questions"
TOKEN = "not.a.token"  # noqa: S105 - simcord takes any
SEED_QUIZ = "gradient-accumulation"

simcord.Env._settle_internal.__kwdefaults__["idle"] = 0.001  # noqa: SLF001 - 20 times faster


class VirtualClock:
    """The time of the simulated Discord."""

    def now(self) -> datetime:
        return discord.utils.utcnow()

    async def sleep_until(self, at: datetime) -> None:
        await asyncio.sleep(max(0.0, (at - self.now()).total_seconds()))


@dataclass(kw_only=True)
class Stage:
    """A running bot, and what the test looks at."""

    env: Any
    store: Any
    library: Library
    chat: DiscordChat
    host: Host
    guild: Any
    channel: Any
    made: Any = field(default_factory=lambda: itertools.count(1))

    def member(self, name: str, **more: Any) -> Any:
        return self.guild.add_member(self.env.create_user(name), **more)

    def members(self, count: int) -> list[Any]:
        return [self.member(f"member-{n:02}") for n in range(count)]

    async def restart(self) -> None:
        """Start a new bot over the same database and the same Discord."""
        await self.host.close()
        self.chat, self.host = bot(self.store, self.library)
        await self.env.restart_bot(self.chat.client)
        await self.recover()

    async def recover(self) -> None:
        """Take up what was going on, as the program does when it starts."""
        with self.env._bot_scope():  # noqa: SLF001 - what follows is the bot's work
            task = asyncio.create_task(self.host.recover())
        await self.env.settle()
        await task

    def in_indonesian(self) -> None:
        """Let everybody's Discord be in Indonesian from now on."""
        emit = self.env.backend.emit

        def translated(event: str, payload: dict[str, Any], **more: Any) -> Any:
            if event == "INTERACTION_CREATE":
                payload = {**payload, "locale": "id", "guild_locale": "id"}
            return emit(event, payload, **more)

        self.env.backend.emit = translated

    async def session(self, owner: Any = None, channel: Any = None) -> Session | None:
        """Give what is being played: somebody's own quiz, or the channel's."""
        room = await self.store.room(alias((channel or self.channel).id))
        person = await self.store.participant(alias(owner.id)) if owner else None
        return await self.store.open_session(room.id, person and person.id)

    async def letter(self, owner: Any = None, channel: Any = None, *, right: bool = True) -> str:
        """Give a letter that is right, or wrong, for the current question."""
        session = await self.session(owner, channel)
        assert session
        return await answer_letter(self, session, right=right)

    def alias(self, member: Any) -> Alias:
        return alias(member.id)

    def options(self, language: str) -> list[Any]:
        """List all options of the seed quiz in a language."""
        edition = self.library.find(SEED_QUIZ).edition(language)
        return [option for item in edition.items for option in item.options]

    async def lose(self, phase: str, owner: Any = None) -> None:
        """Put a session back to where it stood before the last message was confirmed."""
        session = await self.session(owner)
        assert session
        earlier = replace(session, phase=Phase[phase])
        assert await self.store.save(session, earlier)

    def public(self, channel: Any = None) -> list[Any]:
        """List what everybody can see of the bot."""
        place = channel or self.channel
        return [m for m in place.history() if not m.flags.ephemeral and m.author.bot]

    def thread(self, name: str) -> Any:
        """Open a thread in the channel."""
        backend = self.env.backend
        made = backend.create_thread(self.channel.id, name, owner_id=backend.bot_user.id)
        return ChannelHandle(self.env, self.guild, made)

    def permissions(self, **allowed: bool) -> Any:
        return discord.Permissions(**allowed)

    async def allow(self, **settings: Any) -> None:
        """Change the settings of the server."""
        identity = self.chat.client.reception.identity
        room = await identity.server(self.guild.id)
        await self.store.set_settings(room.id, replace(room.settings, **settings))

    def told(self, record: Any) -> Any:
        """Give what an interaction was answered with."""
        return InteractionResult(self.env, record).response

    async def votes(self, reveal: Any) -> int:
        """Sum up the votes that a reveal shows."""
        return sum(int(n) for n in re.findall(r"[▰▱]+  (\d+) · ", shown(reveal)))

    async def standings_shown(self, message: Any) -> AsyncIterator[tuple[str, int]]:
        for name, points in re.findall(r"\*\*(.+?)\*\* · (\d+) points?", shown(message)):
            yield name, int(points)

    def finished(self, room: Any) -> Session:
        """Give the last session of a room, which is over."""
        every = self.store._sessions.values()  # noqa: SLF001 - the memory store has no other way
        return max((s for s in every if s.room == room), key=lambda s: s.started)

    def item(self, session: Session) -> Any:
        return self.host.narrator.versions(session, session.turn, "en")[0]

    def newest(self, member: Any) -> Any:
        """Give the newest message that a member sees."""
        return self.channel.history(viewer=member)[-1]

    @contextmanager
    def deaf(self) -> Iterator[None]:
        """Let nothing reach the bot for a while; Discord itself goes on."""
        emit = self.env.backend.emit
        self.env.backend.emit = lambda *_, **__: None
        try:
            yield
        finally:
            self.env.backend.emit = emit

    async def post(self, poll: discord.Poll) -> Any:
        """Let a poll be posted that is not part of any quiz."""
        with self.env._bot_scope():  # noqa: SLF001 - what follows is the bot's work
            place = self.chat.client.get_partial_messageable(self.channel.id)
            return await place.send(poll=poll)

    def command(self, member: Any, name: str, **options: str) -> tuple[Any, Any]:
        """Make a command that was typed."""
        given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        data = {"id": "1", "name": name, "type": 1, "options": given}
        return base_payload(
            self.env.backend,
            type=2,
            channel_id=self.channel.id,
            guild_id=self.guild.id,
            user_id=member.id,
            data=data,
        )

    def in_private(self, member: Any) -> Any:
        """Give a member as somebody who writes to the bot directly."""
        return UserHandle(self.env, self.env.backend.get_user(member.id))

    def other(self, number: int) -> Alias:
        return alias(number)

    def use(self, library: Library) -> None:
        """Let the bot have other packs."""
        self.library.__init__(library)  # type: ignore[misc] # packs are loaded once, at the start

    def id_of(self, message: Any, label: str) -> str:
        return str(buttons(message)[label]["custom_id"])

    async def pause(self, trouble: Any) -> None:
        """Let something go wrong with the quiz of the channel."""
        session = await self.session()
        assert session
        failed = Failed(turn=session.turn, at=self.env.now(), trouble=trouble.value)
        with self.env._bot_scope():  # noqa: SLF001 - what follows is the bot's work
            task = asyncio.create_task(self.host.handle(session.id, failed))
        await self.env.settle()
        await task

    def slow(self, seconds: float) -> None:
        """Let the database take its time from now on."""
        for name in ("record", "latest"):
            setattr(self.store, name, _slowly(getattr(self.store, name), seconds))

    def break_store(self) -> None:
        """Let the database fail from now on."""
        self.store.latest = None

    def followup(self, record: Any) -> Any:
        """Give what was said after an interaction had been acknowledged."""
        return InteractionResult(self.env, record).followups[-1]

    async def at_once(self, payloads: Iterable[dict[str, Any]]) -> None:
        """Let several things arrive in the same instant."""
        for payload in payloads:
            self.env.backend.emit("INTERACTION_CREATE", payload)
        await self.env.settle()

    def press(self, member: Any, message: Any, custom_id: str, **more: Any) -> tuple[Any, Any]:
        """Make a press on a message that need not really have the button."""
        data = {"custom_id": custom_id, "component_type": 2, **more}
        channel = getattr(message, "channel_id", None) or message.channel.id
        record, payload = base_payload(
            self.env.backend,
            type=3,
            channel_id=channel,
            guild_id=self.guild.id,
            user_id=member.id,
            data=data,
        )
        stored = self.env.backend.get_message(channel, message.id)
        payload["message"] = dict(serializers.message_payload(self.env.backend, stored))
        record.source_message_id = message.id
        return record, payload


def _slowly(work: Any, seconds: float) -> Any:
    async def later(*given: Any, **named: Any) -> Any:
        await asyncio.sleep(seconds)
        return await work(*given, **named)

    return later


def alias(number: int) -> Alias:
    return Alias(platform="discord", external=str(number))


def bot(store: Any, library: Library, workshop: Any = None) -> tuple[DiscordChat, Host]:
    """Make a bot and the host it works with."""
    clock = VirtualClock()
    chat = DiscordChat(token=TOKEN, clock=clock, shard_count=1)
    numbers = itertools.count(7)
    host = Host(
        store=store,
        clock=clock,
        library=library,
        chats={"discord": chat},
        seeds=lambda: next(numbers) * 7919,
    )
    desk = Desk(host=host, store=store, library=library, clock=clock, workshop=workshop)
    chat.introduce(host=host, desk=desk, store=store)
    return chat, host


async def set_stage(
    library: Library | None = None, url: str = "memory:", workshop: Any = None
) -> Stage:
    """Raise the curtain: a server with one channel and the bot in it."""
    store = await open_store(url)
    library = library or load([QUESTIONS]).library
    chat, host = bot(store, library, workshop)
    env = simcord.Env(chat.client)
    await env.start()
    guild = env.create_guild("Machine Learning ID")
    channel = guild.create_text_channel("kuis")
    return Stage(
        env=env,
        store=store,
        library=library,
        chat=chat,
        host=host,
        guild=guild,
        channel=channel,
    )


async def performance(
    library: Library | None = None, url: str = "memory:", workshop: Any = None
) -> AsyncIterator[Stage]:
    """Set the stage for a fixture and clear it again; what went wrong unseen fails the test."""
    stage = await set_stage(library, url, workshop)
    yield stage
    await stage.host.close()
    await stage.env.shutdown()
    stage.env.raise_errors()
    await stage.store.close()
    if wrong := violations(stage.env.http_requests):
        pytest.fail("beyond Discord's limits: " + "; ".join(wrong[:5]))


async def answer_letter(stage: Stage, session: Session, *, right: bool = True) -> str:
    """Find a letter that is right, or wrong, in the order a session shows."""
    staged = stage.host.narrator.staged(session, session.turn, None)
    places = enumerate(staged.order)
    return next("ABCDEFGH"[at] for at, place in places if (place in keys(staged.item)) is right)


def public_operations(stage: Stage, channel: Any) -> int:
    """Count the messages the bot has sent and edited in a channel with its own token."""
    path = f"/channels/{channel.id}/messages"
    return sum(
        entry.path.startswith(path) and entry.method in {"POST", "PATCH"}
        for entry in stage.env.http_requests
    )
