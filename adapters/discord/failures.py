"""Failures: what Discord's error codes mean for a quiz."""

from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
import discord

from bot.effects import Trouble
from bot.errors import DeliveryError

UNKNOWN_CHANNEL = 10003
UNKNOWN_GUILD = 10004
UNKNOWN_MESSAGE = 10008
UNKNOWN_WEBHOOK = 10015
UNKNOWN_INTERACTION = 10062
EDITED_TOO_OFTEN = 30046
ALREADY_ANSWERED = 40060
INVALID_BODY = 50035

TROUBLES = {
    UNKNOWN_CHANNEL: Trouble.ROOM_GONE,
    UNKNOWN_GUILD: Trouble.ROOM_GONE,
    20016: Trouble.UNREACHABLE,  # slow mode
    40333: Trouble.UNREACHABLE,  # blocked by Cloudflare
    50001: Trouble.NO_PERMISSION,  # the bot does not see the channel
    50007: Trouble.BLOCKED,  # no direct messages
    50013: Trouble.NO_PERMISSION,
    50083: Trouble.ROOM_CLOSED,  # archived thread
    50278: Trouble.BLOCKED,  # no server in common
    160005: Trouble.ROOM_CLOSED,  # locked thread
}

Unreachable = (aiohttp.ClientError, OSError, TimeoutError, discord.RateLimited)


@contextmanager
def translated(*, polls: bool = False) -> Iterator[None]:
    """Turn what Discord and the network may answer to a send into a DeliveryError.

    `polls` says that the permission that may be missing is the one to send polls.
    """
    try:
        yield
    except discord.HTTPException as error:
        trouble = trouble_of(error)
        if polls and trouble is Trouble.NO_PERMISSION:
            trouble = Trouble.NO_POLLS
        raise DeliveryError(trouble.value, str(error)) from error
    except Unreachable as error:
        raise DeliveryError(Trouble.UNREACHABLE.value, repr(error)) from error


def trouble_of(error: discord.HTTPException) -> Trouble:
    """Tell what an error means for a session."""
    if error.code in TROUBLES:
        return TROUBLES[error.code]
    if error.status == 403:  # noqa: PLR2004 - HTTP's own name for it
        return Trouble.NO_PERMISSION
    if error.code == INVALID_BODY:
        return Trouble.MISHAP  # our own validation has a gap
    return Trouble.UNREACHABLE
