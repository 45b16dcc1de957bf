"""Commands: what people type after a slash, and the lists that Telegram shows while they do."""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)

from adapters.telegram.places import PLATFORM
from bot.commands import COMMANDS, Place
from bot.desk import QuizWish
from bot.modes import Mode
from bot.ports import Merit, Notes, Period, Scope
from bot.wording import FALLBACK, LANGUAGES, words

NOTE = "telegram.commands"
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+|$)")
_PERIODS = {
    "today": Period.TODAY,
    "week": Period.WEEK,
    "month": Period.MONTH,
    "all": Period.ALL,
    "hari": Period.TODAY,
    "minggu": Period.WEEK,
    "pekan": Period.WEEK,
    "bulan": Period.MONTH,
    "semua": Period.ALL,
}
_SCOPES = {
    "everywhere": Scope.EVERYWHERE,
    "dunia": Scope.EVERYWHERE,
    "group": Scope.COMMUNITY,
    "grup": Scope.COMMUNITY,
}
_MERITS = {"accuracy": Merit.ACCURACY, "akurasi": Merit.ACCURACY, "ketepatan": Merit.ACCURACY}
_MODES = {mode.value: mode for mode in Mode if mode is not Mode.DAILY} | {
    "sendiri": Mode.SOLO,
    "langsung": Mode.LIVE,
    "santai": Mode.RELAXED,
    "ujian": Mode.EXAM,
}
_MOST_ITEMS = 999
_SECONDS = range(5, 601)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """A command as typed: its name in lower case, and the words after it."""

    name: str
    rest: str


def typed(text: str, username: str) -> Typed | None:
    """Read a command; None if there is none, or if it is meant for another bot."""
    found = _COMMAND.match(text)
    if not found or (found[2] and found[2].lower() != username.lower()):
        return None
    return Typed(name=found[1].lower(), rest=text[found.end() :].strip())


def quiz_wish(rest: str) -> QuizWish:
    """Read `/quiz [pack] [count] [mode] [20s]`, in any order around the pack."""
    count = seconds = mode = None
    name = []
    for word in rest.split():
        if word.isascii() and word.isdigit() and 0 < int(word[:4]) <= _MOST_ITEMS:
            count = int(word[:4])
        elif (span := re.fullmatch(r"([0-9]{1,3})s", word)) and int(span[1]) in _SECONDS:
            seconds = int(span[1])
        elif word.lower() in _MODES:
            mode = _MODES[word.lower()]
        else:
            name.append(word)
    return QuizWish(pack=" ".join(name), count=count, mode=mode, seconds=seconds)


def board_wish(rest: str) -> tuple[Period, Scope, Merit]:
    """Read `/leaderboard [today|week|month|all] [group|everywhere] [accuracy]`."""
    said = rest.lower().split()
    return (
        next((_PERIODS[word] for word in said if word in _PERIODS), Period.WEEK),
        next((_SCOPES[word] for word in said if word in _SCOPES), Scope.ROOM),
        next((_MERITS[word] for word in said if word in _MERITS), Merit.POINTS),
    )


async def register(bot: Bot, notes: Notes) -> None:
    """Tell Telegram the commands of each place and language, if they have changed."""
    lists = _lists()
    plain = [(scope.type, language, commands) for scope, language, commands in lists]
    wanted = hashlib.sha256(json.dumps(plain).encode()).hexdigest()
    wanted = f"{bot.id}:{wanted}"
    if await notes.note(NOTE) == wanted:
        return
    for scope, language, commands in lists:
        shown = [BotCommand(name, description) for name, description in commands]
        await bot.set_my_commands(shown, scope=scope, language_code=language or None)
    await notes.set_note(NOTE, wanted)


def _lists() -> Sequence[tuple[BotCommandScope, str, list[tuple[str, str]]]]:
    scopes: tuple[tuple[BotCommandScope, Place, bool], ...] = (
        (BotCommandScopeAllPrivateChats(), Place.PRIVATE, True),
        (BotCommandScopeAllGroupChats(), Place.ROOM, False),
        (BotCommandScopeAllChatAdministrators(), Place.ROOM, True),
    )
    return [
        (scope, "" if language == FALLBACK else language, _commands(place, language, admin=admin))
        for scope, place, admin in scopes
        for language in LANGUAGES
    ]


def _commands(place: Place, language: str, *, admin: bool) -> list[tuple[str, str]]:
    spoken = words(language)
    return [
        (command.localised(language), command.described(spoken))
        for command in COMMANDS
        if place in command.places
        and (admin or not command.moderators)
        and command.only in {"", PLATFORM}
    ]
