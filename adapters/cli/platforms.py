"""Platforms: asks Telegram and Discord whether they know the bot, and what it may do there."""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import aiohttp

from bot.wording import Words

OK = 200
FEW_STARTS = 50
ADMINISTRATOR = 3
DISCORD_NEEDS = {
    "View Channels": 10,
    "Send Messages": 11,
    "Embed Links": 14,
    "Attach Files": 15,
    "Read Message History": 16,
}
"""What the bot needs in a server, by the names Discord shows, and the bits of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that was looked at: `bad` keeps a bot from working, a `note` is good to know."""

    about: str
    state: Literal["good", "note", "bad"]
    what: str
    cure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Web:
    """Asks the platforms whether they know our tokens."""

    client: aiohttp.ClientSession
    language: Words

    async def telegram(
        self, root: str, rooms: Sequence[tuple[str, str]] = ()
    ) -> AsyncIterator[Finding]:
        """Ask who the bot is, whether Telegram can reach us, if it should, and whether the bot may
        do what it must in these rooms (what Telegram calls each, and its title).
        """
        status, answer = await self._ask(f"{root}/getMe")
        if status != OK:
            yield self._refused("telegram", "TELEGRAM_TOKEN", "https://t.me/BotFather", status)
            return
        me = answer["result"]
        yield await self._reached(root, me.get("username", ""))
        for external, title in rooms:
            chat = external.partition("/")[0]
            if chat.startswith("-"):
                asked = f"{root}/getChatMember?chat_id={chat}&user_id={me.get('id')}"
                status, answer = await self._ask(asked)
                if why := self._hindered(status, answer.get("result") or {}):
                    yield Finding(
                        about="telegram",
                        state="note",
                        what=f"{title or external}: {why[0]}",
                        cure=why[1],
                    )

    def _hindered(self, status: int, member: Mapping[str, Any]) -> tuple[str, str] | None:
        """Tell what keeps the bot from asking in a room, and what to do about it."""
        say = self.language.say
        kind = member.get("status", "")
        if status in {400, 403} or kind in {"left", "kicked"}:
            return (
                say("The bot is no longer a member."),
                say("Add it again to go on there; everything is kept."),
            )
        if kind == "restricted" and not (
            member.get("can_send_polls") and member.get("can_send_messages")
        ):
            return (
                say("The bot may not send messages and polls."),
                say("Allow both in the group's permissions, or make the bot an admin."),
            )
        if kind == "administrator" and member.get("can_post_messages") is False:
            return (
                say("The bot may not post in this channel."),
                say("Allow it to post and edit messages in the channel's administrators."),
            )
        return None

    async def _reached(self, root: str, name: str) -> Finding:
        say = self.language.say
        _, hook = await self._ask(f"{root}/getWebhookInfo")
        trouble = (hook.get("result") or {}).get("last_error_message")
        if trouble:
            return Finding(
                about="telegram",
                state="note",
                what=say("The bot is @{name}; its webhook failed: {why}.", name=name, why=trouble),
                cure=say("Check that TELEGRAM_WEBHOOK_URL leads to this program from outside."),
            )
        return Finding(about="telegram", state="good", what=say("The bot is @{name}.", name=name))

    async def discord(self, root: str, token: str) -> AsyncIterator[Finding]:
        """Ask who the bot is, whether it may connect to the gateway, and what it may do in its
        servers.
        """
        headers = {"Authorization": f"Bot {token}"}
        status, answer = await self._ask(f"{root}/users/@me", headers)
        if status != OK:
            where = "https://discord.com/developers/applications"
            yield self._refused("discord", "DISCORD_TOKEN", where, status)
            return
        yield await self._connected(root, headers, answer.get("username", ""))
        _, guilds = await self._ask(f"{root}/users/@me/guilds", headers)
        for guild in guilds.get("", ()):
            may = int(guild.get("permissions", 0))
            lacking = [name for name, bit in DISCORD_NEEDS.items() if not may >> bit & 1]
            if lacking and not may >> ADMINISTRATOR & 1:
                yield Finding(
                    about="discord",
                    state="note",
                    what=self.language.say(
                        "{server}: the bot lacks {permissions}.",
                        server=guild.get("name", ""),
                        permissions=", ".join(lacking),
                    ),
                    cure=self.language.say(
                        "Give them to its role in the server's settings. Channels may differ."
                    ),
                )

    async def _connected(self, root: str, headers: Mapping[str, str], name: str) -> Finding:
        say = self.language.say
        _, gateway = await self._ask(f"{root}/gateway/bot", headers)
        left = gateway.get("session_start_limit", {}).get("remaining", FEW_STARTS)
        if left < FEW_STARTS:
            return Finding(
                about="discord",
                state="note",
                what=say(
                    "The bot is {name}; it may connect only {n} times more.", name=name, n=left
                ),
                cure=say("Let it run: Discord counts every start, and forgets after a day."),
            )
        return Finding(about="discord", state="good", what=say("The bot is {name}.", name=name))

    async def _ask(
        self, url: str, headers: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, Any]]:
        """Give the status and the answer; 0 if there is none. A list stands under an empty name."""
        try:
            async with self.client.get(url, headers=headers) as response:
                found = await response.json(content_type=None)
                return response.status, found if isinstance(found, dict) else {"": found}
        except (aiohttp.ClientError, TimeoutError, ValueError):
            return 0, {}

    def _refused(self, about: str, setting: str, where: str, status: int) -> Finding:
        say = self.language.say
        if status in {401, 403, 404}:
            return Finding(
                about=about,
                state="bad",
                what=say("The token is not accepted ({status}).", status=status),
                cure=say(
                    "Copy it again from {where} into {setting}.", where=where, setting=setting
                ),
            )
        what = say("The platform gave no answer that makes sense ({status}).", status=status)
        cure = say("Check the connection and proxy of this computer, then try again.")
        return Finding(about=about, state="bad", what=what, cure=cure)
