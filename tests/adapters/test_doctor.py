"""`kuis doctor`: what it looks at, and what it says to do."""

import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from adapters.cli import doctoring
from adapters.cli.platforms import Finding
from adapters.settings import Settings
from adapters.storage import open_store, upgrade
from bot.people import Alias
from bot.wording import words
from tests.fakes.bot_api import TOKEN, BotApi
from tests.storage.worlds import World

DISCORD = "MTIzNDU2Nzg5MDEyMzQ1Njc4.GabcdE.0123456789abcdefghijklmnopqrstuvwxyzAB"


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/kuis.db"


async def examined(url: str, *, discord_api: str = "http://127.0.0.1:1", **more: Any):
    """Give the findings by what they are about, the last of each."""
    given = {name.upper(): value for name, value in more.items()} | {"DATABASE_URL": url}
    chosen = Settings(_env_file=None, **given)
    found = doctoring.examine(chosen, words("en"), discord_api=discord_api)
    return {finding.about: finding async for finding in found}


@asynccontextmanager
async def discord(*, left: int = 900, guilds: Any = ()) -> AsyncIterator[str]:
    """A Discord that knows one token, and the servers the bot is in."""

    async def answer(request: web.Request) -> web.Response:
        if request.headers.get("Authorization") != f"Bot {DISCORD}":
            return web.json_response({"message": "401: Unauthorized"}, status=401)
        if request.path.endswith("/gateway/bot"):
            return web.json_response({"session_start_limit": {"remaining": left}})
        if request.path.endswith("/guilds"):
            return web.json_response(list(guilds))
        return web.json_response({"username": "KuisBot"})

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


def states(found: dict[str, Finding]) -> dict[str, str]:
    return {about: finding.state for about, finding in found.items()}


async def test_a_computer_on_which_all_is_well(url):
    async with BotApi() as api, discord() as discord_api:
        found = await examined(
            url,
            discord_api=discord_api,
            telegram_api_url=api.url,
            telegram_token=TOKEN,
            discord_token=DISCORD,
        )

    assert set(states(found).values()) == {"good"}
    assert set(found) == {"settings", "packs", "database", "disk", "telegram", "discord"}
    assert "@KuisTestBot" in found["telegram"].what
    assert "KuisBot" in found["discord"].what


async def test_nothing_is_left_behind_by_trying(url, tmp_path):
    await examined(url)
    assert not (tmp_path / "kuis.db").exists()
    await upgrade(url)
    assert states(await examined(url))["database"] == "good"

    with sqlite3.connect(tmp_path / "kuis.db") as database:
        names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    assert "kuis_trial" not in names


async def test_without_a_token_it_says_where_to_read_about_them(url):
    found = await examined(url)

    assert found["chats"].state == "note"
    assert "kuis run" in found["chats"].cure


async def test_tokens_that_are_not_accepted_are_named_by_their_setting(url):
    async with BotApi() as api, discord() as discord_api:
        found = await examined(
            url,
            discord_api=discord_api,
            telegram_api_url=api.url,
            telegram_token="1:wrong",  # noqa: S106 - opens nothing
            discord_token="wrong",  # noqa: S106 - opens nothing
        )

    for chat in ("telegram", "discord"):
        assert found[chat].state == "bad"
        assert f"{chat.upper()}_TOKEN" in found[chat].cure


async def test_a_platform_out_of_reach_is_about_the_connection(url):
    found = await examined(
        url, telegram_api_url="http://127.0.0.1:1", telegram_token=TOKEN, discord_token=DISCORD
    )

    assert states(found)["telegram"] == states(found)["discord"] == "bad"
    assert "connection" in found["telegram"].cure


async def test_a_bot_that_started_too_often_is_told(url):
    async with discord(left=3) as discord_api:
        found = await examined(url, discord_api=discord_api, discord_token=DISCORD)

    assert found["discord"].state == "note"
    assert "3 times" in found["discord"].what


@asynccontextmanager
async def telegram(members: dict[str, Any]) -> AsyncIterator[str]:
    """A Telegram that knows what the bot is in some chats; it has left all others."""

    async def answer(request: web.Request) -> web.Response:
        if request.path.endswith("/getChatMember"):
            if member := members.get(request.query["chat_id"]):
                return web.json_response({"ok": True, "result": member})
            return web.json_response({"ok": False, "description": "Forbidden"}, status=403)
        result = {"id": 7, "username": "KuisTestBot"} if "getMe" in request.path else {}
        return web.json_response({"ok": True, "result": result})

    app = web.Application()
    app.router.add_get("/{path:.*}", answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    await runner.cleanup()


async def all_found(url: str, **more: Any) -> list[str]:
    discord_api = more.pop("discord_api", "")
    given = {name.upper(): value for name, value in more.items()} | {"DATABASE_URL": url}
    chosen = Settings(_env_file=None, **given)
    found = doctoring.examine(chosen, words("en"), discord_api=discord_api)
    return [f"{one.state} {one.what} {one.cure}" async for one in found]


async def test_rooms_where_the_bot_may_not_do_what_it_must_are_named(url):
    await upgrade(url)
    async with await open_store(url) as store:
        for number, title in enumerate(["Gone", "Muted", "Channel", "Fine", "Alone"]):
            external = "55" if title == "Alone" else f"-{number}"
            room = await store.room(Alias(platform="telegram", external=external), title=title)
            world = await World.made(store)
            await store.start(world.session(title, room=room))
    members = {
        "-1": {"status": "restricted", "can_send_messages": True, "can_send_polls": False},
        "-2": {"status": "administrator", "can_post_messages": False},
        "-3": {"status": "member"},
    }
    async with telegram(members) as api:
        found = await all_found(url, telegram_api_url=api, telegram_token=TOKEN)

    notes = [line for line in found if line.startswith("note")]
    assert len(notes) == 3
    for title, why in (("Gone", "member"), ("Muted", "polls"), ("Channel", "post")):
        assert any(title in line and why in line for line in notes), title


async def test_servers_where_the_bot_lacks_permissions_are_named(url):
    guilds = [
        {"name": "Silent", "permissions": str(1 << 10)},
        {"name": "Ruled", "permissions": str(1 << 3)},
        {"name": "Whole", "permissions": str((1 << 20) - 1 - (1 << 3))},
    ]
    async with discord(guilds=guilds) as discord_api:
        found = await all_found(url, discord_api=discord_api, discord_token=DISCORD)

    (note,) = [line for line in found if line.startswith("note")]
    assert "Silent" in note
    assert "Send Messages" in note
    assert "View Channels" not in note


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("postgresql://kuis:hunter2@127.0.0.1:1/kuis", "out of reach"),
        ("oracle://here", "cannot use"),
        ("sqlite:////proc/kuis/kuis.db", "/proc"),
    ],
)
async def test_a_database_that_cannot_be_used_comes_with_a_cure(address, said):
    found = await examined(address)

    assert found["database"].state == "bad"
    assert said in f"{found['database'].what} {found['database'].cure}"
    assert found["database"].cure


async def test_a_database_of_a_newer_program_is_told(url, tmp_path):
    await upgrade(url)
    with sqlite3.connect(tmp_path / "kuis.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()

    found = await examined(url)

    assert "newer Kuis" in found["database"].what
    assert "Update the program" in found["database"].cure


async def test_a_broken_pack_is_named_with_the_command_that_says_why(tmp_path):
    (tmp_path / "broken.en.md").write_text("---\nid: broken\ntitle: B\nlanguage: en\n---\n")
    given = {"KUIS_QUESTIONS": str(tmp_path), "DATABASE_URL": "memory:"}
    chosen = Settings(_env_file=None, **given)

    found = [one async for one in doctoring.examine(chosen, words("en"))]

    (bad,) = [one for one in found if one.state == "bad"]
    assert bad.about == "packs"
    assert "kuis check" in bad.cure


async def test_it_says_whether_something_is_wrong_and_never_a_token(url, monkeypatch, capsys):
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.setenv("TELEGRAM_TOKEN", TOKEN)
    monkeypatch.setenv("TELEGRAM_API_URL", "http://127.0.0.1:1")

    wrong = await doctoring.doctor(as_json=True)
    document = json.loads(capsys.readouterr().out)
    await doctoring.doctor(as_json=False)
    text = capsys.readouterr().out

    assert wrong
    assert document["ok"] is False
    assert {one["about"] for one in document["findings"]} >= {"settings", "database", "telegram"}
    assert "✗ telegram" in text
    assert TOKEN not in text + str(document)


async def test_settings_that_mean_nothing_are_all_named(monkeypatch, capsys):
    monkeypatch.setenv("KUIS_LANGUAGE", "fr")
    monkeypatch.setenv("PORT", "door")

    assert await doctoring.doctor(as_json=True)

    found = json.loads(capsys.readouterr().out)["findings"]
    assert [one["what"].partition(":")[0] for one in found] == ["PORT", "KUIS_LANGUAGE"]
