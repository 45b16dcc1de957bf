"""Forms: an answer that is typed. A form is forgotten once it is open; its id tells all."""

from collections.abc import Iterable, Mapping
from typing import Any

import discord
from discord import ui

from adapters.discord import limits
from bot.actions import Action, decode, encode
from bot.banks import LONGEST_TITLE
from bot.wording import Words

FIELD = "typed"


def answer_form(action: Action, spoken: Words) -> ui.Modal:
    """Make the form for a typed answer."""
    form = ui.Modal(
        title=limits.label(spoken.say("Your answer"), limits.FORM_TITLE),
        custom_id=encode(action),
        timeout=None,
    )
    entry: ui.TextInput[Any] = ui.TextInput(custom_id=FIELD, max_length=limits.TYPED)
    label = limits.label(spoken.say("Word, phrase or number"), limits.FORM_LABEL)
    return form.add_item(ui.Label(text=label, component=entry))


def title_form(action: Action, spoken: Words) -> ui.Modal:
    """Make the form for the new title of a pack."""
    form = ui.Modal(
        title=limits.label(spoken.say("Rename"), limits.FORM_TITLE),
        custom_id=encode(action),
        timeout=None,
    )
    entry: ui.TextInput[Any] = ui.TextInput(custom_id=FIELD, max_length=LONGEST_TITLE)
    label = limits.label(spoken.say("What shall it be called?"), limits.FORM_LABEL)
    return form.add_item(ui.Label(text=label, component=entry))


def read(interaction: discord.Interaction[Any]) -> tuple[Action | None, str]:
    """Read what a form was for and what was typed; a text that is too long counts as unreadable."""
    data: Mapping[str, Any] = interaction.data or {}
    text = next((value for value in _values(data.get("components", ()))), "")
    return decode(str(data.get("custom_id", ""))), text if len(text) <= limits.TYPED else ""


def _values(parts: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for part in parts:
        if part.get("custom_id") == FIELD:
            yield str(part.get("value", ""))
        inner = part.get("components") or ([part["component"]] if "component" in part else [])
        yield from _values(inner)
