"""Handing in: files and polls that people send become the desk's imports.

In a group a bot hears little (privacy mode): commands, also below a file, and replies to it. What
else it may hear there is taken only from somebody who has just said `/import`.
"""

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from telegram import Document, Message, Poll
from telegram.error import TelegramError

from adapters.telegram.commands import typed
from adapters.telegram.replying import Replying, Wanted
from adapters.telegram.speaking import Speaker
from bot.commands import find
from bot.desk import Desk, Reply
from bot.menus import notice
from bot.parcelling import poll
from bot.text import literal

_log = logging.getLogger(__name__)

MOST_BYTES = 20 * 1024 * 1024
"""Bots cannot fetch larger files."""

SETTLE_SECONDS = 3.0
"""So long others in the same batch wait until a file is stored; a large one takes longer."""

HEARD = "👍"


class HandingIn:
    """Takes files and polls to the desk."""

    def __init__(self, *, desk: Desk, speaker: Speaker, replying: Replying, username: str) -> None:
        """Take the collaborators, and the bot's own name."""
        self._desk = desk
        self._speaker = speaker
        self._replying = replying
        self._username = username

    async def take(self, wanted: Wanted, message: Message) -> None:
        """Take what a message holds, if it is meant for us."""
        if not await self._is_meant(wanted, message):
            return
        if message.document:
            await self._settled_soon(wanted, self._document(wanted, message.document))
        elif message.poll:
            await self._poll(wanted, message.poll)

    async def _is_meant(self, wanted: Wanted, message: Message) -> bool:
        if wanted.via.spot.private or commanded(message, self._username):
            return True
        answered = message.reply_to_message
        author = answered.from_user if answered else None
        if author and author.username == self._username:
            return True
        return not wanted.channel and await self._desk.banking.expects(wanted.request)

    async def _document(self, wanted: Wanted, document: Document) -> None:
        name = document.file_name or "file"
        size = document.file_size or 0
        reply = self._desk.banking.turned_away(wanted.request, name, size, MOST_BYTES)
        if reply is None:
            reply = await self._imported(wanted, name, document)
        await self._reply(wanted, reply)

    async def _imported(self, wanted: Wanted, name: str, document: Document) -> Reply:
        try:
            content = await self._speaker.fetch(document.file_id)
        except TelegramError as error:
            _log.warning("file not fetched", extra={"why": str(error)})
            sentence = self._replying.words(wanted).say(
                "I could not fetch {file}. Please send it once more.", file=literal(name)
            )
            return Reply(panel=notice(sentence))
        return await self._desk.imported(wanted.request, name, content)

    async def _poll(self, wanted: Wanted, sent: Poll) -> None:
        """Take a poll; its key is known only of polls that were made here, not forwarded."""
        draft = poll(
            sent.question,
            [option.text for option in sent.options],
            sent.correct_option_ids or (),
            sent.explanation or "",
        )
        reply = await self._desk.banking.collected(wanted.request, draft)
        await wanted.via.settle()
        if reply:
            await self._reply(wanted, reply)
        else:
            await self._speaker.react(wanted.via.spot, wanted.via.message_id, HEARD)

    async def _reply(self, wanted: Wanted, reply: Reply) -> None:
        """Tell the person alone what others need not see: the questions of a quiz to come."""
        alone = bool(reply.panel.buttons) and wanted.via.someone.user_id is not None
        await self._replying.reply(wanted, reply, personal=alone)

    async def _settled_soon(self, wanted: Wanted, work: Coroutine[Any, Any, None]) -> None:
        doing = asyncio.ensure_future(work)
        await asyncio.wait({doing}, timeout=SETTLE_SECONDS)
        await wanted.via.settle()
        await doing


def commanded(message: Message, username: str) -> bool:
    """Tell whether the text below a file is the command to bring it in."""
    said = typed(message.caption or "", username)
    known = find(said.name) if said else None
    return known is not None and known.name == "import"
