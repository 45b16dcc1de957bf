"""Discord: slash commands, buttons, menus, forms and polls.

`client` hears what Discord says, `commands` and `components` say what people want, `reception`
hands it to the desk; `chat` shows panels, `drawing` and `markup` make messages of them, `sending`
and `visit` are the two ways in which they go out.
"""

from adapters.discord.chat import DiscordChat
from adapters.discord.client import QuizClient

__all__ = ["DiscordChat", "QuizClient"]
