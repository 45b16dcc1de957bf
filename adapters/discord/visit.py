"""Visits: one interaction, from the press to what the person is told.

Discord wants an acknowledgement within three seconds. A visit gives the engine half of that; what
takes longer is acknowledged first and said later, with the same token.
"""

import asyncio
import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any

import discord

from adapters.discord import failures
from adapters.discord.drawing import Drawing, linked
from adapters.discord.limits import NOBODY
from bot.effects import Trouble
from bot.errors import DeliveryError

if TYPE_CHECKING:
    from adapters.discord.client import QuizClient

_log = logging.getLogger(__name__)

PATIENCE = 1.5


class Visit:
    """An interaction that is being answered; `at` is when it arrived, `said` what was told."""

    def __init__(self, interaction: "discord.Interaction[QuizClient]", at: datetime) -> None:
        """Take the interaction, and let the time for an acknowledgement run."""
        self.interaction = interaction
        self.at = at
        self.said = False
        self._deferred = False
        self._turn = asyncio.Lock()
        self._work: asyncio.Task[None] | None = None
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(PATIENCE, self._hurry)

    @property
    def in_private(self) -> bool:
        """Tell whether what was pressed stands in a message that only the person sees."""
        message = self.interaction.message
        return message is not None and message.flags.ephemeral

    @property
    def pressed(self) -> bool:
        """Tell whether a component or a form was used, not a command."""
        return self.interaction.type is not discord.InteractionType.application_command

    async def say(self, drawing: Drawing, *, replaces: bool = False) -> None:
        """Tell the person something; `replaces` puts it where the private message is already.

        Raises DeliveryError if the interaction can no longer be answered.
        """
        async with self._turn:
            try:
                await self._say(drawing, replaces=replaces)
            except discord.HTTPException as error:
                if error.code != failures.ALREADY_ANSWERED:  # else another process was faster
                    self._lament(error)
                    raise DeliveryError(Trouble.UNREACHABLE.value, str(error)) from error
            except failures.Unreachable as error:
                raise DeliveryError(Trouble.UNREACHABLE.value, repr(error)) from error
            self.said = True

    async def _say(self, drawing: Drawing, *, replaces: bool) -> None:
        drawing = linked(drawing, self.interaction.client.command_ids)
        response = self.interaction.response
        there = self.in_private or (self.said and not self._deferred)
        if not response.is_done():
            if replaces and self.in_private:
                await response.edit_message(
                    view=drawing.view, attachments=drawing.files, allowed_mentions=NOBODY
                )
            else:
                await response.send_message(
                    view=drawing.view, files=drawing.files, ephemeral=True, allowed_mentions=NOBODY
                )
        elif (replaces and there) or (self._deferred and not self.pressed and not self.said):
            await self.interaction.edit_original_response(
                view=drawing.view, attachments=drawing.files, allowed_mentions=NOBODY
            )
        else:
            await self.interaction.followup.send(
                view=drawing.view, files=drawing.files, ephemeral=True, allowed_mentions=NOBODY
            )

    async def ask(self, form: discord.ui.Modal) -> None:
        """Open a form; it is not kept, what is typed comes back as an interaction of its own."""
        form.stop()
        async with self._turn:
            try:
                await self.interaction.response.send_modal(form)
            except discord.HTTPException as error:
                self._lament(error)
            self.said = True

    async def acknowledge(self) -> None:
        """Say nothing, but let Discord know that the press arrived."""
        if self.interaction.response.is_done():
            return
        async with self._turn:
            await self._defer()

    def close(self) -> None:
        """Let the timer go."""
        self._timer.cancel()

    def _hurry(self) -> None:
        if not self.interaction.response.is_done():
            self._work = asyncio.create_task(self.acknowledge())

    async def _defer(self) -> None:
        response = self.interaction.response
        if response.is_done():
            return
        try:
            if self.pressed:
                await response.defer()
            else:
                await response.defer(ephemeral=True, thinking=True)
            self._deferred = True
        except (discord.HTTPException, *failures.Unreachable) as error:
            self._lament(error)

    def _lament(self, error: Exception) -> None:
        late = (discord.utils.utcnow() - self.interaction.created_at).total_seconds()
        details: dict[str, Any] = {"interaction": self.interaction.id, "seconds": round(late, 2)}
        _log.warning("interaction not answered: %s", error, extra=details)


class Unheard:
    """Stands in for a visit where there is nobody to tell anything, as after a vote in a poll."""
