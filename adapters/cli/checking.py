"""`kuis check`: everything wrong with packs, and how each item will look in each chat."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TypedDict

from adapters import packs, settings
from adapters.cli.reporting import print_json
from adapters.terminal.screen import Screen
from bot.errors import Problem
from bot.limits import DISCORD, TELEGRAM, look
from bot.packs import Library
from bot.text import literal
from bot.wording import Words, words


class Looks(TypedDict):
    """How one item of one edition will look."""

    pack: str
    item: str
    language: str
    telegram: str
    discord: str


def check(paths: Sequence[Path], *, as_json: bool) -> bool:
    """Check packs and report; gives whether something is wrong."""
    loaded = packs.load(paths)
    items = list(looks(loaded.library))
    if as_json:
        print_json({"problems": [asdict(one) for one in loaded.problems], "items": items})
    else:
        screen = Screen.of_process(words(settings.load().spoken))
        _tell(screen, loaded.problems, items)
    return bool(loaded.problems)


def looks(library: Library) -> Iterable[Looks]:
    """Tell how each item will look, in each of its languages."""
    for pack in library:
        for edition in pack.editions:
            for item in edition.items:
                yield Looks(
                    pack=pack.id,
                    item=item.id,
                    language=edition.language,
                    telegram=look(item, TELEGRAM),
                    discord=look(item, DISCORD),
                )


def _tell(screen: Screen, problems: Sequence[Problem], items: Sequence[Looks]) -> None:
    for problem in problems:
        place = f"{problem.file}:{problem.line}" if problem.line else problem.file
        item = f" {literal(problem.item)}" if problem.item else ""
        said = screen.words.tell
        what = f"{literal(said(problem.what))} {literal(said(problem.cure))}"
        screen.tell(f"**{literal(place)}**{item}  \n{what}")
    for pack in dict.fromkeys((one["pack"], one["language"]) for one in items):
        mine = [one for one in items if (one["pack"], one["language"]) == pack]
        screen.tell(f"**{literal(pack[0])}** ({pack[1]})")
        for one in mine:
            screen.entry("  ", _looks(one, screen.words))
    screen.tell(_total(problems, items, screen.words))


def _looks(one: Looks, language: Words) -> str:
    names = {
        "poll": language.say("poll"),
        "letters": language.say("letters, full text above"),
        "buttons": language.say("buttons"),
        "select": language.say("menu of letters"),
        "text": language.say("typed answer"),
    }
    telegram, discord = names[one["telegram"]], names[one["discord"]]
    where = f"Telegram: {telegram} · Discord: {discord}"
    if telegram == discord:
        where = f"Telegram, Discord: {telegram}"
    return f"{literal(one['item'])} · {where}"


def _total(problems: Sequence[Problem], items: Sequence[Looks], language: Words) -> str:
    counted = language.plural("{n} question", "{n} questions", len(items))
    if not problems:
        return language.say("{items} checked, nothing wrong.", items=counted)
    wrong = language.plural("{n} problem", "{n} problems", len(problems))
    return language.say("{problems} to mend; {items} can be played.", problems=wrong, items=counted)
