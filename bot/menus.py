"""Menus: greetings, pickers, settings and help, as panels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bot.actions import Action, Verb
from bot.commands import COMMANDS, Place, Topic
from bot.errors import UnknownPack
from bot.modes import Mode
from bot.packs import Library, Pack, short
from bot.panels import Button, Panel, Role
from bot.people import Room, Settings
from bot.text import Markdown, literal
from bot.wording import LANGUAGES, Words, phrase

PAGE = 8
V = TypeVar("V")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """A shared quiz that is being prepared; it travels in the buttons of its own card."""

    pack: str
    count: int
    seconds: int
    mode: Mode

    def value(self) -> str:
        """Write it for a button."""
        return f"{self.pack},{self.count},{self.seconds},{self.mode.value}"


def read_setup(value: str) -> Setup | None:
    """Read what a button carried; None for anything that was not written by `Setup.value`."""
    try:
        pack, count, seconds, mode = value.split(",")
        setup = Setup(pack=pack, count=int(count), seconds=int(seconds), mode=Mode(mode))
    except ValueError:
        return None
    known = setup.count in COUNTS and setup.seconds in SECONDS and setup.mode is not Mode.DAILY
    return setup if known else None


COUNTS = (0, 5, 10, 20)
SECONDS = (10, 15, 20, 30, 45, 60, 90)
MODES = (Mode.LIVE, Mode.RELAXED)


def mode_name(mode: Mode, words: Words) -> str:
    """Name a mode for people."""
    return {
        Mode.SOLO: words.say("on your own"),
        Mode.LIVE: words.say("live, by the clock"),
        Mode.RELAXED: words.say("relaxed, no clock"),
        Mode.EXAM: words.say("exam"),
        Mode.DAILY: words.say("daily question"),
    }[mode]


def setup_card(setup: Setup, pack: Pack, words: Words) -> Panel:
    """Show what is about to be played; each button shows what it changes to a next value."""
    available = len(pack.item_ids)
    count = min(setup.count or available, available)
    changes = [
        (words.plural("{n} question", "{n} questions", count), _next_count(setup, available)),
        (mode_name(setup.mode, words), replace(setup, mode=_after(MODES, setup.mode))),
    ]
    if setup.mode is Mode.LIVE:
        label = words.say("{n} seconds each", n=setup.seconds)
        changes.insert(1, (label, replace(setup, seconds=_after(SECONDS, setup.seconds))))
    edition = pack.edition(words.language)
    return Panel(
        role=Role.NOTICE,
        heading=edition.title,
        body=(literal(edition.description),) if edition.description else (),
        notes=(Markdown(words.say("Tap to change, then start.")),),
        buttons=(
            *(
                Button(label=label, action=Action(verb=Verb.SETUP, value=after.value()))
                for label, after in changes
            ),
            Button(
                label=words.say("Start"),
                action=Action(verb=Verb.SETUP, turn=1, value=setup.value()),
                primary=True,
            ),
        ),
    )


def greeting(name: str, library: Library, words: Words) -> Panel:
    """Welcome somebody and offer the packs."""
    shelf = packs(library, 0, words)
    hello = words.say(
        "Hello {name}! Pick a quiz. You see at once whether you are right, and why.",
        name=literal(name),
    )
    return replace(shelf, heading="", body=(Markdown(hello),))


def packs(library: Library, page: int, words: Words) -> Panel:
    """List the packs, a page at a time, each with a button that starts it."""
    every = list(library)
    pages = max(1, -(-len(every) // PAGE))
    page = min(max(page, 0), pages - 1)
    here = every[page * PAGE : (page + 1) * PAGE]
    buttons = [
        Button(label=_shelf_label(pack, words), action=Action(verb=Verb.PLAY, value=short(pack.id)))
        for pack in here
    ]
    if page:
        back = Action(verb=Verb.PACKS, turn=page - 1)
        buttons.append(Button(label=words.say("‹ Back"), action=back))
    if page + 1 < pages:
        more = Action(verb=Verb.PACKS, turn=page + 1)
        buttons.append(Button(label=words.say("More ›"), action=more))
    body = words.say("Pick a quiz.") if every else words.say("There are no quizzes yet.")
    return Panel(
        role=Role.NOTICE,
        heading=words.say("Quizzes"),
        progress=f"{page + 1}/{pages}" if pages > 1 else "",
        body=(Markdown(body),),
        buttons=tuple(buttons),
    )


def help_(place: Place, words: Words, platform: str = "") -> Panel:
    """List the commands that make sense in a place of a platform, by what people want."""
    groups: dict[Topic, list[str]] = {}
    for command in COMMANDS:
        if place in command.places and command.only in {"", platform} and command.name != "help":
            line = f"/{command.localised(words.language)} — {literal(command.described(words))}"
            groups.setdefault(command.topic, []).append(line)
    promise = words.say("Answers and explanations appear as you take the quiz.")
    listed = (
        Markdown("  \n".join([f"**{words.say(topic.value)}**", *lines]))
        for topic, lines in groups.items()
    )
    return Panel(
        role=Role.NOTICE,
        heading=words.say("How this works"),
        body=(Markdown(promise), *listed),
    )


def languages(words: Words) -> Panel:
    """Offer the languages."""
    return Panel(
        role=Role.NOTICE,
        body=(Markdown(words.say("Which language do you like to read?")),),
        buttons=tuple(
            Button(label=name, action=Action(verb=Verb.SETTING, value=f"me={code}"))
            for code, name in LANGUAGES.items()
        ),
    )


def nothing_here(words: Words) -> Panel:
    """Say that no quiz waits or runs."""
    return notice(words.say("There is no quiz here at the moment. Type /quiz!"))


def notice(sentence: str) -> Panel:
    """Show one sentence (Markdown)."""
    return Panel(role=Role.NOTICE, body=(Markdown(sentence),))


def unknown_quiz(wanted: UnknownPack, words: Words) -> str:
    """Say that there is no quiz of that name, and what may have been meant."""
    sentence = words.say("I know no quiz called “{name}”.", name=literal(wanted.name))
    if near := ", ".join(f"`{name}`" for name in wanted.near):
        sentence += " " + words.say("Did you mean {names}?", names=near)
    return sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Knob:
    """One setting of a room: its name, what it is called, and its values with their names."""

    name: str
    label: str
    values: tuple[tuple[object, str], ...]


KNOBS = (
    Knob(
        name="language",
        label=phrase("Language"),
        values=(("", phrase("as its starter")), ("en", "English"), ("id", "Bahasa Indonesia")),
    ),
    Knob(
        name="mode",
        label=phrase("Quizzes are"),
        values=((Mode.LIVE.value, phrase("live")), (Mode.RELAXED.value, phrase("relaxed"))),
    ),
    Knob(
        name="seconds",
        label=phrase("Seconds a question"),
        values=tuple((seconds, str(seconds)) for seconds in SECONDS),
    ),
    Knob(
        name="style",
        label=phrase("Shown as"),
        values=(
            ("", phrase("the chat's usual")),
            ("buttons", phrase("buttons")),
            ("poll", phrase("polls")),
        ),
    ),
    Knob(
        name="starters",
        label=phrase("Started by"),
        values=(("everyone", phrase("everyone")), ("moderators", phrase("moderators"))),
    ),
    Knob(
        name="importers",
        label=phrase("Questions brought by"),
        values=(("moderators", phrase("moderators")), ("everyone", phrase("everyone"))),
    ),
    Knob(
        name="verdict_at_once",
        label=phrase("Right or wrong"),
        values=((True, phrase("told at once")), (False, phrase("told at the end"))),
    ),
    Knob(
        name="may_change",
        label=phrase("Answers"),
        values=((False, phrase("are final")), (True, phrase("can be changed"))),
    ),
    Knob(
        name="speed_bonus",
        label=phrase("Bonus for speed"),
        values=((False, phrase("off")), (True, phrase("on"))),
    ),
    Knob(
        name="streak_bonus",
        label=phrase("Bonus for streaks"),
        values=((False, phrase("off")), (True, phrase("on"))),
    ),
    Knob(
        name="confidence",
        label=phrase("How sure people are"),
        values=((False, phrase("not asked")), (True, phrase("asked with each answer"))),
    ),
    Knob(
        name="certainty_marks",
        label=phrase("Points by sureness"),
        values=((False, phrase("off")), (True, phrase("on"))),
    ),
    Knob(
        name="time_zone",
        label=phrase("Time zone"),
        values=(
            ("", "UTC"),
            ("Asia/Jakarta", "WIB, Jakarta"),
            ("Asia/Makassar", "WITA, Makassar"),
            ("Asia/Jayapura", "WIT, Jayapura"),
            ("Europe/Berlin", "Berlin"),
            ("America/New_York", "New York"),
        ),
    ),
)


def settings(room: Room, words: Words) -> Panel:
    """Show a room's settings; each button turns one to its next value."""
    buttons = []
    lines = []
    for knob in KNOBS:
        value = getattr(room.settings, knob.name)
        known = [choice for choice, _ in knob.values]
        at = known.index(value) if value in known else 0
        now = str(value) if value and value not in known else _named(knob, at, words)
        lines.append(f"{words.say(knob.label)}: **{literal(now)}**")
        following = (at + 1) % len(knob.values)
        buttons.append(
            Button(
                label=words.say(knob.label),
                action=Action(verb=Verb.SETTING, value=f"{knob.name}={following}"),
            )
        )
    return Panel(
        role=Role.NOTICE,
        heading=words.say("Settings"),
        body=(
            Markdown("  \n".join(lines)),
            Markdown(words.say("Tap a setting to change it.")),
        ),
        buttons=tuple(buttons),
    )


def turned(settings_: Settings, value: str) -> Settings | None:
    """Give settings with one of them changed as a button asks; None for a forged button."""
    name, _, place = value.partition("=")
    for knob in KNOBS:
        if knob.name == name and place.isascii() and place.isdigit():
            if int(place) >= len(knob.values):
                return None
            now = replace(settings_, **{name: knob.values[int(place)][0]})  # type: ignore[arg-type]
            return _consistent(now, name)
    return None


def _consistent(settings_: Settings, turned_: str) -> Settings:
    """Let what was not turned follow: certainty is marked only where it is asked for."""
    if settings_.certainty_marks and not settings_.confidence:
        if turned_ == "certainty_marks":
            return replace(settings_, confidence=True)
        return replace(settings_, certainty_marks=False)
    return settings_


def _named(knob: Knob, at: int, words: Words) -> str:
    return words.say(knob.values[at][1])


def _shelf_label(pack: Pack, words: Words) -> str:
    return f"{pack.edition(words.language).title} · {len(pack.item_ids)}"


def _after(values: Sequence[V], value: V) -> V:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]


def _next_count(setup: Setup, available: int) -> Setup:
    sensible = [count for count in COUNTS if count < available]
    return replace(setup, count=_after(sensible, setup.count))
