"""Discord on the wire: simcord's world behind a real HTTP port and a real gateway socket.

What simcord replaces, this leaves alone: discord.py's rate limiter, its retries, the gateway's
compression, heartbeat, RESUME. The bot is a process of its own that can be killed.
"""

import asyncio
import contextlib
import fnmatch
import io
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import discord
import simcord  # noqa: F401 - registers its routes
from aiohttp import WSMsgType, web
from simcord import intents
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError
from simcord.http import client as _routes  # noqa: F401 - as above
from simcord.http import router
from simcord.interactions import base_payload

TOKEN = "MTIz.wire.token"  # noqa: S105 - of a Discord that does not exist
PATIENCE = 30.0


class _Now:
    """The clock on the wall, in the place of simcord's."""

    elapsed = 0.0

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - the process under test lives by it too


@dataclass(kw_only=True)
class Fault:
    """What happens to a request instead of what it asks for; `times` often."""

    method: str
    path: str
    status: int
    body: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    times: int = 1


class WireDiscord:
    """A Discord that listens on two ports of this computer."""

    def __init__(self) -> None:
        self.backend = Backend(clock=_Now())
        self.faults: list[Fault] = []
        self.requests: list[tuple[str, str, Any]] = []
        self.resumed = 0
        self.identified = 0
        self.shards: list[list[int]] = []
        self._events: list[str] = []
        self._socket: web.WebSocketResponse | None = None
        self._send: Callable[[str], Any] | None = None
        self._waiting: list[asyncio.Task[None]] = []
        self._intents = discord.Intents.none()
        self.backend.subscribers.append(self._emitted)
        owner = self.backend.make_user("owner")
        self.guild = self.backend.create_guild("Machine Learning ID", owner_id=owner.id)
        self.channel = self.backend.create_channel(self.guild.id, "kuis")

    async def start(self) -> None:
        """Listen."""
        app = web.Application()
        app.router.add_get("/gateway/", self._gateway)
        app.router.add_route("*", "/api/v10/{path:.*}", self._rest)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr] # noqa: SLF001

    async def stop(self) -> None:
        """Listen no longer."""
        await self.drop()
        await self._runner.cleanup()

    async def drop(self) -> None:
        """Let the gateway's connection break, as networks do."""
        if self._socket and not self._socket.closed:
            transport = self._socket._req.transport if self._socket._req else None  # noqa: SLF001
            if transport:
                transport.close()
        self._send = None

    # ------------------------------------------------------------ REST

    async def _rest(self, request: web.Request) -> web.StreamResponse:
        path = "/" + request.match_info["path"]
        body, files = await _read(request)
        self.requests.append((request.method, path, body))
        for fault in self.faults:
            if fault.method == request.method and fnmatch.fnmatch(path, fault.path):
                fault.times -= 1
                if fault.times <= 0:
                    self.faults.remove(fault)
                return _json(fault.body, status=fault.status, headers=fault.headers)
        if path == "/users/@me" and request.headers.get("Authorization") != f"Bot {TOKEN}":
            return _json({"message": "401: Unauthorized", "code": 0}, status=401)
        if path == "/users/@me":
            return _json(serializers.user_payload(self.backend.bot_user))
        if path == "/gateway/bot":
            url = f"ws://127.0.0.1:{self.port}/gateway/"
            limit = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 1}
            return _json({"url": url, "shards": 1, "session_start_limit": limit})
        try:
            answer = router.dispatch(
                self.backend,
                request.method,
                path,
                json=body,
                params=dict(request.query),
                files=files,
            )
        except BackendError as error:
            return _json(error.to_json(), status=error.status)
        return _json(answer) if answer is not None else web.Response(status=204)

    # ------------------------------------------------------------ gateway

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(heartbeat=None)
        await socket.prepare(request)
        pack = _compressor(request.query.get("compress", ""))

        async def send(text: str) -> None:
            with contextlib.suppress(ConnectionError):
                await (socket.send_bytes(pack(text)) if pack else socket.send_str(text))

        self._socket = socket
        await send(json.dumps({"op": 10, "d": {"heartbeat_interval": 41250}}))
        async for message in socket:
            if message.type is WSMsgType.TEXT:
                await self._heard(json.loads(message.data), send)
        return socket

    async def _heard(self, message: dict[str, Any], send: Callable[[str], Any]) -> None:
        match message["op"]:
            case 1:
                await send(json.dumps({"op": 11}))
            case 2:
                self._events.clear()
                self._intents = discord.Intents._from_value(message["d"]["intents"])  # noqa: SLF001
                self._send = send
                self.identified += 1
                self.shards.append(message["d"].get("shard", [0, 1]))
                await self._ready()
            case 6:
                self._send = send
                self.resumed += 1
                for text in self._events[message["d"]["seq"] :]:
                    await send(text)
                self._emitted("RESUMED", {})
            case _:
                pass

    async def _ready(self) -> None:
        user = dict(serializers.user_payload(self.backend.bot_user))
        self._emitted(
            "READY",
            {
                "v": 10,
                "user": user,
                "guilds": [],
                "session_id": "wire",
                "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway/",
                "shard": self.shards[-1],
                "application": {"id": str(self.backend.application_id), "flags": 0},
            },
        )
        guild = dict(serializers.guild_create_payload(self.backend, self.guild))
        self._emitted("GUILD_CREATE", guild)

    def _emitted(self, event: str, payload: Any) -> None:
        """Number an event and send it; while the connection is broken it is kept for RESUME."""
        gate = intents.required_intent(event, payload)
        if gate is not None and not getattr(self._intents, gate):
            return
        number = len(self._events) + 1
        text = json.dumps({"op": 0, "t": event, "s": number, "d": payload}, default=str)
        self._events.append(text)
        if self._send:
            self._waiting.append(asyncio.ensure_future(self._send(text)))

    # ------------------------------------------------------------ people

    def person(self, name: str) -> int:
        """Let somebody join the server."""
        user = self.backend.make_user(name)
        self.backend.add_member(self.guild.id, user.id)
        return int(user.id)

    async def command(self, person: int, name: str, **options: Any) -> Any:
        """Type a command, and wait until it is answered."""
        given = [
            {"name": key, "type": 4 if isinstance(value, int) else 3, "value": value}
            for key, value in options.items()
        ]
        data = {"id": "1", "name": name, "type": 1, "options": given}
        record, payload = self._interaction(2, person, data)
        self.backend.emit("INTERACTION_CREATE", payload)
        return await self.answered(record)

    def press(self, person: int, message: Any, label: str) -> Any:
        """Press a button, without waiting for what comes of it."""
        buttons = {p["label"]: p for p in _walk(message.components) if p.get("type") == 2}
        data = {"custom_id": buttons[label]["custom_id"], "component_type": 2}
        record, payload = self._interaction(3, person, data)
        payload["message"] = dict(serializers.message_payload(self.backend, message))
        record.source_message_id = message.id
        self.backend.emit("INTERACTION_CREATE", payload)
        return record

    async def click(self, person: int, message: Any, label: str) -> str:
        """Press a button, and give what is said."""
        record = await self.answered(self.press(person, message, label))
        found = self.backend.get_message(self.channel.id, record.message_id or message.id)
        return text_of(found)

    def _interaction(self, kind: int, person: int, data: dict[str, Any]) -> tuple[Any, Any]:
        return base_payload(
            self.backend,
            type=kind,
            channel_id=self.channel.id,
            guild_id=self.guild.id,
            user_id=person,
            data=data,
        )

    async def answered(self, record: Any) -> Any:
        """Wait until an interaction is answered."""
        await until(lambda: record.responded)
        return record

    def public(self) -> list[Any]:
        """List what everybody can see."""
        found = self.backend.messages.get(self.channel.id, {}).values()
        return [message for message in found if not message.is_ephemeral]

    def private(self) -> list[Any]:
        """List what single people can see."""
        found = self.backend.messages.get(self.channel.id, {}).values()
        return [message for message in found if message.is_ephemeral]


async def until(
    holds: Callable[[], Any], *, child: asyncio.subprocess.Process | None = None
) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(PATIENCE):
        while not holds():
            if child and child.returncode is not None:
                _, complaint = await child.communicate()
                raise AssertionError(complaint.decode())
            await asyncio.sleep(0.02)


def text_of(message: Any) -> str:
    """Give all texts of a message."""
    parts = [p["content"] for p in _walk(message.components) if p.get("type") == 10]
    return "\n".join([message.content or "", *parts])


def _walk(parts: Any) -> list[dict[str, Any]]:
    return [p for one in parts or [] for p in (one, *_walk(one.get("components")))]


def _json(
    body: Any,
    *,
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> web.Response:
    """Answer as Discord does: discord.py reads JSON only if the header says nothing else."""
    given = {"Content-Type": "application/json", **(headers or {})}
    return web.Response(body=json.dumps(body, default=str).encode(), status=status, headers=given)


async def _read(request: web.Request) -> tuple[Any, list[Any]]:
    if request.content_type == "application/json":
        return await request.json(), []
    if not request.content_type.startswith("multipart/"):
        return None, []
    form = await request.post()
    body = json.loads(str(form["payload_json"])) if "payload_json" in form else None
    files = [
        SimpleNamespace(fp=io.BytesIO(value.file.read()), filename=value.filename, description=None)
        for value in form.values()
        if isinstance(value, web.FileField)
    ]
    return body, files


def _compressor(name: str) -> Callable[[str], bytes] | None:
    if name == "zstd-stream":
        import zstandard  # noqa: PLC0415 - asked for only by who has it

        stream = zstandard.ZstdCompressor().compressobj()
        block = zstandard.COMPRESSOBJ_FLUSH_BLOCK
        return lambda text: stream.compress(text.encode()) + stream.flush(block)
    if name == "zlib-stream":
        deflate = zlib.compressobj()
        return lambda text: deflate.compress(text.encode()) + deflate.flush(zlib.Z_SYNC_FLUSH)
    return None
