"""Troubles: what Telegram's refusals mean, and which requests surely never arrived.

The library strips "Bad Request: " and capitalises what follows, so all is compared in lower case.
"""

import httpx
from telegram.error import BadRequest, Forbidden, NetworkError, TelegramError, TimedOut

from bot.effects import Trouble
from bot.errors import DeliveryError

_SIGNS = (
    ("blocked by the user", Trouble.BLOCKED),
    ("user is deactivated", Trouble.BLOCKED),
    ("can't initiate conversation", Trouble.BLOCKED),
    ("bot can't send messages to", Trouble.BLOCKED),
    ("was kicked", Trouble.ROOM_GONE),
    ("not a member", Trouble.ROOM_GONE),
    ("chat not found", Trouble.ROOM_GONE),
    ("group chat was deactivated", Trouble.ROOM_GONE),
    ("peer_id_invalid", Trouble.ROOM_GONE),
    ("thread not found", Trouble.ROOM_CLOSED),
    ("topic_closed", Trouble.ROOM_CLOSED),
    ("topic_deleted", Trouble.ROOM_CLOSED),
    ("topic closed", Trouble.ROOM_CLOSED),
    ("send polls", Trouble.NO_POLLS),
    ("chat_send_polls_forbidden", Trouble.NO_POLLS),
    ("not enough rights", Trouble.NO_PERMISSION),
    ("have no rights", Trouble.NO_PERMISSION),
    ("write_forbidden", Trouble.NO_PERMISSION),
    ("administrator rights", Trouble.NO_PERMISSION),
    ("chat_restricted", Trouble.NO_PERMISSION),
    ("send_plain_forbidden", Trouble.NO_PERMISSION),
)
_HARMLESS = ("message is not modified", "query is too old", "query id is invalid")
_GONE = ("message to edit not found", "message can't be edited", "message to be replied not found")
_CLOSED = ("poll has already been closed", "message with poll to stop not found", "poll can't be")


class Rejected(DeliveryError):
    """A request that Telegram does not like for a reason that lies in the request."""


class PerhapsDelivered(DeliveryError):
    """A request whose answer was lost: it must not be repeated, and may have had its effect."""


def wrapped(error: TelegramError) -> DeliveryError:
    """Give the delivery error for an error of the library."""
    said = str(error).lower()
    for sign, trouble in _SIGNS:
        if sign in said:
            return DeliveryError(trouble.value, str(error))
    if isinstance(error, Forbidden):
        return DeliveryError(Trouble.NO_PERMISSION.value, str(error))
    if isinstance(error, BadRequest):
        return Rejected(Trouble.MISHAP.value, str(error))
    if isinstance(error, NetworkError) and not never_sent(error):
        return PerhapsDelivered(Trouble.UNREACHABLE.value, str(error))
    return DeliveryError(Trouble.UNREACHABLE.value, str(error))


def never_sent(error: NetworkError) -> bool:
    """Tell whether a request surely had no effect, so that it can be repeated.

    That is so when no connection came about, or when the gateway in front answered with 5xx.
    """
    cause = error.__cause__
    if isinstance(cause, httpx.ConnectError | httpx.ConnectTimeout | httpx.PoolTimeout):
        return True
    return not isinstance(error, TimedOut) and not isinstance(cause, httpx.HTTPError)


def unparsable(error: TelegramError) -> bool:
    """Tell whether the formatting of a text was refused."""
    return "can't parse entities" in str(error).lower()


def harmless(error: TelegramError) -> bool:
    """Tell whether what was wanted is so already, or can no longer matter."""
    said = str(error).lower()
    return any(sign in said for sign in _HARMLESS)


def message_gone(error: DeliveryError) -> bool:
    """Tell whether the message to change exists no longer."""
    said = error.detail.lower()
    return any(sign in said for sign in _GONE)


def poll_closed(error: DeliveryError) -> bool:
    """Tell whether a poll that should be stopped takes no votes anyway."""
    said = error.detail.lower()
    return any(sign in said for sign in _CLOSED)
