"""Watching over HTTP: `/healthz`, `/readyz` and `/metrics`, for whoever runs the service.

Chats say in the log when a platform makes them wait and when something fails, so the log is
counted too: no chat has to know that anybody counts.
"""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    ProcessCollector,
    generate_latest,
)

from bot.effects import Refusal
from bot.errors import KuisError, StoreError
from bot.ports import Receipt

if TYPE_CHECKING:
    from aiohttp import web

_log = logging.getLogger(__name__)

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_PAUSES = ("told to wait", "we are being rate limited", "rate limit bucket", "global rate limit")
"""How messages begin that say a platform wants us to wait: Telegram's here, discord.py's."""


class Counts:
    """What has happened in this process, as numbers for Prometheus."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        here = self.registry
        self._answers = Counter(
            "kuis_answers",
            "Answers the store has dealt with",
            ["receipt", "verdict"],
            registry=here,
        )
        self._replies = Counter(
            "kuis_replies", "Answers whose person was told", ["outcome"], registry=here
        )
        self._committed = Histogram(
            "kuis_commit_seconds",
            "From the arrival of an answer to its commit",
            registry=here,
            buckets=_SECONDS,
        )
        self._replied = Histogram(
            "kuis_reply_seconds",
            "From the arrival of an answer until its person was told",
            registry=here,
            buckets=_SECONDS,
        )
        self._outbox = Gauge("kuis_outbox", "Panels on their way", ["chat"], registry=here)
        self._shown = Histogram(
            "kuis_show_seconds",
            "Time a chat takes to show a panel, its waiting included",
            ["chat"],
            registry=here,
            buckets=_SECONDS,
        )
        self._failures = Counter("kuis_failures", "What went wrong", ["kind"], registry=here)
        self._pauses = Counter(
            "kuis_rate_limit_pauses", "Times a platform made a chat wait", ["chat"], registry=here
        )
        self._records = Counter(
            "kuis_log_records", "Warnings and errors logged", ["logger", "level"], registry=here
        )
        self.sessions = Gauge("kuis_open_sessions", "Active sessions in the store", registry=here)
        self.waiting = Gauge("kuis_waiting_writes", "Writes before their commit", registry=here)

    def recorded(self, receipt: Receipt, grade: float, seconds: float) -> None:
        """Count an answer the store has dealt with."""
        verdict = "right" if grade >= 1 else "partly" if grade > 0 else "wrong"
        self._answers.labels(receipt.value, verdict).inc()
        self._committed.observe(max(0.0, seconds))

    def replied(self, refusal: Refusal | None, seconds: float) -> None:
        """Count an answer whose person has been told."""
        self._replies.labels(refusal.value if refusal else "taken").inc()
        self._replied.observe(max(0.0, seconds))

    def failed(self, kind: str) -> None:
        """Count something that went wrong."""
        self._failures.labels(kind).inc()

    def showing(self, platform: str) -> AbstractContextManager[None]:
        """Count a panel while it is on its way."""
        return self._showing(platform)

    @contextmanager
    def _showing(self, platform: str) -> Iterator[None]:
        with self._outbox.labels(platform).track_inprogress(), self._shown.labels(platform).time():
            yield

    def logged(self, record: logging.LogRecord) -> None:
        """Count a warning or an error; and a pause, if that is what it tells of."""
        self._records.labels(record.name, record.levelname.lower()).inc()
        if str(record.msg).lower().startswith(_PAUSES):
            chat = next((name for name in ("telegram", "discord") if name in record.name), "other")
            self._pauses.labels(chat).inc()


class Ear(logging.Handler):
    """Hears warnings and errors."""

    def __init__(self, counts: Counts) -> None:
        """Take where they are counted."""
        super().__init__(logging.WARNING)
        self._counts = counts

    def emit(self, record: logging.LogRecord) -> None:
        """Count a record."""
        self._counts.logged(record)


class Watched(Protocol):
    """What is asked of the store when somebody looks."""

    @property
    def waiting(self) -> int:
        """Count the writes that wait for the next commit."""

    async def active(self) -> int:
        """Count the active sessions. Raises StoreError."""


class Lookout:
    """Answers over HTTP how the process is doing."""

    def __init__(
        self,
        *,
        counts: Counts,
        store: Watched,
        states: Callable[[], Mapping[str, str]],
    ) -> None:
        """Take the numbers, the store, and what says how each chat is: `serving` or else."""
        self._counts = counts
        self._store = store
        self._states = states
        self._ear = Ear(counts)
        self._runner: web.AppRunner | None = None
        self.port = 0

    async def open(self, port: int) -> None:
        """Listen on a port (0: any). Raises KuisError if it is taken."""
        from aiohttp import web  # noqa: PLC0415 - only who is watched needs a server

        app = web.Application()
        for path, answer in {
            "/healthz": self._alive,
            "/readyz": self._ready,
            "/metrics": self._metrics,
        }.items():
            app.router.add_get(path, _answering(answer))
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, "0.0.0.0", port).start()  # noqa: S104 - a probe asks from outside
        except OSError as error:
            await self._runner.cleanup()
            msg = f"Port {port} cannot be listened on ({error.strerror}). Choose another one."
            raise KuisError(msg) from error
        self.port = self._runner.addresses[0][1]
        logging.getLogger().addHandler(self._ear)

    async def close(self) -> None:
        """Listen no more."""
        logging.getLogger().removeHandler(self._ear)
        if self._runner:
            await self._runner.cleanup()

    async def _alive(self) -> tuple[int, str]:
        return 200, "alive\n"

    async def _ready(self) -> tuple[int, str]:
        """Ready is who can reach the store and has every chat serving or standing by."""
        states = dict(self._states())
        try:
            await self._store.active()
            states["store"] = "serving"
        except StoreError as error:
            states["store"] = str(error)
        good = set(states.values()) <= {"serving", "standing by"}
        lines = (f"{name}: {state}\n" for name, state in states.items())
        return (200 if good else 503), "".join(lines)

    async def _metrics(self) -> tuple[int, str]:
        self._counts.waiting.set(self._store.waiting)
        try:
            self._counts.sessions.set(await self._store.active())
        except StoreError:
            self._counts.sessions.set(float("nan"))
        return 200, generate_latest(self._counts.registry).decode()


def _answering(answer: Callable[[], Awaitable[tuple[int, str]]]) -> "Handler":
    from aiohttp import web  # noqa: PLC0415 - as above

    async def handle(_request: "web.Request") -> "web.Response":
        status, text = await answer()
        return web.Response(status=status, text=text)

    return handle


if TYPE_CHECKING:
    Handler = Callable[[web.Request], Awaitable[web.Response]]
