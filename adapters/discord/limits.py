"""Limits: every length Discord counts, in one place, because discord.py checks almost none.

Source: https://discord.com/developers/docs (messages, components, polls, commands).
"""

import discord

from bot.text import shorten

NOBODY = discord.AllowedMentions.none()
"""Whatever a name or a pack says, nobody is pinged."""

TEXT = 4000
"""Characters of all texts in one message of components together."""

CONTENT = 2000
LABEL = 80
ALT_TEXT = 1024
PICTURES = 10
PICTURE_BYTES = 10 * 1024 * 1024
BUTTONS_IN_ROW = 5

MENU_ENTRIES = 25
MENU_LABEL = 100
MENU_PLACEHOLDER = 150

FORM_TITLE = 45
FORM_LABEL = 45
TYPED = 200
"""What may be typed as an answer; packs accept nothing longer, Discord would allow 4000."""

POLL_QUESTION = 300
POLL_ANSWER = 55
POLL_ANSWERS = 10

SUGGESTIONS = 25
SUGGESTION = 100

EDITABLE_SECONDS = 3600
"""Older messages can hardly be edited any more (error 30046): a new one is sent."""


def label(text: str, most: int = LABEL) -> str:
    """Fit plain text on something to press; an ellipsis shows where more stands elsewhere."""
    return shorten(" ".join(text.split()), most)
