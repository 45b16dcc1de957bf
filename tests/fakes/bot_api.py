"""A Bot API server over HTTP, as faithful as a test can have it, with faults that can be injected.

It speaks Bot API 10.0, the version python-telegram-bot 22.8 parses. `BotApi.world` holds people and
chats and lets them act; `BotApi.calls` is what the bot asked for; `BotApi.fail` makes it go wrong.
"""

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from tests.fakes.bot_api_methods import Methods
from tests.fakes.telegram_rules import Refused, flag, loaded, refuse
from tests.fakes.telegram_world import Chat, Person, World

TOKEN = "123456789:AAFakeTokenForTests"  # noqa: S105 - opens nothing
PUBLIC = {"sendMessage", "sendPoll", "sendPhoto", "sendDocument", "stopPoll", "editMessageText"}
PUBLIC |= {"editMessageReplyMarkup", "deleteMessage", "editMessageCaption", "editMessageMedia"}
DEFAULT_UPDATES = {"message", "channel_post", "callback_query", "poll", "poll_answer"}
DEFAULT_UPDATES |= {"my_chat_member", "edited_message", "inline_query"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request of the bot."""

    method: str
    params: dict[str, Any]
    at: float
    ok: bool
    result: Any = None


@dataclass(slots=True, kw_only=True)
class Fault:
    """Something that goes wrong with calls of a method, so many times.

    `kind` is "refuse" (with `refused`), "drop" (the connection), "hang" (no answer until
    `release` is set) or "hold" (slow, but answered after `release`). With `after` the call has
    taken effect all the same.
    """

    method: str
    kind: str = "refuse"
    times: int = 1
    after: bool = False
    refused: Refused | None = None
    when: Callable[[dict[str, Any]], bool] = lambda _params: True
    release: asyncio.Event = field(default_factory=asyncio.Event)
    met: asyncio.Event = field(default_factory=asyncio.Event)


class BotApi(Methods):
    """The server."""

    def __init__(self) -> None:
        self.world = World(self.emit)
        self.calls: list[Call] = []
        self.faults: list[Fault] = []
        self.updates: list[dict[str, Any]] = []
        self.allowed = set(DEFAULT_UPDATES)
        self.confirmed = 0
        self.polled = 0
        self.on_updates: Callable[[], None] = lambda: None
        self.webhook: dict[str, Any] = {}
        self.commands: dict[tuple[str, str], Any] = {}
        self._ids = itertools.count(500_000_000)
        self._news = asyncio.Event()
        self._poller: asyncio.Event | None = None
        self._deliveries: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2**24)
        app.router.add_route("*", "/bot{token}/{method}", self._serve)
        app.router.add_get("/file/bot{token}/documents/{file}", self._download)
        self.routes(app)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._deliveries:
            task.cancel()
        for fault in self.faults:
            fault.release.set()
        if self._poller:
            self._poller.set()
        await self._runner.cleanup()

    def routes(self, app: web.Application) -> None:
        """Add addresses of one's own."""

    # ------------------------------------------------------------ for tests

    def emit(self, kind: str, content: dict[str, Any]) -> None:
        """Let the bot hear of something."""
        if kind not in self.allowed:
            return
        content = {key: value for key, value in content.items() if not key.startswith("_")}
        self.emit_raw({"update_id": next(self._ids), kind: content})

    def emit_raw(self, update: dict[str, Any]) -> None:
        """Let the bot hear an update of any shape."""
        if self.webhook:
            task = asyncio.get_running_loop().create_task(self._deliver(update))
            self._deliveries.add(task)
            task.add_done_callback(self._deliveries.discard)
            return
        self.updates.append(update)
        self._news.set()

    def again(self, *updates: dict[str, Any]) -> None:
        """Deliver updates a second time, as after an answer that got lost."""
        self.updates[:0] = updates
        self.confirmed = min(self.confirmed, *(u["update_id"] - 1 for u in updates))
        self._news.set()

    def fail(self, method: str, code: int = 0, description: str = "", **more: Any) -> Fault:
        """Make calls go wrong; with a code they are refused with it."""
        parameters = more.pop("parameters", {})
        refused = Refused(code, description, **parameters) if code else None
        fault = Fault(method=method, refused=refused, **more)
        self.faults.append(fault)
        return fault

    def made(self, method: str, chat: Chat | Person | None = None) -> list[Call]:
        """List the calls of a method that took effect."""
        return [
            call
            for call in self.calls
            if call.method == method
            and call.ok
            and (chat is None or str(call.params.get("chat_id")) == str(chat.id))
        ]

    def public(self, chat: Chat | Person) -> list[Call]:
        """List everything in a chat that counts against its budget, edits included."""
        return [call for method in PUBLIC for call in self.made(method, chat)]

    def busiest_minute(self, chat: Chat | Person) -> int:
        """Count the operations of the fullest minute in a chat."""
        times = sorted(call.at for call in self.public(chat))
        return max((sum(t <= x < t + 60 for x in times) for t in times), default=0)

    def answer_to(self, query: str) -> dict[str, Any] | None:
        """Give what the person who pressed a button was told."""
        return self.world.queries[query]["answer"]

    @property
    def unheard(self) -> list[dict[str, Any]]:
        """List the updates that are not confirmed yet."""
        return [one for one in self.updates if one["update_id"] > self.confirmed]

    def transcript(self) -> str:
        """Write down what is in every chat, for a person who wonders why a test failed."""
        lines = []
        for (chat, number), message in self.world.messages.items():
            who = (message.get("from") or message.get("sender_chat") or {}).get("first_name", "")
            poll = message.get("poll")
            text = message.get("text") or (poll and f"[poll] {poll['question']} {poll['options']}")
            lines.append(f"{chat}#{number} {who}: {text}")
        failed = [f"{c.method} {c.params}" for c in self.calls if not c.ok]
        return "\n".join([*lines, "refused:", *failed])

    # ------------------------------------------------------------ HTTP

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        params: dict[str, Any] = {**request.query, **dict(await request.post())}
        try:
            if request.match_info["token"] != TOKEN:
                refuse("Unauthorized", code=401)
            fault = self._fault(method, params)
            if fault and not fault.after:
                await self._go_wrong(fault, request)
            result = await self._call(method, params)
            if fault and fault.after:
                await self._go_wrong(fault, request)
        except Refused as refused:
            self._note(method, params, ok=False)
            return _refusal(refused)
        return web.json_response({"ok": True, "result": result})

    async def _download(self, request: web.Request) -> web.Response:
        if request.match_info["token"] != TOKEN:
            return web.Response(status=401)
        content = self.world.files.get(request.match_info["file"])
        return web.Response(body=content) if content is not None else web.Response(status=404)

    async def _call(self, method: str, params: dict[str, Any]) -> Any:
        function = getattr(self, f"_{method}", None)
        if function is None:
            refuse("Not Found: method not found", code=404)
        result = function(params)
        if asyncio.iscoroutine(result):
            result = await result
        if method != "getUpdates":
            self._note(method, params, ok=True, result=result)
        return result

    def _note(self, method: str, params: dict[str, Any], *, ok: bool, result: Any = None) -> None:
        at = self.world.now()
        self.calls.append(Call(method=method, params=params, at=at, ok=ok, result=result))

    def _fault(self, method: str, params: dict[str, Any]) -> Fault | None:
        for fault in self.faults:
            if fault.method in {method, "*"} and fault.times > 0 and fault.when(params):
                fault.times -= 1
                return fault
        return None

    async def _go_wrong(self, fault: Fault, request: web.Request) -> None:
        fault.met.set()
        match fault.kind:
            case "refuse":
                raise fault.refused or Refused(502, "Bad Gateway")
            case "drop":
                if request.transport:
                    request.transport.close()
                refuse("Bad Gateway", code=502)
            case "hang":
                await fault.release.wait()
                refuse("Bad Gateway", code=502)
            case _:
                await fault.release.wait()

    # ------------------------------------------------------------ updates

    async def _getUpdates(self, params: dict[str, Any]) -> list[dict[str, Any]]:  # noqa: N802
        if self.webhook:
            refuse(
                "Conflict: can't use getUpdates method while webhook is active; "
                "use deleteWebhook to delete the webhook first",
                code=409,
            )
        self.polled += 1
        if self._poller:
            self._poller.set()
        ended = self._poller = asyncio.Event()
        if params.get("allowed_updates"):
            self.allowed = set(loaded(params["allowed_updates"])) or set(DEFAULT_UPDATES)
        offset = int(params.get("offset", 0))
        if offset > 0:
            self.confirmed = max(self.confirmed, offset - 1)
            self.updates = [one for one in self.updates if one["update_id"] >= offset]
        until = time.monotonic() + min(50, int(params.get("timeout", 0)))
        while not self.updates and (left := until - time.monotonic()) > 0:
            self._news.clear()
            waits = [asyncio.create_task(self._news.wait()), asyncio.create_task(ended.wait())]
            await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
            if ended.is_set():
                refuse(
                    "Conflict: terminated by other getUpdates request; "
                    "make sure that only one bot instance is running",
                    code=409,
                )
        if self.updates:
            self.on_updates()
        return self.updates[: int(params.get("limit", 100))]

    async def _deliver(self, update: dict[str, Any]) -> None:
        headers = {"X-Telegram-Bot-Api-Secret-Token": self.webhook.get("secret_token", "")}
        async with ClientSession(timeout=ClientTimeout(total=20)) as client:
            for attempt in range(50):
                try:
                    body = json.dumps(update)
                    async with client.post(
                        self.webhook["url"],
                        data=body,
                        headers={**headers, "Content-Type": "application/json"},
                    ) as answer:
                        if answer.ok:
                            self.confirmed = max(self.confirmed, update["update_id"])
                            return
                except ClientError:
                    pass
                await asyncio.sleep(0.1 * (attempt + 1))

    def _setWebhook(self, params: dict[str, Any]) -> bool:  # noqa: N802
        self.webhook = dict(params)
        if params.get("allowed_updates"):
            self.allowed = set(loaded(params["allowed_updates"]))
        return True

    def _deleteWebhook(self, params: dict[str, Any]) -> bool:  # noqa: N802
        if flag(params.get("drop_pending_updates")):
            self.updates.clear()
        self.webhook = {}
        return True


def _refusal(refused: Refused) -> web.Response:
    body: dict[str, Any] = {
        "ok": False,
        "error_code": refused.code,
        "description": refused.description,
    }
    if refused.parameters:
        body["parameters"] = refused.parameters
    return web.json_response(body, status=refused.code)
