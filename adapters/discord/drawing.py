"""Drawing: panels become messages of components, as Discord's own look."""

import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import Any

import discord
from discord import ui

from adapters.discord import limits
from adapters.discord.components import Pick, Press, disabled
from adapters.discord.markup import discord_text, escaped
from bot.actions import Action, Verb
from bot.panels import Button, Entry, Form, OptionLine, Panel, Role, Tone
from bot.submissions import UNSURE
from bot.summing import standing_line
from bot.text import Picture, blocks, pictures, plain
from bot.wording import Words, words

COLOURS = {
    Tone.NEUTRAL: 0x5865F2,
    Tone.RIGHT: 0x23A55A,
    Tone.PARTLY: 0xF0B232,
    Tone.WRONG: 0xF23F43,
    Tone.NOTICE: 0x80848E,
}
SIGNS = {Tone.RIGHT: "✅ ", Tone.PARTLY: "🟡 ", Tone.WRONG: "❌ "}
_COMMAND = re.compile(r"(?<![\w/<`.:])/([a-z]{2,32})\b(?![`/])")
BAR = 10
HEADLINE = 160
ROWS = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A message ready to go: its components, and the files they show."""

    view: ui.LayoutView
    files: list[discord.File] = field(default_factory=list)
    role: Role = Role.NOTICE


class Printed(ui.LayoutView):
    """A layout that is written out once, however many people are shown it."""

    _written: list[dict[str, Any]] | None = None

    def to_components(self) -> list[dict[str, Any]]:
        """Give what is sent."""
        if self._written is None:
            self._written = super().to_components()  # type: ignore[no-untyped-call]
        return self._written


class Above(Enum):
    """What stands between a text and the one above it."""

    NOTHING = "nothing"
    SPACE = "space"
    LINE = "line"


@dataclass(slots=True, kw_only=True)
class _Part:
    """A text of a message, and what sets it apart from the one above.

    Where not all texts fit, those with the lowest `weight` stay.
    """

    text: str
    weight: int = 0
    above: Above = Above.NOTHING


def draw(
    panel: Panel, *, until: datetime | None = None, picture: tuple[str, bytes] | None = None
) -> Drawing:
    """Draw a panel; `until` is shown as a countdown that Discord keeps by itself, a `picture`
    above all that tells the same in words.

    A text that is too long for one message comes along as a file, whole.
    """
    if panel.role is Role.RECEIPT:
        drawing = _receipt(panel)
        return drawing if not drawing.files else _drawn(panel, None)
    return _drawn(panel, until, picture)


@lru_cache(maxsize=256)
def _receipt(panel: Panel) -> Drawing:
    """Draw once what many people are told who have answered the same."""
    return _drawn(panel, None)


def _drawn(
    panel: Panel, until: datetime | None, picture: tuple[str, bytes] | None = None
) -> Drawing:
    spoken = words(panel.language)
    parts, left_out = _fitting([part for part in _parts(panel, spoken, until) if part.text])
    shown, files = _told_in(panel, *picture) if picture else _gallery(panel)
    if left_out:
        hint = f"-# {spoken.say('The full text is in the file.')}"
        parts.append(_Part(text=hint, above=Above.LINE))
        files.append(_whole(panel, spoken))
    box: ui.Container[Any] = ui.Container(accent_colour=COLOURS[panel.tone])
    for part in parts:
        if part.above is not Above.NOTHING and box.children:
            box.add_item(ui.Separator(visible=part.above is Above.LINE))
        box.add_item(ui.TextDisplay(part.text))
        if shown and part is parts[min(1, len(parts) - 1)]:
            box.add_item(shown)
            shown = None
    if left_out:
        box.add_item(ui.File(f"attachment://{files[-1].filename}"))
    for place, row in enumerate(_rows(panel, spoken)):
        if not place:
            box.add_item(ui.Separator(visible=False))
        box.add_item(row)
    view = Printed(timeout=None).add_item(box)
    view.stop()  # nobody listens to this object: buttons say in their ids what they are for
    return Drawing(view=view, files=files, role=panel.role)


def linked(drawing: Drawing, commands: Mapping[str, int]) -> Drawing:
    """Let the commands that a notice mentions be pressed, under the names the reader knows.

    `commands` are the ids that Discord has given them.
    """
    if drawing.role is Role.NOTICE and commands:
        for part in drawing.view.walk_children():
            if isinstance(part, ui.TextDisplay):
                part.content = _COMMAND.sub(
                    lambda found: (
                        f"</{found[1]}:{commands[found[1]]}>" if found[1] in commands else found[0]
                    ),
                    part.content,
                )
    return drawing


def with_file(drawing: Drawing, name: str, content: bytes) -> Drawing:
    """Give a message one more file to take along."""
    drawing.view.add_item(ui.File(f"attachment://{name}"))
    file = discord.File(io.BytesIO(content), filename=name)
    return Drawing(view=drawing.view, files=[*drawing.files, file])


# ---------------------------------------------------------------- texts


def _parts(panel: Panel, spoken: Words, until: datetime | None) -> Iterator[_Part]:
    solved = panel.role in {Role.REVEAL, Role.RECEIPT}
    yield _Part(text=_head(panel, until), weight=0)
    if panel.body:
        yield _Part(text=_body(panel), weight=3 if solved else 1)
    if panel.options:
        options = "\n".join(_option(option, panel, spoken) for option in panel.options)
        yield _Part(text=options, weight=2, above=Above.SPACE)
    if panel.standings:
        yield _Part(text=_standings(panel, spoken), weight=1, above=Above.SPACE)
    if panel.notes:
        above = Above.LINE if panel.options or len(panel.notes) > 1 else Above.SPACE
        receipt = panel.role is Role.RECEIPT
        yield _Part(
            text=discord_text(panel.notes[0]), weight=1, above=Above.NOTHING if receipt else above
        )
    counted = any(option.votes is not None for option in panel.options)
    for place, note in enumerate(panel.notes[1:]):
        above = Above.NOTHING if counted and place else Above.SPACE  # figures stay together
        yield _Part(text=discord_text(note), weight=1, above=above)


def _head(panel: Panel, until: datetime | None) -> str:
    """Write the verdict or title, and below it in small how far the quiz is."""
    lines = []
    if panel.heading:
        lines.append(f"### {SIGNS.get(panel.tone, '')}{escaped(panel.heading)}")
    small = [escaped(panel.progress)] if panel.progress else []
    if until:
        small.append(f"⏳ <t:{round(until.timestamp())}:R>")
    if small:
        lines.append("-# " + "  ·  ".join(small))
    return "\n".join(lines)


def _body(panel: Panel) -> str:
    """Write what stands above the options; a question that is one line stands out."""
    texts = [discord_text(text) for text in panel.body]
    if panel.role is Role.QUESTION and texts:
        (first, *rest) = texts
        short = len(blocks(panel.body[0])) == 1 and "\n" not in first and len(first) <= HEADLINE
        texts = [f"### {first}" if short else first, *rest]
    elif panel.role is Role.REVEAL and len(blocks(panel.body[0])) == 1 and "\n" not in texts[0]:
        texts[0] = f"**{texts[0]}**" if "**" not in texts[0] else texts[0]
    return "\n\n".join(text for text in texts if text)


def _option(option: OptionLine, panel: Panel, spoken: Words) -> str:
    text = discord_text(option.text)
    line = f"{_mark(option)}**{option.letter}.** {text}"
    if option.votes is None:
        return line
    total = sum(other.votes or 0 for other in panel.options)
    share = option.votes / total if total else 0.0
    full = round(share * BAR)
    bar = "▰" * full + "▱" * (BAR - full)
    return f"{line}\n-# {bar}  {spoken.number(option.votes)} · {spoken.percent(share)}"


def _mark(option: OptionLine) -> str:
    if option.key is None:
        return ""
    if option.key:
        return "✅ "
    return "❌ " if option.chosen else "▫️ "


def _standings(panel: Panel, spoken: Words) -> str:
    """List standings, and say how many there are below the last one shown."""
    rows = [discord_text(standing_line(row, spoken), tight=True) for row in panel.standings[:ROWS]]
    more = len(panel.standings) - len(rows)
    if more:
        rows.append("-# " + spoken.plural("and {n} more", "and {n} more", more))
    return "\n".join(rows)


def _fitting(parts: Sequence[_Part]) -> tuple[list[_Part], bool]:
    """Choose the texts that fit into one message, in their order; tell if any had to stay out."""
    left = limits.TEXT
    if sum(len(part.text) for part in parts) > limits.TEXT:
        left -= 100  # for the line about the file
    kept = set()
    for part in sorted(parts, key=lambda part: part.weight):
        if len(part.text) <= left:
            kept.add(id(part))
            left -= len(part.text)
    return [part for part in parts if id(part) in kept], len(kept) < len(parts)


def _whole(panel: Panel, spoken: Words) -> discord.File:
    """Write everything a panel says into a file."""
    texts = [panel.heading, panel.progress, *panel.body]
    texts += ["\n".join(f"{o.letter}. {o.text}" for o in panel.options)]
    texts += [standing_line(row, spoken) for row in panel.standings]
    texts += panel.notes
    content = "\n\n".join(text for text in texts if text)
    return discord.File(io.BytesIO(content.encode()), filename="kuis.md")


# ---------------------------------------------------------------- pictures


def _gallery(
    panel: Panel,
) -> tuple[ui.MediaGallery[Any] | None, list[discord.File]]:
    """Put the pictures of a panel into one gallery; those on disk are sent along."""
    sources = (*panel.body, *(option.text for option in panel.options), *panel.notes)
    found = [picture for source in sources for picture in pictures(source)]
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    files: list[discord.File] = []
    for picture in found[: limits.PICTURES]:
        address = _address(picture, files)
        if address:
            alt = limits.label(picture.alt, limits.ALT_TEXT) or None
            gallery.add_item(media=address, description=alt)
    return (gallery if gallery.items else None), files


def _told_in(
    panel: Panel, name: str, content: bytes
) -> tuple[ui.MediaGallery[Any], list[discord.File]]:
    """Show a picture that the panel tells in words; these are also its description."""
    alt = limits.label("\n".join(map(plain, panel.body)), limits.ALT_TEXT)
    gallery: ui.MediaGallery[Any] = ui.MediaGallery()
    gallery.add_item(media=f"attachment://{name}", description=alt)
    return gallery, [discord.File(io.BytesIO(content), filename=name, description=alt)]


def _address(picture: Picture, files: list[discord.File]) -> str:
    if picture.source.startswith(("http://", "https://")):
        return picture.source
    path = Path(picture.source)
    if not path.is_file() or path.stat().st_size > limits.PICTURE_BYTES:
        return ""
    name = f"picture-{len(files) + 1}{path.suffix.lower()}"
    files.append(discord.File(path, filename=name, description=picture.alt or None))
    return f"attachment://{name}"


# ---------------------------------------------------------------- things to press


def _rows(panel: Panel, spoken: Words) -> Iterator[ui.ActionRow[Any]]:
    if panel.form:
        yield from _entry(panel.form, panel.options, spoken)
    elif any(option.votes is not None for option in panel.options):
        yield from _in_rows(disabled(option) for option in panel.options)
    yield from _in_rows(_button(button) for button in panel.buttons)


def _entry(form: Form, options: Sequence[OptionLine], spoken: Words) -> Iterator[ui.ActionRow[Any]]:
    """Draw what an answer is given with: letters, a menu, or a button that opens a form."""

    def action(verb: Verb, value: str = "") -> Action:
        return Action(verb=verb, session=form.session, turn=form.turn, value=value)

    if form.entry is Entry.ONE:
        yield from _in_rows(
            Press.of(action(Verb.ANSWER, str(option.place)), option.letter) for option in options
        )
        if form.confidence:
            yield from _in_rows(
                Press.of(action(Verb.ANSWER, f"{option.place}{UNSURE}"), f"{option.letter}{UNSURE}")
                for option in options
            )
    elif form.entry is Entry.MANY and len(options) <= limits.MENU_ENTRIES:
        yield ui.ActionRow(Pick.of(action(Verb.ANSWER), options, spoken.say("Choose your answers")))
    else:
        typed = Press.of(action(Verb.TYPE), f"✏️ {spoken.say('Answer')}", primary=True)
        yield ui.ActionRow(typed)


def _button(button: Button) -> Press:
    return Press.of(button.action, button.label, primary=button.primary)


def _in_rows(
    buttons: Iterable[ui.Item[Any]],
) -> Iterator[ui.ActionRow[Any]]:
    every = list(buttons)
    for start in range(0, len(every), limits.BUTTONS_IN_ROW):
        yield ui.ActionRow(*every[start : start + limits.BUTTONS_IN_ROW])
