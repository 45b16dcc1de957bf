"""Sending: public messages, always with the bot's own token, which does not expire."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord

from adapters.discord import failures, limits
from adapters.discord.drawing import Drawing, linked
from adapters.discord.failures import translated

if TYPE_CHECKING:
    from adapters.discord.client import QuizClient

_log = logging.getLogger(__name__)


class Sender:
    """Posts, edits and closes what a whole channel sees."""

    def __init__(self, client: "QuizClient") -> None:
        """Take the client whose token is used."""
        self._client = client

    async def post(self, channel: int, drawing: Drawing, *, below: int | None = None) -> str:
        """Post a message, as a reply to another one if `below` names it; gives its name.

        Raises DeliveryError.
        """
        place = self._client.get_partial_messageable(channel)
        drawing = linked(drawing, self._client.command_ids)
        with translated():
            if below is None:
                message = await place.send(view=drawing.view, files=drawing.files)
            else:
                message = await place.send(
                    view=drawing.view,
                    files=drawing.files,
                    reference=discord.MessageReference(
                        message_id=below, channel_id=channel, fail_if_not_exists=False
                    ),
                )
        return name_of(channel, message.id)

    async def edit(self, channel: int, message: int, drawing: Drawing) -> bool:
        """Let a message show something else; False if it is gone or too old for that.

        Raises DeliveryError.
        """
        age = discord.utils.utcnow() - discord.utils.snowflake_time(message)
        if age.total_seconds() > limits.EDITABLE_SECONDS:
            return False
        target = self._client.get_partial_messageable(channel).get_partial_message(message)
        with translated():
            try:
                await target.edit(
                    view=drawing.view, attachments=drawing.files, allowed_mentions=limits.NOBODY
                )
            except discord.HTTPException as error:
                if error.code in {failures.UNKNOWN_MESSAGE, failures.EDITED_TOO_OFTEN}:
                    return False
                raise
        return True

    async def write_to(self, user: int, drawing: Drawing) -> str:
        """Write somebody a direct message. Raises DeliveryError."""
        with translated():
            channel = await self._client.create_dm(discord.Object(user))
        return await self.post(channel.id, drawing)

    async def post_poll(self, channel: int, content: str, poll: discord.Poll) -> str:
        """Post a poll with a text above it. Raises DeliveryError."""
        place = self._client.get_partial_messageable(channel)
        with translated(polls=True):
            message = await place.send(content, poll=poll)
        return name_of(channel, message.id)

    async def end_poll(self, channel: int, message: int) -> None:
        """Close a poll; one that is closed or gone already is well. Raises DeliveryError."""
        with translated():
            try:
                await self._client.http.end_poll(channel, message)
            except discord.HTTPException as error:
                if error.code in failures.TROUBLES or error.status >= 500:  # noqa: PLR2004 - HTTP
                    raise
                _log.info("poll not ended: %s", error)

    async def voters(
        self, channel: int, message: int
    ) -> Sequence[tuple[int, discord.User | discord.Member]]:
        """List who has voted in a poll, each with the number of the answer.

        Raises DeliveryError.
        """
        place = self._client.get_partial_messageable(channel)
        with translated():
            poll = (await place.fetch_message(message)).poll
            if poll is None:
                return ()
            return [
                (answer.id, person) for answer in poll.answers async for person in answer.voters()
            ]


def name_of(channel: int, message: int) -> str:
    """Name a message for the engine."""
    return f"{channel}/{message}"


def read_name(name: str) -> tuple[int, int] | None:
    """Read back what `name_of` wrote: channel and message; None for anything else."""
    channel, _, message = name.partition("/")
    if channel.isdigit() and message.isdigit():
        return int(channel), int(message)
    return None
