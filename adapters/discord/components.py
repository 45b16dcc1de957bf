"""Components: buttons and menus that say in their ids what they are for, and remember nothing.

They are `DynamicItem`s, but none has to be registered: the client takes every press itself and
reads its id (`bot.actions`), so that one of last week, of another process or of a message that was
edited in the same instant arrives as well. discord.py would first rebuild all components of the
message it stands on, which costs as much as everything else together (see `bench/discord.py`).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

import discord
from discord import ui

from adapters.discord import limits
from bot.actions import Action, decode, encode
from bot.panels import OptionLine
from bot.text import plain

MENU = "menu:"
BUTTON_TEMPLATE = r"\d+:.*"
MENU_TEMPLATE = MENU + BUTTON_TEMPLATE


class Press(ui.DynamicItem[ui.Button[Any]], template=BUTTON_TEMPLATE):
    """A button."""

    @classmethod
    def of(cls, action: Action, text: str, *, primary: bool = False) -> Self:
        """Make a button that asks for an action."""
        style = discord.ButtonStyle.primary if primary else discord.ButtonStyle.secondary
        button: ui.Button[Any] = ui.Button(
            label=limits.label(text), custom_id=encode(action), style=style
        )
        return cls(button)

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], __: re.Match[str]
    ) -> Self:
        """Take up a button of any message."""
        return cls(item)  # type: ignore[arg-type] # the template matches buttons only

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the press to the reception."""
        await hand_over(interaction)


class Pick(ui.DynamicItem[ui.Select[Any]], template=MENU_TEMPLATE):
    """A menu from which several options can be chosen."""

    @classmethod
    def of(cls, action: Action, options: Sequence[OptionLine], text: str) -> Self:
        """Make a menu of the options of an item; their full texts stand above it."""
        entries = [
            discord.SelectOption(label=_entry(option), value=str(option.place))
            for option in options
        ]
        menu: ui.Select[Any] = ui.Select(
            custom_id=MENU + encode(action),
            placeholder=limits.label(text, limits.MENU_PLACEHOLDER),
            min_values=1,
            max_values=len(entries),
            options=entries,
        )
        return cls(menu)

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], item: ui.Item[Any], __: re.Match[str]
    ) -> Self:
        """Take up a menu of any message."""
        return cls(item)  # type: ignore[arg-type] # the template matches menus only

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand what was chosen to the reception."""
        await hand_over(interaction)


async def hand_over(interaction: discord.Interaction[Any]) -> None:
    """Let the reception deal with what was pressed or chosen, once, whoever reports it first."""
    if interaction.extras.setdefault("taken", False):
        return
    interaction.extras["taken"] = True
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    chosen = list(map(str, data.get("values", []))) if custom_id.startswith(MENU) else None
    action = decode(custom_id.removeprefix(MENU))
    await interaction.client.reception.pressed(interaction, action, chosen)


def disabled(option: OptionLine) -> ui.Button[Any]:
    """Make the letter of an option that can no longer be pressed, green if it was right."""
    style = discord.ButtonStyle.success if option.key else discord.ButtonStyle.secondary
    return ui.Button(
        label=option.letter, custom_id=f"closed:{option.place}", style=style, disabled=True
    )


def _entry(option: OptionLine) -> str:
    text = " ".join(plain(option.text).split())
    return limits.label(f"{option.letter}. {text}", limits.MENU_LABEL)
