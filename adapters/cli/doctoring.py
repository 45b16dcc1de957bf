"""`kuis doctor`: looks at everything a bot needs, and says what to do about what it finds."""

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import aiohttp
from pydantic import SecretStr

from adapters import packs, settings, storage
from adapters.cli.logs import striking
from adapters.cli.platforms import Finding, Web
from adapters.cli.reporting import print_json
from adapters.settings import Settings, SettingsError
from adapters.terminal.screen import Screen
from bot.errors import StoreError
from bot.text import literal
from bot.wording import Words, words

DISCORD_API = "https://discord.com/api/v10"
PATIENCE = 10.0
TIGHT = 200 * 2**20
MOST_ROOMS = 20
MARKS = {"good": "✓", "note": "·", "bad": "✗"}


async def doctor(*, as_json: bool, discord_api: str = DISCORD_API) -> bool:
    """Examine and report; gives whether something is wrong. No token is ever shown."""
    try:
        chosen = settings.load()
    except SettingsError as error:
        language = words(settings.system_language())
        cure = language.say("`.env.example` shows what each setting may be.")
        lines = str(error).splitlines()
        findings = [Finding(about="settings", state="bad", what=line, cure=cure) for line in lines]
        secrets: tuple[str, ...] = ()
    else:
        language, secrets = words(chosen.spoken), chosen.secrets
        examined = examine(chosen, language, discord_api=discord_api)
        findings = [finding async for finding in examined]
    strike = striking(secrets)
    told = [{name: strike(text) for name, text in asdict(one).items()} for one in findings]
    wrong = any(finding.state == "bad" for finding in findings)
    if as_json:
        print_json({"ok": not wrong, "findings": told})
    else:
        _tell(Screen.of_process(language), told)
    return wrong


async def examine(
    chosen: Settings, language: Words, *, discord_api: str = DISCORD_API
) -> AsyncIterator[Finding]:
    """Look at the settings, the packs, the database and the tokens, one after another."""
    for finding in (*_settings(language), *_packs(chosen, language)):
        yield finding
    async for finding in _database(chosen, language):
        yield finding
    tokens = {"telegram": chosen.telegram_token, "discord": chosen.discord_token}
    if not any(token.get_secret_value() for token in tokens.values()):
        yield Finding(
            about="chats",
            state="note",
            what=language.say("No token is set, so Kuis only plays in the terminal."),
            cure=language.say("`kuis run` says how to get one."),
        )
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    async with aiohttp.ClientSession(timeout=timeout) as client:
        web = Web(client=client, language=language)
        if token := _plain(chosen.telegram_token):
            rooms = await _played_in(chosen, "telegram")
            async for finding in web.telegram(f"{chosen.telegram_api_url}/bot{token}", rooms):
                yield finding
        if token := _plain(chosen.discord_token):
            async for finding in web.discord(discord_api, token):
                yield finding


def _settings(language: Words) -> Iterator[Finding]:
    here = Path(".env")
    names = {field.alias for field in Settings.model_fields.values()}
    known = sorted(name for name in names if name and os.environ.get(name))
    count = language.plural("{n} setting", "{n} settings", len(known))
    what = language.say("{count} in the environment, no .env here.", count=count)
    if here.is_file():
        what = language.say("{count} in the environment, others in .env here.", count=count)
    yield Finding(about="settings", state="good", what=what)


def _packs(chosen: Settings, language: Words) -> Iterator[Finding]:
    loaded = packs.load(chosen.pack_paths)
    count = language.plural("{n} quiz", "{n} quizzes", len(list(loaded.library)))
    for file in dict.fromkeys(problem.file for problem in loaded.problems):
        yield Finding(
            about="packs",
            state="bad",
            what=language.say("{file} cannot be played as it stands.", file=file),
            cure=language.say("`kuis check {file}` says why.", file=file),
        )
    cure = (
        "" if list(loaded.library) else language.say("Name a folder of quizzes in KUIS_QUESTIONS.")
    )
    yield Finding(
        about="packs",
        state="bad" if cure else "good",
        what=language.say("{count} can be played.", count=count),
        cure=cure,
    )


async def _database(chosen: Settings, language: Words) -> AsyncIterator[Finding]:
    about = "database"
    try:
        async with asyncio.timeout(PATIENCE):
            found = await storage.trial(chosen.database_url)
    except TimeoutError:
        what = language.say("The database does not answer.")
        cure = language.say("Check that its server runs and is not stopped.")
        yield Finding(about=about, state="bad", what=what, cure=cure)
        return
    except StoreError as error:
        what, _, cure = str(error).partition(". ")
        yield Finding(about=about, state="bad", what=f"{what.removesuffix('.')}.", cure=cure)
        return
    if found.revision is None and not found.makes_itself:
        what = language.say("The database has no tables yet.")
        yield Finding(about=about, state="bad", what=what, cure="`kuis db upgrade`")
    elif found.revision not in {None, storage.HEAD} and not found.makes_itself:
        what = language.say("The tables are of an older program ({it}).", it=found.revision)
        yield Finding(about=about, state="bad", what=what, cure="`kuis db upgrade`")
    else:
        what = language.say("{url} can be read and written.", url=found.url)
        yield Finding(about=about, state="good", what=what)
    if found.folder:
        yield _disk(found.folder, language)


def _disk(folder: Path, language: Words) -> Finding:
    free = shutil.disk_usage(folder).free
    what = language.say("{n} MB are free where the database is.", n=language.number(free >> 20))
    if free < TIGHT:
        cure = language.say("Make room: a full disk takes no answers.")
        return Finding(about="disk", state="bad", what=what, cure=cure)
    return Finding(about="disk", state="good", what=what)


async def _played_in(chosen: Settings, platform: str) -> Sequence[tuple[str, str]]:
    """Give the rooms where quizzes were played last; none if the database cannot be read."""
    try:
        return await storage.played_in(chosen.database_url, platform, most=MOST_ROOMS)
    except StoreError:
        return ()


def _plain(token: SecretStr) -> str:
    return token.get_secret_value()


def _tell(screen: Screen, told: list[dict[str, str]]) -> None:
    for one in told:
        cure = f"  \n→ {one['cure']}" if one["cure"] else ""
        front = f"{MARKS[one['state']]} {one['about']}: "
        screen.entry(front, f"{literal(one['what'])}{cure}")
