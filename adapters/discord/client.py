"""The client: what Discord says, passed on to who deals with it."""

import json
import logging
from collections import OrderedDict
from typing import Any

import discord
from discord import app_commands

from adapters.discord.commands import Translator, build, fingerprint
from adapters.discord.components import hand_over
from adapters.discord.identity import PLATFORM, Identity, channel_alias
from adapters.discord.manners import Manners
from adapters.discord.polls import Polls
from adapters.discord.reception import Reception
from adapters.discord.sending import Sender
from bot.desk import Desk
from bot.effects import Trouble
from bot.events import Failed
from bot.host import Host
from bot.ports import Clock, Store
from bot.session import Session

_log = logging.getLogger(__name__)


class QuizClient(discord.AutoShardedClient):
    """Connects to Discord with as few rights as a quiz needs: nothing privileged."""

    reception: Reception
    polls: Polls

    def __init__(self, *, clock: Clock, **options: Any) -> None:  # noqa: ANN401 - discord.py's own
        """Take the clock, and what else `discord.AutoShardedClient` understands."""
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # nobody speaks here
        super().__init__(
            intents=discord.Intents(guilds=True, polls=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            **options,
        )
        self._clock = clock
        self.command_ids: dict[str, int] = {}
        self.tree: app_commands.CommandTree[QuizClient] = app_commands.CommandTree(self)
        build(self.tree)

    def introduce(self, *, host: Host, desk: Desk, store: Store, sender: Sender) -> None:
        """Take whom the client works with."""
        self._store = store
        identity = Identity(store)
        self.reception = Reception(
            host=host,
            desk=desk,
            clock=self._clock,
            identity=identity,
            sender=sender,
            manners=Manners(),
        )
        self.polls = Polls(
            host=host,
            store=store,
            clock=self._clock,
            identity=identity,
            sender=sender,
            known=OrderedDict(),
            turns={},
        )

    async def setup_hook(self) -> None:
        """Register the commands before anything is heard, if they have changed."""
        translator = Translator()
        await self.tree.set_translator(translator)
        key = f"discord.commands.{self.application_id}"
        now = await fingerprint(self.tree, translator)
        noted, ids = json.loads(await self._store.note(key) or '["", {}]')
        if noted != now:
            ids = {command.name: command.id for command in await self.tree.sync()}
            await self._store.set_note(key, json.dumps([now, ids]))
        self.command_ids.update(ids)

    async def on_interaction(self, interaction: "discord.Interaction[QuizClient]") -> None:
        """Take forms, buttons and menus of any age, and answer those that are not ours."""
        if interaction.type is discord.InteractionType.modal_submit:
            await self.reception.typed(interaction)
        elif interaction.type is discord.InteractionType.component:
            await hand_over(interaction)

    async def on_raw_poll_vote_add(self, vote: discord.RawPollVoteActionEvent) -> None:
        """Take a vote."""
        await self.polls.voted(vote, added=True)

    async def on_raw_poll_vote_remove(self, vote: discord.RawPollVoteActionEvent) -> None:
        """Take a vote back."""
        await self.polls.voted(vote, added=False)

    # ------------------------------------------------------------ places that go

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Pause what runs in a server that the bot has left."""
        for session in await self._store.unfinished():
            room = await self._store.room_by_id(session.room)
            here = room.alias.platform == PLATFORM and room.community == str(guild.id)
            if here and session.owner is None:
                await self._pause(session)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Pause what runs in a channel that is gone."""
        await self._gone(channel.id)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """Pause what runs in a thread that is gone."""
        await self._gone(thread.thread_id)

    async def _gone(self, channel: int) -> None:
        room = await self._store.room(channel_alias(channel))
        session = await self._store.open_session(room.id, None)
        if session and session.active:
            await self._pause(session)

    async def _pause(self, session: Session) -> None:
        failed = Failed(turn=session.turn, at=self._clock.now(), trouble=Trouble.ROOM_GONE.value)
        await self.reception.host.handle(session.id, failed)
