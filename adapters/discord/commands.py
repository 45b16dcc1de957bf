"""Commands: the engine's command table as Discord's slash commands, in both languages."""

import hashlib
import json
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import locale_str

from adapters.discord import (
    asking,
    bank_commands,
    challenge_commands,
    daily_commands,
    insight_commands,
    link_commands,
    review_commands,
)
from adapters.discord.identity import PLATFORM
from bot.commands import COMMANDS, Place
from bot.wording import words

CALLBACKS = {
    **asking.CALLBACKS,
    **bank_commands.CALLBACKS,
    **challenge_commands.CALLBACKS,
    **daily_commands.DAILY_CALLBACKS,
    **insight_commands.CALLBACKS,
    **link_commands.CALLBACKS,
    **review_commands.CALLBACKS,
}


class Translator(app_commands.Translator):
    """Gives Discord the Indonesian names and descriptions; all others read the English ones."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,  # noqa: ARG002 - discord.py passes it
    ) -> str | None:
        """Translate a text; None leaves it as it is."""
        if locale is not discord.Locale.indonesian:
            return None
        return str(string.extras.get("id") or words("id").say(string.message))


def build(tree: app_commands.CommandTree[Any]) -> None:
    """Add every command of the table to the tree."""
    for command in COMMANDS:
        if command.only not in {"", PLATFORM}:
            continue
        private = Place.PRIVATE in command.places
        made: app_commands.Command[Any, ..., Any] = app_commands.Command(
            name=locale_str(command.name, id=command.indonesian),
            description=locale_str(command.summary),
            callback=CALLBACKS[command.name],
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=private, private_channel=private
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=private),
        )
        if command.moderators:
            made.default_permissions = discord.Permissions(manage_guild=True)
        tree.add_command(made)


async def fingerprint(tree: app_commands.CommandTree[Any], translator: Translator) -> str:
    """Give a hash of all that would be registered, in every language."""
    payload = [
        await command.get_translated_payload(tree, translator) for command in tree.get_commands()
    ]
    text = json.dumps(payload, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
