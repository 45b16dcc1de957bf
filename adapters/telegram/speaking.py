"""Speaking: the few things a bot can do in a chat, each through the sender."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from telegram import (
    Bot,
    ForceReply,
    InlineKeyboardMarkup,
    InputMediaPhoto,
    LinkPreviewOptions,
    Message,
    ReplyParameters,
)
from telegram.constants import ParseMode, PollType
from telegram.error import BadRequest, TelegramError

from adapters.telegram.asking import Ballot
from adapters.telegram.drawing import Keyboard, markup
from adapters.telegram.markup import DESCRIPTION, length, messages, unmarked
from adapters.telegram.pacing import Urgency
from adapters.telegram.places import Spot
from adapters.telegram.polls import OnTheWay
from adapters.telegram.sending import Sender
from adapters.telegram.troubles import harmless, unparsable
from bot.errors import DeliveryError
from bot.text import Picture

_log = logging.getLogger(__name__)

T = TypeVar("T")
Markup: TypeAlias = InlineKeyboardMarkup | ForceReply | None
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)


class Speaker:
    """Says things in chats. Raises DeliveryError where it cannot."""

    def __init__(self, *, bot: Bot, sender: Sender) -> None:
        """Take the library's bot and what paces it."""
        self._bot = bot
        self._sender = sender

    def here(self, spot: Spot) -> int:
        """Give the id a chat has now: a group may have become a supergroup."""
        return self._sender.here(spot.chat_id)

    def spare(self, spot: Spot, needed: int) -> bool:
        """Tell whether a chat can take a little more than it has to."""
        return self._sender.spare(spot.chat_id, needed)

    async def say(  # noqa: PLR0913 - all that a message can have
        self,
        spot: Spot,
        parts: Sequence[str],
        *,
        rows: Keyboard = (),
        reply_to: int = 0,
        urgency: Urgency = Urgency.REPLY,
        picture: Picture | bytes | None = None,
        force_reply: bool = False,
    ) -> Message:
        """Send chunks of HTML, in several messages if need be; buttons hang on the last one."""
        last: Markup = markup(rows) or (ForceReply(selective=False) if force_reply else None)
        texts = messages(parts) or ["…"]
        if picture and (photo := _photo(picture)):
            caption = as_caption(texts)
            if caption:
                texts.pop()
            sent = await self._photo(spot, photo, caption, reply_to, None if texts else last)
            if not texts:
                return sent
            reply_to = sent.message_id
        for text in texts[:-1]:
            sent = await self._text(spot, text, reply_to, None, urgency)
            reply_to = sent.message_id
        return await self._text(spot, texts[-1], reply_to, last, urgency)

    async def poll(
        self, spot: Spot, ballot: Ballot, *, rows: Keyboard, way: OnTheWay, reply_to: int = 0
    ) -> Message:
        """Send a poll that tells us who voted; `way` is told when it is on the wire."""
        how = ballot.manner
        kind = PollType.QUIZ if how.quiz else PollType.REGULAR
        more = _poll_parameters(ballot, private=spot.private)

        async def call(chat_id: int, text: str, mode: str | None) -> Message:
            with way.request():
                return await self._bot.send_poll(
                    chat_id,
                    ballot.question,
                    list(ballot.options),
                    type=kind,
                    is_anonymous=False,
                    allows_multiple_answers=ballot.several,
                    description=text or None,
                    description_parse_mode=mode if text else None,
                    protect_content=not spot.private,
                    message_thread_id=spot.thread,
                    reply_parameters=_reply(reply_to),
                    reply_markup=markup(rows),
                    **more,
                )

        return await self._formatted(spot, ballot.description, call, Urgency.QUIZ)

    async def edit(self, spot: Spot, message_id: int, parts: Sequence[str], rows: Keyboard) -> None:
        """Change a message of ours; one that says so already is left alone."""
        texts = messages(parts)

        async def call(chat_id: int, text: str, mode: str | None) -> object:
            return await self._unless_harmless(
                self._bot.edit_message_text(
                    text,
                    chat_id,
                    message_id,
                    parse_mode=mode,
                    reply_markup=markup(rows),
                    link_preview_options=NO_PREVIEW,
                )
            )

        await self._formatted(spot, texts[0], call, Urgency.QUIZ)
        for text in texts[1:]:
            await self._text(spot, text, message_id, None, Urgency.QUIZ)

    async def edit_picture(
        self, spot: Spot, message_id: int, picture: bytes, caption: str, rows: Keyboard
    ) -> None:
        """Put another picture and caption where one is; one that is the same is left alone."""

        async def call(chat_id: int, text: str, mode: str | None) -> object:
            return await self._unless_harmless(
                self._bot.edit_message_media(
                    InputMediaPhoto(picture, caption=text, parse_mode=mode),
                    chat_id,
                    message_id,
                    reply_markup=markup(rows),
                )
            )

        await self._formatted(spot, caption, call, Urgency.QUIZ)

    async def stop_poll(self, spot: Spot, message_id: int) -> None:
        """Close a poll; whatever hinders that, the quiz goes on."""
        try:
            await self._sender.send(
                spot.chat_id,
                Urgency.CHATTER,
                lambda chat_id: self._bot.stop_poll(chat_id, message_id),
            )
        except DeliveryError as error:
            _log.info("poll not stopped", extra={"why": str(error)})

    async def answer_press(self, query_id: str, text: str = "", *, url: str = "") -> None:
        """Answer who pressed a button, at once: this never waits behind anything."""
        try:
            await self._bot.answer_callback_query(
                query_id, text=text or None, show_alert=bool(text), url=url or None
            )
        except TelegramError as error:
            if not harmless(error):
                _log.warning("press not answered", extra={"why": str(error)})

    async def toast(self, query_id: str, text: str) -> None:
        """Tell who pressed a button something that goes away by itself."""
        try:
            await self._bot.answer_callback_query(query_id, text=text)
        except TelegramError as error:
            if not harmless(error):
                _log.warning("press not answered", extra={"why": str(error)})

    async def react(self, spot: Spot, message_id: int, emoji: str) -> None:
        """Put a sign on somebody's message, if the chat can take that."""
        if not self._sender.spare(spot.chat_id, 1):
            return
        try:
            await self._sender.send(
                spot.chat_id,
                Urgency.CHATTER,
                lambda chat_id: self._bot.set_message_reaction(chat_id, message_id, emoji),
            )
        except DeliveryError as error:
            _log.info("no reaction", extra={"why": str(error)})

    async def fetch(self, file_id: str) -> bytes:
        """Fetch a file that somebody has sent. Raises TelegramError."""
        file = await self._bot.get_file(file_id)
        return bytes(await file.download_as_bytearray())

    async def file(self, spot: Spot, name: str, content: bytes, caption: str) -> None:
        """Send a file."""

        async def call(chat_id: int, text: str, mode: str | None) -> object:
            return await self._bot.send_document(
                chat_id,
                content,
                filename=name,
                caption=text or None,
                parse_mode=mode,
                message_thread_id=spot.thread,
            )

        await self._formatted(spot, caption, call, Urgency.REPLY)

    async def _text(
        self, spot: Spot, text: str, reply_to: int, last: Markup, urgency: Urgency
    ) -> Message:
        async def call(chat_id: int, shown: str, mode: str | None) -> Message:
            return await self._bot.send_message(
                chat_id,
                shown,
                parse_mode=mode,
                message_thread_id=spot.thread,
                reply_parameters=_reply(reply_to),
                reply_markup=last,
                link_preview_options=NO_PREVIEW,
            )

        return await self._formatted(spot, text, call, urgency)

    async def _photo(
        self, spot: Spot, photo: str | Path | bytes, caption: str, reply_to: int, last: Markup
    ) -> Message:
        async def call(chat_id: int, shown: str, mode: str | None) -> Message:
            return await self._bot.send_photo(
                chat_id,
                photo,
                caption=shown or None,
                parse_mode=mode,
                message_thread_id=spot.thread,
                reply_parameters=_reply(reply_to),
                reply_markup=last,
            )

        return await self._formatted(spot, caption, call, Urgency.QUIZ)

    async def _formatted(
        self,
        spot: Spot,
        text: str,
        call: Callable[[int, str, str | None], Awaitable[T]],
        urgency: Urgency,
    ) -> T:
        """Send HTML; if its formatting is refused, which is our bug, send it without any."""

        async def attempt(chat_id: int) -> T:
            try:
                return await call(chat_id, text, ParseMode.HTML)
            except BadRequest as error:
                if not unparsable(error):
                    raise
                _log.exception("formatting refused", extra={"text": text})
                return await call(chat_id, unmarked(text), None)

        return await self._sender.send(spot.chat_id, urgency, attempt)

    async def _unless_harmless(self, changing: Awaitable[object]) -> object:
        try:
            return await changing
        except BadRequest as error:
            if not harmless(error):
                raise
            return None


def _reply(message_id: int) -> ReplyParameters | None:
    """Reply to a message; should it be gone, say it all the same."""
    if not message_id:
        return None
    return ReplyParameters(message_id, allow_sending_without_reply=True)


def as_caption(texts: Sequence[str]) -> str:
    """Give what fits below a picture; empty if that is not all."""
    found = messages(texts)
    return found[0] if len(found) == 1 and length(found[0]) <= DESCRIPTION else ""


def _photo(picture: Picture | bytes) -> str | Path | bytes | None:
    """Give what the library can send: a picture, an address, or a file that is there."""
    if isinstance(picture, bytes):
        return picture
    if picture.source.startswith(("http://", "https://")):
        return picture.source
    file = Path(picture.source)
    return file if file.is_file() else None


def _poll_parameters(ballot: Ballot, *, private: bool) -> dict[str, Any]:
    """Give what a poll has besides its texts.

    One that does not know the key shows no results before its end: nobody copies from others.
    """
    how = ballot.manner
    more: dict[str, Any] = {"open_period": how.seconds} if how.seconds is not None else {}
    if how.quiz:
        more["correct_option_ids"] = list(ballot.keys)
        return more | ({"explanation": ballot.explanation} if ballot.explanation else {})
    more["allows_revoting"] = how.revoting
    return more | ({} if private else {"hide_results_until_closes": True})
