"""Discord as a chat: shows panels where they belong, and runs the connection."""

import asyncio
import logging
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import discord

from adapters.discord.client import QuizClient
from adapters.discord.drawing import draw
from adapters.discord.failures import Unreachable
from adapters.discord.polls import Polls
from adapters.discord.reception import Reception
from adapters.discord.sending import Sender, read_name
from adapters.discord.visit import Unheard, Visit
from bot.actions import Action, Verb
from bot.desk import Desk
from bot.effects import Trouble
from bot.errors import DeliveryError, KuisError
from bot.host import Host
from bot.panels import Button, Panel, Role
from bot.people import Participant, Room
from bot.ports import Clock, Post, Store
from bot.session import Session
from bot.wording import words

_log = logging.getLogger(__name__)

PLATFORM = "discord"
IN_PLACE = {Role.QUESTION, Role.REVEAL, Role.SUMMARY}


class DiscordChat:
    """One bot on Discord, for as many servers and people as it has."""

    platform = PLATFORM

    def __init__(self, *, token: str, clock: Clock, **options: Any) -> None:  # noqa: ANN401 - discord.py's own
        """Take the token and the clock; `options` are those of `discord.AutoShardedClient`."""
        self._token = token
        self._clock = clock
        self.client = QuizClient(clock=clock, **options)
        self._sender = Sender(self.client)
        self._running: asyncio.Task[None] | None = None

    # ------------------------------------------------------------ running

    def introduce(self, *, host: Host, desk: Desk, store: Store) -> None:
        """Let the bot know whom it works with, before it connects."""
        self.client.introduce(host=host, desk=desk, store=store, sender=self._sender)

    async def start(self, *, host: Host, desk: Desk, store: Store) -> None:
        """Log in, register the commands if they have changed, and wait until Discord is ready.

        Raises KuisError with one sentence if Discord does not let the bot in.
        """
        self.introduce(host=host, desk=desk, store=store)
        try:
            await self.client.login(self._token)
        except discord.LoginFailure:
            msg = (
                "Discord does not accept the token in DISCORD_TOKEN. Copy it again from "
                "https://discord.com/developers/applications (Bot, Reset Token)."
            )
            raise KuisError(msg) from None
        except (discord.HTTPException, *Unreachable) as error:
            msg = f"Discord cannot be reached ({error}). Try again in a while."
            raise KuisError(msg) from error
        self._running = asyncio.create_task(self.client.connect())
        ready = asyncio.create_task(self.client.wait_until_ready())
        await asyncio.wait({self._running, ready}, return_when=asyncio.FIRST_COMPLETED)
        if self._running.done():
            ready.cancel()
            await self.serve()

    async def serve(self) -> None:
        """Stay connected until `stop`. Raises KuisError if Discord ends it."""
        if self._running is None:
            return
        try:
            await asyncio.shield(self._running)
        except discord.ConnectionClosed as error:
            msg = f"Discord has closed the connection for good (code {error.code})."
            raise KuisError(msg) from error
        except discord.DiscordException as error:
            msg = f"Discord ended the connection: {error}"
            raise KuisError(msg) from error

    async def stop(self) -> None:
        """Disconnect."""
        await self.client.close()
        if self._running:
            await asyncio.gather(self._running, return_exceptions=True)

    # ------------------------------------------------------------ showing

    async def show(self, post: Post) -> str:
        """Deliver a panel: to the whole channel, or to one person alone.

        Gives `<channel>/<message>`, or nothing for what only one person sees. Raises
        DeliveryError.
        """
        if post.to is None:
            return await self._show_all(post)
        if isinstance(post.via, Visit):
            panel = _shareable(post.panel) if post.room.community else post.panel
            await post.via.say(draw(panel), replaces=panel.role in IN_PLACE)
            return ""
        if isinstance(post.via, Unheard):
            return ""
        return await self._write_to(post.to, post.panel)

    async def collect(self, session: Session, room: Room, *, steered: bool) -> None:  # noqa: ARG002 - as the port has it
        """Bring in the votes of the poll that asks the open turn. Raises DeliveryError."""
        if session.rules.style == "poll":
            await self._polls.collect(session)

    async def _show_all(self, post: Post) -> str:
        channel = int(post.room.alias.external)
        panel, form = post.panel, post.panel.form
        until = self._until(panel)
        if form and form.style == "poll":
            name = await self._polls.ask(channel, panel, until)
            if name:
                return name
        replaced = read_name(post.replaces)
        if replaced is None:
            return await self._sender.post(channel, draw(panel, until=until))
        if await self._polls.asked_by(replaced[1]):
            await self._sender.end_poll(*replaced)
            return await self._sender.post(channel, draw(panel), below=replaced[1])
        if panel.anew:
            return await self._sender.post(channel, draw(panel), below=replaced[1])
        if await self._sender.edit(*replaced, draw(panel)):
            return post.replaces
        return await self._sender.post(channel, draw(panel))

    async def _write_to(self, person: Participant, panel: Panel) -> str:
        """Write to somebody who is not there: worth it only if a quiz for all needs them, or if
        they are to know who has joined them.
        """
        button = next(iter(panel.buttons), None)
        if button and button.action.verb is Verb.LINK:
            return await self._sender.write_to(int(person.alias.external), draw(panel))
        session = await self._reception.host.session(button.action.session) if button else None
        if panel.role is not Role.NOTICE or session is None or session.owner is not None:
            raise DeliveryError(Trouble.UNREACHABLE.value, "nobody is there to see it")
        return await self._sender.write_to(int(person.alias.external), draw(panel))

    def _until(self, panel: Panel) -> datetime | None:
        if panel.form is None or panel.form.seconds is None:
            return None
        return self._clock.now() + timedelta(seconds=panel.form.seconds)

    @property
    def _polls(self) -> Polls:
        return self.client.polls

    @property
    def _reception(self) -> Reception:
        return self.client.reception


def _shareable(panel: Panel) -> Panel:
    """Offer to show the result of one's own quiz to the channel."""
    sessions = [b.action.session for b in panel.buttons if b.action.verb is Verb.PLAY]
    if panel.role is not Role.SUMMARY or not any(sessions):
        return panel
    share = Button(
        label=words(panel.language).say("Show the channel"),
        action=Action(verb=Verb.SHARE, session=sessions[0]),
    )
    return replace(panel, buttons=(*panel.buttons, share))
