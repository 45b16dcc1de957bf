"""Asking: what each slash command does once somebody has typed it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, Range, locale_str

from adapters.discord import limits
from adapters.discord.boards import show_board
from adapters.discord.drawing import draw
from adapters.discord.reception import spoken_by, with_style
from adapters.discord.visit import Visit
from bot.desk import Desk, QuizWish, Reply, Request
from bot.menus import notice
from bot.modes import Mode
from bot.ports import Merit, Period, Scope
from bot.wording import choose, phrase

if TYPE_CHECKING:
    from adapters.discord.client import QuizClient

    Asked: TypeAlias = discord.Interaction[QuizClient]
else:
    Asked = discord.Interaction

LONGEST_TIME = 600
MOST_ITEMS = 100

Doing: TypeAlias = Callable[[Desk, Visit, Request], Awaitable[Reply | None]]

MODES = {
    Mode.SOLO: phrase("on my own, only I see it"),
    Mode.LIVE: phrase("together, by the clock"),
    Mode.RELAXED: phrase("together, no clock"),
    Mode.EXAM: phrase("exam: on my own, answers at the end"),
}
STYLES = {"buttons": phrase("buttons"), "poll": phrase("Discord's own polls")}
PERIODS = {
    Period.WEEK: phrase("this week"),
    Period.TODAY: phrase("today"),
    Period.MONTH: phrase("this month"),
    Period.ALL: phrase("of all time"),
}
SCOPES = {
    Scope.ROOM: phrase("this channel"),
    Scope.COMMUNITY: phrase("this server"),
    Scope.EVERYWHERE: phrase("everywhere"),
}
MERITS = {Merit.POINTS: phrase("points"), Merit.ACCURACY: phrase("accuracy")}


def _choices(names: dict[Any, str]) -> list[Choice[str]]:
    return [
        Choice(name=locale_str(name), value=getattr(value, "value", value))
        for value, name in names.items()
    ]


async def suggest(interaction: Asked, typed: str) -> list[Choice[str]]:
    """Suggest packs whose titles fit, in the language of who is typing."""
    reception = interaction.client.reception
    language = choose(interaction.locale.value)
    asked = await reception.identity.at(interaction, reception.clock.now())
    seen = await reception.desk.shelf(asked)
    found = reception.desk.suggestions(language, typed, limits.SUGGESTIONS, seen)
    return [
        Choice(name=limits.label(title, limits.SUGGESTION), value=pack) for title, pack in found
    ]


@app_commands.describe(
    pack=locale_str(phrase("Which quiz")),
    count=locale_str(phrase("How many questions")),
    mode=locale_str(phrase("Alone or together")),
    seconds=locale_str(phrase("Seconds for each question, where there is a clock")),
    style=locale_str(phrase("How questions look when you play together")),
)
@app_commands.rename(
    pack=locale_str("pack", id="paket"),
    count=locale_str("count", id="jumlah"),
    seconds=locale_str("seconds", id="detik"),
    style=locale_str("style", id="gaya"),
)
@app_commands.choices(mode=_choices(MODES), style=_choices(STYLES))
@app_commands.autocomplete(pack=suggest)
async def quiz(
    interaction: Asked,
    pack: str = "",
    count: Range[int, 1, MOST_ITEMS] | None = None,
    mode: str = Mode.SOLO.value,
    seconds: Range[int, 5, LONGEST_TIME] | None = None,
    style: str = "",
) -> None:
    """Start a quiz."""
    wish = QuizWish(pack=pack, count=count, mode=Mode(mode), seconds=seconds)

    async def start(desk: Desk, _: Visit, request: Request) -> Reply | None:
        if style:
            settings = replace(request.room.settings, style=style)
            request = replace(request, room=replace(request.room, settings=settings))
        return await desk.quiz(with_style(request), wish)

    await obey(interaction, start, phrase("Off we go!"))


async def resume(interaction: Asked) -> None:
    """Go on with what waits here."""
    await obey(interaction, lambda desk, _, request: desk.resume(request), phrase("On we go!"))


async def skip(interaction: Asked) -> None:
    """Leave out the current item."""
    await obey(interaction, lambda desk, _, request: desk.skip(request), phrase("Skipped."))


async def stop(interaction: Asked) -> None:
    """End what runs or waits here."""
    await obey(interaction, lambda desk, _, request: desk.stop(request), phrase("Stopped."))


@app_commands.describe(
    period=locale_str(phrase("Since when to count")),
    scope=locale_str(phrase("How far to look")),
    by=locale_str(phrase("What ranks")),
)
@app_commands.rename(
    period=locale_str("period", id="periode"),
    scope=locale_str("scope", id="cakupan"),
    by=locale_str("by", id="menurut"),
)
@app_commands.choices(period=_choices(PERIODS), scope=_choices(SCOPES), by=_choices(MERITS))
async def leaderboard(
    interaction: Asked,
    period: str = Period.WEEK.value,
    scope: str = Scope.ROOM.value,
    by: str = Merit.POINTS.value,
) -> None:
    """Show who is ahead."""
    reception = interaction.client.reception

    async def show(_: Desk, visit: Visit, request: Request) -> None:
        await show_board(reception, visit, request, (Period(period), Scope(scope), Merit(by)))

    await obey(interaction, show)


async def stats(interaction: Asked) -> None:
    """Tell somebody how they are doing."""
    await obey(interaction, lambda desk, _, request: desk.obey(request, "stats", ""))


async def packs(interaction: Asked) -> None:
    """List the packs."""
    await obey(interaction, lambda desk, _, request: desk.packs(request))


async def settings(interaction: Asked) -> None:
    """Show the settings of the server."""
    reception = interaction.client.reception

    async def show(desk: Desk, visit: Visit, request: Request) -> Reply:
        return desk.settings(await reception.of_server(visit, request))

    await obey(interaction, show)


async def language(interaction: Asked) -> None:
    """Offer the languages."""
    await obey(interaction, lambda desk, _, request: _at_once(desk.languages(request)))


async def privacy(interaction: Asked) -> None:
    """Say what is kept about somebody."""
    await obey(interaction, lambda desk, _, request: desk.privacy(request))


async def help_(interaction: Asked) -> None:
    """Say how everything works."""
    await obey(interaction, lambda desk, _, request: _at_once(desk.help(request)))


CALLBACKS: dict[str, Callable[..., Any]] = {
    "quiz": quiz,
    "resume": resume,
    "skip": skip,
    "stop": stop,
    "leaderboard": leaderboard,
    "stats": stats,
    "packs": packs,
    "settings": settings,
    "language": language,
    "privacy": privacy,
    "help": help_,
}


async def _at_once(reply: Reply) -> Reply:
    return reply


async def obey(interaction: Asked, doing: Doing, done: str = "") -> None:
    """Carry out a command and tell the person; `done` is said where nothing else was."""
    reception = interaction.client.reception

    async def work(visit: Visit) -> None:
        rest = reception.manners.wait(interaction.user.id, visit.at)
        if rest:
            sentence = spoken_by(visit).say("Not so fast! Try again in a moment.")
            return await visit.say(draw(notice(sentence)))
        request = await reception.identity.request(visit)
        await reception.reply(visit, request, await doing(reception.desk, visit, request))
        if done and not visit.said:
            await visit.say(draw(notice(reception.desk.words(request).say(done))))
        return None

    await reception.attend(interaction, work)
