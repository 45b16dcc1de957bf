"""The webhook: updates that Telegram brings, for who has an address of their own."""

import asyncio
import hashlib
import hmac
import logging
from typing import Any

from telegram import Bot
from telegram.error import InvalidToken

from adapters.telegram.polling import rejected
from adapters.telegram.receiving import ALLOWED, Intake
from adapters.telegram.wire import read

_log = logging.getLogger(__name__)

MOST_BYTES = 1 << 20
HEADER = "X-Telegram-Bot-Api-Secret-Token"


class Webhook:
    """Listens on a path nobody can guess, for requests with a secret nobody else has."""

    def __init__(self, *, bot: Bot, intake: Intake, url: str, port: int) -> None:
        """Take the public address and the local port behind it."""
        self._bot = bot
        self._intake = intake
        self._url = url.rstrip("/")
        self._port = port
        self._path = f"/{_derived(bot.token, 'path')}"
        self._secret = _derived(bot.token, "secret")

    async def run(self, stopping: asyncio.Event) -> None:
        """Listen until told to stop. Raises KuisError for a token that is not accepted."""
        from aiohttp import web  # noqa: PLC0415 - only who has a webhook needs a server

        app = web.Application(client_max_size=MOST_BYTES)
        app.router.add_post(self._path, self._receive)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        try:
            await web.TCPSite(runner, "0.0.0.0", self._port).start()  # noqa: S104 - behind a proxy
            await self._register()
            await stopping.wait()
        finally:
            await runner.cleanup()

    async def _register(self) -> None:
        try:
            await self._bot.set_webhook(
                f"{self._url}{self._path}",
                secret_token=self._secret,
                allowed_updates=list(ALLOWED),
                max_connections=100,
                drop_pending_updates=False,
            )
        except InvalidToken as error:
            raise rejected() from error

    async def _receive(self, request: Any) -> Any:  # noqa: ANN401 - aiohttp is loaded late
        """Take one update; 2xx only once it is settled."""
        from aiohttp import web  # noqa: PLC0415 - as above

        given = request.headers.get(HEADER, "")
        if not hmac.compare_digest(given.encode(), self._secret.encode()):
            return web.Response(status=403)
        try:
            raw = read(await request.read())
        except ValueError:
            return web.Response(status=400)
        if not isinstance(raw, dict):
            return web.Response(status=400)
        await self._intake.take([raw])
        return web.Response()


def _derived(token: str, purpose: str) -> str:
    """Make a secret of the token that does not give the token away."""
    return hmac.new(token.encode(), purpose.encode(), hashlib.sha256).hexdigest()
