"""Telegram as a chat: connects, takes updates in, and shows what the engine has to say."""

import asyncio
import contextlib
import logging

from telegram import Bot
from telegram.error import InvalidToken, NetworkError, TelegramError

from adapters.telegram import naming
from adapters.telegram.commands import register
from adapters.telegram.directory import Directory
from adapters.telegram.handling import Desks, Handling
from adapters.telegram.pacing import Lanes, Pace
from adapters.telegram.places import PLATFORM, Spot
from adapters.telegram.polling import Poller, rejected
from adapters.telegram.polls import Polls
from adapters.telegram.receiving import Intake
from adapters.telegram.seen import Seen
from adapters.telegram.sending import Sender
from adapters.telegram.showing import Shower
from adapters.telegram.speaking import Speaker
from adapters.telegram.webhook import Webhook
from adapters.telegram.wire import make_bot
from bot.desk import Desk
from bot.errors import KuisError
from bot.host import Host
from bot.people import Room
from bot.ports import Clock, Post, Store
from bot.session import Session

_log = logging.getLogger(__name__)

API = "https://api.telegram.org"
FINISH_SECONDS = 2.5
TRIES = 5


class TelegramChat:
    """One Telegram bot. `start` makes it able to speak, `serve` makes it listen."""

    platform = PLATFORM

    def __init__(
        self,
        *,
        token: str,
        clock: Clock,
        api_url: str = API,
        webhook_url: str = "",
        port: int = 8080,
        pace: Pace | None = None,
    ) -> None:
        """Take the token and where the Bot API and, with a webhook, we ourselves are."""
        self._token = token
        self._clock = clock
        self._api_url = api_url or API
        self._webhook_url = webhook_url
        self._port = port
        self._pace = pace or Pace()
        self._stopping = asyncio.Event()
        self._silent = asyncio.Event()
        self._silent.set()
        self._bot: Bot | None = None
        self._intake: Intake | None = None
        self._shower: Shower | None = None
        self._store: Store | None = None
        self._sender: Sender | None = None
        self._poller: Poller | None = None

    async def start(self, *, host: Host, desk: Desk, store: Store) -> None:
        """Connect. Raises KuisError if the token is not accepted or nobody answers."""
        bot = make_bot(self._token, self._api_url)
        try:
            await self._connect(bot)
        except KuisError:
            await bot.shutdown()
            raise
        self._bot, self._store = bot, store
        lanes = Lanes(clock=self._clock, pace=self._pace)
        self._sender = Sender(lanes=lanes, clock=self._clock, moved=self.moved)
        speaker = Speaker(bot=bot, sender=self._sender)
        directory = Directory(bot=bot, store=store, clock=self._clock)
        polls = Polls(store, several=bool(self._webhook_url))
        self._shower = Shower(
            speaker=speaker,
            polls=polls,
            directory=directory,
            host=host,
            clock=self._clock,
            username=bot.username,
        )
        desks = Desks(host=host, desk=desk, store=store, polls=polls)
        handling = Handling(
            desks=desks,
            directory=directory,
            speaker=speaker,
            seen=Seen(store),
            username=bot.username,
            moved=self.moved,
        )
        self._intake = Intake(bot=bot, handler=handling.handle, notes=store, clock=self._clock)
        await self._register(bot, store)

    async def serve(self) -> None:
        """Take in updates until `stop` is called."""
        if self._bot is None or self._intake is None:
            msg = "start comes before serve"
            raise RuntimeError(msg)
        self._silent.clear()
        try:
            await self._listen(self._bot, self._intake)
        finally:
            self._silent.set()

    async def stop(self) -> None:
        """Take nothing in any more, and let what is under way end."""
        self._stopping.set()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._silent.wait(), FINISH_SECONDS)
        if self._intake:
            await self._intake.finish(FINISH_SECONDS)
        if self._sender and self._bot:
            await self._sender.close(FINISH_SECONDS)
            await self._bot.shutdown()

    async def show(self, post: Post) -> str:
        """Deliver a panel and give the name of the message. Raises DeliveryError."""
        if self._shower is None:
            msg = "start comes before show"
            raise RuntimeError(msg)
        return await self._shower.show(post)

    async def collect(self, session: Session, room: Room, *, steered: bool) -> None:  # noqa: ARG002 - as the port has it
        """Take in the votes that Telegram took in time and we have not fetched yet.

        What steers a quiz is itself an update that is being handled: it would wait for itself.
        """
        asked = naming.parse(session.message)
        polled = asked is not None and asked.kind == naming.POLL
        if steered or not (self._poller and polled and session.deadline):
            return
        over = (self._clock.now() - session.deadline).total_seconds()
        await self._poller.collect(asyncio.get_running_loop().time() - over)

    async def moved(self, old: int, new: int) -> None:
        """Let a group that became a supergroup keep everything; told twice it does no harm."""
        if self._store and self._sender:
            self._sender.remember_move(old, new)
            await self._store.move_room(Spot(chat_id=old).alias, Spot(chat_id=new).alias)

    async def _listen(self, bot: Bot, intake: Intake) -> None:
        if self._webhook_url:
            webhook = Webhook(bot=bot, intake=intake, url=self._webhook_url, port=self._port)
            return await webhook.run(self._stopping)
        await self._without_webhook(bot)
        self._poller = Poller(bot=bot, intake=intake, clock=self._clock)
        return await self._poller.run(self._stopping)

    async def _connect(self, bot: Bot) -> None:
        """Learn who the bot is; a server that is not there yet is waited for a little."""
        for attempt in range(TRIES):
            try:
                return await bot.initialize()
            except InvalidToken as error:
                raise rejected() from error
            except NetworkError as error:
                last = error
                _log.warning("no connection", extra={"why": str(error)})
                await asyncio.sleep(0.3 * 2**attempt)
        msg = f"Telegram cannot be reached at {self._api_url} ({last}). Check the connection."
        raise KuisError(msg) from last

    async def _register(self, bot: Bot, store: Store) -> None:
        try:
            await register(bot, store)
        except TelegramError as error:
            _log.warning("commands not registered", extra={"why": str(error)})

    async def _without_webhook(self, bot: Bot) -> None:
        """Take back a webhook of earlier days; what waits at Telegram is kept."""
        try:
            await bot.delete_webhook(drop_pending_updates=False)
        except TelegramError as error:
            _log.warning("webhook not deleted", extra={"why": str(error)})
