"""The daily question: what `/daily` does once somebody has typed it."""

from collections.abc import Callable
from typing import Any

from discord import app_commands
from discord.app_commands import Choice, locale_str

from adapters.discord.asking import Asked, obey, suggest
from bot.appointments import ZONES
from bot.wording import phrase

ACTIONS = {
    "show": phrase("see how it is set"),
    "set": phrase("switch it on"),
    "off": phrase("switch it off"),
}


async def suggest_zone(_: Asked, typed: str) -> list[Choice[str]]:
    """Suggest time zones; any other one can be typed."""
    wanted = typed.casefold()
    fitting = [one for one in ZONES if wanted in "/".join(one).casefold()]
    return [Choice(name=label, value=name) for name, label in fitting]


@app_commands.describe(
    action=locale_str(phrase("What to do")),
    time=locale_str(phrase("When, like 07:30")),
    pack=locale_str(phrase("Which quiz, or #tags; all of them in turn if left out")),
    days=locale_str(phrase("On which days, like weekdays or mon,wed,fri")),
    zone=locale_str(phrase("In which time zone")),
)
@app_commands.rename(
    action=locale_str("action", id="tindakan"),
    time=locale_str("time", id="waktu"),
    pack=locale_str("pack", id="paket"),
    days=locale_str("days", id="hari"),
    zone=locale_str("zone", id="zona"),
)
@app_commands.choices(
    action=[Choice(name=locale_str(name), value=value) for value, name in ACTIONS.items()]
)
@app_commands.autocomplete(pack=suggest, zone=suggest_zone)
async def daily(
    interaction: Asked,
    action: str = "",
    time: str = "",
    pack: str = "",
    days: str = "",
    zone: str = "",
) -> None:
    """Show the daily question, switch it on or off."""
    options = " ".join(filter(None, (time, zone, days, pack)))
    doing = action or ("set" if options else "show")
    rest = f"{doing} {options}" if doing == "set" else doing
    await obey(
        interaction, lambda desk, _, request: desk.obey(request, "daily", rest), phrase("Done.")
    )


DAILY_CALLBACKS: dict[str, Callable[..., Any]] = {"daily": daily}
