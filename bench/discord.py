"""What a press of a button costs: the whole bot against the bare library with an empty handler.

    python -m bench.discord

Both get the same payloads, as the gateway brings them, a hundred outstanding at a time: thousands
of people who answer one live question after another. Bare is discord.py alone, parsing the
interaction and calling the empty `callback` of a `DynamicItem`. The bot does all it does: finds
the person, grades, commits to SQLite on disk, and draws the verdict; the network is a stub on both
sides.
Ratios of one run can be trusted, absolute figures cannot: the rounds take turns.
"""

import asyncio
import itertools
import json
import sys
import tempfile
import warnings
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Self

warnings.filterwarnings("ignore", "'audioop' is deprecated", DeprecationWarning)

import discord  # noqa: E402 - after the filter for what it imports
from discord import ui  # noqa: E402
from discord.webhook import async_  # noqa: E402

from adapters.clock import SystemClock  # noqa: E402
from adapters.discord import DiscordChat  # noqa: E402
from adapters.discord.components import BUTTON_TEMPLATE  # noqa: E402
from adapters.packs import load  # noqa: E402
from adapters.storage import open_store  # noqa: E402
from bot.desk import Desk  # noqa: E402
from bot.host import Host  # noqa: E402
from bot.modes import Mode, Rules  # noqa: E402
from bot.people import Alias  # noqa: E402
from bot.wishes import Wish  # noqa: E402

ANSWERS = 2_000
OUTSTANDING = 100
ROUNDS = 5
GUILD, CHANNEL, BOT = 1_000_000_000_000_001, 1_000_000_000_000_002, 1_000_000_000_000_003
TARGET = 0.5


class Feed:
    """Hands payloads to a client, a hundred outstanding at most; each that is done lets one in."""

    def __init__(self) -> None:
        """Start with nothing to hand over."""
        self._payloads: Any = iter(())
        self._left = 0

    async def rate(self, client: discord.Client, payloads: list[Any]) -> float:
        """Hand all payloads to a client, and give how many a second are done."""
        self._dispatch = client._connection.parsers["INTERACTION_CREATE"]  # noqa: SLF001 - the way in
        self._payloads, self._left = iter(payloads), len(payloads)
        self._empty = asyncio.get_running_loop().create_future()
        begun = perf_counter()
        for payload in itertools.islice(self._payloads, OUTSTANDING):
            self._dispatch(payload)
        await self._empty
        return len(payloads) / (perf_counter() - begun)

    def done(self) -> None:
        """Count one payload as done."""
        self._left -= 1
        if payload := next(self._payloads, None):
            self._dispatch(payload)
        elif not self._left:
            self._empty.set_result(None)


FEED = Feed()


class Silent:
    """The network of both: takes every answer to an interaction, and says thank you."""

    async def create_interaction_response(self, interaction_id: int, *_: Any, **__: Any) -> Any:  # noqa: ANN401
        """Take an answer."""
        await asyncio.sleep(0)
        FEED.done()
        return {"interaction": {"id": str(interaction_id), "type": 3}}


class Empty(ui.DynamicItem[ui.Button[Any]], template=BUTTON_TEMPLATE):
    """The empty handler."""

    @classmethod
    async def from_custom_id(cls, _: Any, item: Any, __: Any) -> Self:  # noqa: ANN401
        """Take up a button."""
        return cls(item)

    async def callback(self, _: discord.Interaction[Any]) -> None:
        """Do nothing."""
        FEED.done()


async def main() -> None:
    """Measure and print a small table."""
    async_.async_context.set(Silent())  # type: ignore[arg-type] # all that is called of it
    bare = discord.AutoShardedClient(intents=discord.Intents(guilds=True), shard_count=1)
    bare.add_dynamic_items(Empty)
    await connect(bare)
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        store = await open_store(f"sqlite:///{folder}/kuis.db")
        bot = Bot(store)
        await connect(bot.chat.client, bot.sent)
        for number in range(-1, ROUNDS):
            payloads = await bot.question(number, store)
            ours = await FEED.rate(bot.chat.client, payloads)
            empty = await FEED.rate(bare, payloads)
            if number >= 0:
                bot.rates.append((ours, empty))
        await bot.host.close()
        await store.close()
    ratio = median(ours / empty for ours, empty in bot.rates)
    print("round    bot/s   bare/s  ratio")
    for number, (ours, empty) in enumerate(bot.rates, 1):
        print(f"{number:5} {ours:8.0f} {empty:8.0f} {ours / empty:6.2f}")
    print(f"median ratio {ratio:.2f}, target {TARGET}")
    if "--check" in sys.argv and ratio < TARGET:
        sys.exit(1)


class Bot:
    """The whole bot, without a network."""

    def __init__(self, store: Any) -> None:  # noqa: ANN401 - either store
        """Put it together as `kuis run` does."""
        clock = SystemClock()
        library = load([Path("questions")]).library
        self.rates: list[tuple[float, float]] = []
        self.pack = library.find("gradient-accumulation")
        self.chat = DiscordChat(token="", clock=clock, shard_count=1)
        seeds = itertools.count(1)
        self.host = Host(
            store=store,
            clock=clock,
            library=library,
            chats={"discord": self.chat},
            seeds=lambda: next(seeds),
        )
        desk = Desk(host=self.host, store=store, library=library, clock=clock)
        self.chat.introduce(host=self.host, desk=desk, store=store)
        self.sent: dict[str, Any] = {}

    async def question(self, number: int, store: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        """Ask a question in a channel of its own, and make everybody's presses."""
        channel = CHANNEL + 10 + number
        room = await store.room(Alias(platform="discord", external=str(channel)), title="kuis")
        starter = await store.participant(Alias(platform="discord", external="9"), name="host")
        wish = Wish(pack=self.pack, rules=Rules(mode=Mode.LIVE, seconds=600))
        await self.host.start(wish, room=room, by=starter)
        return [press(self.sent, channel, person) for person in range(ANSWERS)]


async def connect(client: discord.Client, sent: dict[str, Any] | None = None) -> None:
    """Give a client what it would have after its connection."""
    await client._async_setup_hook()  # noqa: SLF001 - what `login` does first
    state = client._connection  # noqa: SLF001 - no network, so it is put there by hand
    client.http._HTTPClient__session = object()  # type: ignore[attr-defined] # noqa: SLF001
    state.application_id = BOT
    user = {"id": str(BOT), "username": "kuis", "discriminator": "0", "avatar": None}
    state.user = discord.ClientUser(state=state, data=user)  # type: ignore[arg-type]
    state._add_guild_from_data(guild())  # type: ignore[arg-type] # noqa: SLF001

    async def request(_: Any, **more: Any) -> Any:  # noqa: ANN401 - stands in for HTTP
        message = more.get("json") or {}
        if sent is not None and "components" in message:
            sent.clear()
            sent.update(message)
        return {**bare_message(CHANNEL, message.get("components", [])), "channel_id": str(CHANNEL)}

    client.http.request = request  # type: ignore[method-assign,assignment]


def press(sent: dict[str, Any], channel: int, person: int) -> dict[str, Any]:
    """Make the press of one person, as the gateway brings it."""
    ids = [part["custom_id"] for part in _walk(sent["components"]) if part.get("type") == 2]  # noqa: PLR2004
    payload = {
        "id": str(2_000_000_000_000_000 + person),
        "application_id": str(BOT),
        "type": 3,
        "token": f"token-{person}",
        "version": 1,
        "data": {"custom_id": ids[person % len(ids)], "component_type": 2},
        "channel_id": str(channel),
        "channel": {
            "id": str(channel),
            "type": 0,
            "name": "kuis",
            "guild_id": str(GUILD),
            "position": 0,
            "permission_overwrites": [],
            "nsfw": False,
            "parent_id": None,
        },
        "guild_id": str(GUILD),
        "member": member(person),
        "message": bare_message(channel, sent["components"]),
        "locale": "en-US",
        "guild_locale": "en-US",
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(GUILD)},
        "context": 0,
        "attachment_size_limit": 10_485_760,
        "app_permissions": "2248473465835073",
    }
    parsed: dict[str, Any] = json.loads(json.dumps(payload))
    return parsed


def member(person: int) -> dict[str, Any]:
    """Make a member of the server."""
    return {
        "user": {
            "id": str(3_000_000_000_000_000 + person),
            "username": f"user{person}",
            "global_name": f"Peserta {person}",
            "discriminator": "0",
            "avatar": None,
        },
        "nick": None,
        "roles": [],
        "joined_at": "2026-01-01T00:00:00+00:00",
        "deaf": False,
        "mute": False,
        "flags": 0,
        "permissions": "2248473465835073",
    }


def bare_message(channel: int, components: list[Any]) -> dict[str, Any]:
    """Make a message of the bot."""
    return {
        "id": "1456074443980800019",
        "channel_id": str(channel),
        "author": {
            "id": str(BOT),
            "username": "kuis",
            "discriminator": "0",
            "avatar": None,
            "bot": True,
        },
        "content": "",
        "timestamp": "2026-01-01T00:00:00+00:00",
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "pinned": False,
        "type": 0,
        "flags": 32768,
        "components": components,
    }


def guild() -> dict[str, Any]:
    """Make a server."""
    return {
        "id": str(GUILD), "name": "Machine Learning ID", "member_count": 5000, "channels": [],
        "threads": [], "roles": [], "emojis": [], "stickers": [], "members": [], "features": [],
        "verification_level": 0, "default_message_notifications": 0, "afk_timeout": 0,
        "explicit_content_filter": 0, "mfa_level": 0, "nsfw_level": 0, "premium_tier": 0,
        "system_channel_flags": 0, "preferred_locale": "en-US", "owner_id": "9",
        "premium_progress_bar_enabled": False, "voice_states": [], "presences": [],
        "stage_instances": [], "guild_scheduled_events": [], "soundboard_sounds": [],
    }  # fmt: skip


def _walk(parts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for one in parts for part in (one, *_walk(one.get("components", [])))]


if __name__ == "__main__":
    asyncio.run(main())
