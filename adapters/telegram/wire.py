"""The wire: the library's Bot, made so that it neither goes deaf nor trips over old fields."""

import json
import os
from typing import Any

from telegram import Bot
from telegram.error import TelegramError
from telegram.request import HTTPXRequest

os.environ.setdefault("PTB_TIMEDELTA", "true")  # the library's switch: times as timedelta

READ_SECONDS = 20.0
POOL = 64
_LEGACY = b'"correct_option_id"'


class Wire(HTTPXRequest):
    """Requests whose answers lose the one field that the library warns about at each poll.

    Servers still send `correct_option_id` beside `correct_option_ids`; parsing it is a
    deprecation warning, which is an error where warnings are.
    """

    @staticmethod
    def parse_json_payload(payload: bytes) -> dict[str, Any]:
        """Read an answer. Raises TelegramError if it is no JSON."""
        try:
            found: dict[str, Any] = read(payload)
        except ValueError as error:
            msg = "Invalid server response"
            raise TelegramError(msg) from error
        return found


def read(payload: bytes) -> Any:  # noqa: ANN401 - whatever the JSON holds
    """Read JSON without the legacy field. Raises ValueError if it is none."""
    text = payload.decode("utf-8", "replace")
    return json.loads(text, object_hook=_modern) if _LEGACY in payload else json.loads(text)


def make_bot(token: str, api_url: str) -> Bot:
    """Make a bot that calls a server by its root, like `https://api.telegram.org`."""
    root = api_url.rstrip("/")
    wire = make_wire(POOL)  # updates come another way, so one is enough
    return Bot(
        token,
        base_url=f"{root}/bot",
        base_file_url=f"{root}/file/bot",
        request=wire,
        get_updates_request=wire,
    )


def make_wire(pool: int) -> Wire:
    """Make a pool of connections that waits long enough for a slow server."""
    return Wire(
        connection_pool_size=pool,
        read_timeout=READ_SECONDS,
        write_timeout=READ_SECONDS,
        connect_timeout=10.0,
        pool_timeout=READ_SECONDS,
    )


def _modern(found: dict[str, Any]) -> dict[str, Any]:
    found.pop("correct_option_id", None)
    return found
