"""Telegram: private chats, groups, topics and channels.

`chat` is the whole; `receiving` is the way in, `handling` what is done about it, `showing` the way
out with `asking` for questions, `drawing` and `markup` for looks, `sending` and `pacing` for speed.
"""

from adapters.telegram.chat import TelegramChat

__all__ = ["TelegramChat"]
