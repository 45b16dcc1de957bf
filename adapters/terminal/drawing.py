"""Drawing: a panel as lines of styled text, for a window of any width or for a pipe.

A line knows its colours; whether they are shown is the console's business. Nothing here prints.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rich.console import Console
from rich.text import Text

from adapters.terminal.markup import hang, lines_of, wrapped
from bot.panels import OptionLine, Panel, Role, Tone
from bot.scoring import Standing
from bot.summing import standing_line
from bot.text import Markdown
from bot.wording import Words

NOTHING = Markdown("")
WIDEST = 88
BAR = 24
COLOURS = {
    Tone.NEUTRAL: "bold",
    Tone.RIGHT: "bold green",
    Tone.PARTLY: "bold yellow",
    Tone.WRONG: "bold red",
    Tone.NOTICE: "bold yellow",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What lines are drawn for: a console, a language, and a width (None: nothing is wrapped)."""

    console: Console
    words: Words
    width: int | None

    @property
    def pretty(self) -> bool:
        """Tell whether a person sees this in a window."""
        return self.console.is_terminal

    def inside(self, indent: int) -> "Look":
        """Leave room for an indent."""
        return replace(self, width=self.width and max(8, self.width - indent))


def look_at(console: Console, words: Words) -> Look:
    """Fit text to a window, never wider than reads well; in a pipe the reader may wrap it."""
    width = min(console.width, WIDEST) if console.is_terminal else None
    return Look(console=console, words=words, width=width)


def draw(panel: Panel, look: Look) -> list[Text]:
    """Draw a panel."""
    match panel.role:
        case Role.QUESTION:
            return list(_question(panel, look))
        case Role.REVEAL | Role.RECEIPT:
            return list(_verdict(panel, look))
        case Role.SUMMARY:
            return list(_summary(panel, look))
        case Role.BOARD | Role.NOTICE:
            return list(_notice(panel, look))


def paragraphs(sources: Iterable[Markdown], look: Look) -> Iterator[Text]:
    """Set texts below one another, with a blank line between."""
    for number, source in enumerate(sources):
        if number:
            yield Text()
        yield from lines_of(source, look.console, look.width)


def _question(panel: Panel, look: Look) -> Iterator[Text]:
    yield Text()
    yield _progress(panel.progress, look)
    yield Text()
    yield from _stem(panel.body, look)
    if panel.options:
        yield Text()
    for option in panel.options:
        yield from _option(option, look)
    if panel.notes:
        yield Text()
    for line in paragraphs(panel.notes, look):
        line.stylize_before("dim")
        yield line


def _stem(body: Sequence[Markdown], look: Look) -> Iterator[Text]:
    """Set what is asked, which comes first, apart from what belongs to it."""
    style = "bold"
    for line in paragraphs(body, look):
        style = style if line else ""
        line.stylize_before(style)
        yield line


def _verdict(panel: Panel, look: Look) -> Iterator[Text]:
    """Give the verdict, what was chosen, what is right, and why; the stem still stands above."""
    yield Text()
    yield Text(panel.heading, COLOURS[panel.tone])
    notes = list(panel.notes)
    for option in panel.options:
        if option.chosen:
            why = _taken_from(notes, option)
            yield from _option(option, look, mark="✓" if option.key else "✗", why=why)
    yield from _missed(panel.options, look)
    if notes:
        yield Text()
    yield from paragraphs(notes, look)


def _taken_from(notes: list[Markdown], option: OptionLine) -> Markdown:
    """Take the author's line about an option out of the notes: it begins with the letter."""
    start = f"**{option.letter}.** "
    mine = next((note for note in notes if note.startswith(start)), None)
    if mine is None:
        return Markdown("")
    notes.remove(mine)
    return Markdown(mine.removeprefix(start))


def _missed(options: Sequence[OptionLine], look: Look) -> Iterator[Text]:
    """Name the right options that were not chosen."""
    some = any(option.chosen and option.key for option in options)
    for option in options:
        if option.chosen or not option.key:
            continue
        answer = f"**{option.letter}.** {option.text}"
        sentence = (
            look.words.say("Also right: {answer}", answer=answer)
            if some
            else look.words.say("Right answer: {answer}", answer=answer)
        )
        lines = lines_of(Markdown(sentence), look.console, look.inside(4).width)
        for line in hang(Text("  → "), lines):
            line.stylize_before("green")
            yield line
        some = True


def _summary(panel: Panel, look: Look) -> Iterator[Text]:
    """Put what is long first and the score last: that is where eyes are in a terminal."""
    yield Text()
    if panel.notes:
        yield from _review(panel.notes, look)
        yield Text()
    for source in panel.body:
        yield from lines_of(source, look.console, look.width)
    yield Text()
    ending = Text(panel.heading, COLOURS[panel.tone])
    if panel.progress:
        ending += Text(" ") + _progress(panel.progress, look)
    yield ending


def _review(notes: Sequence[Markdown], look: Look) -> Iterator[Text]:
    """Set each item that is gone over as one dense paragraph under its number."""
    heading, *items = notes
    yield from lines_of(heading, look.console, look.width)
    for item in items:
        yield Text()
        lines = lines_of(item, look.console, look.inside(3).width, tight=True)
        yield from hang(Text(), lines, rest=3)


def _notice(panel: Panel, look: Look) -> Iterator[Text]:
    yield Text()
    heading = Text(" · ").join(
        Text(part, style)
        for part, style in ((panel.heading, COLOURS[panel.tone]), (panel.progress, "dim"))
        if part
    )
    if heading:
        yield from wrapped(heading, look.console, look.width)
    yield from paragraphs(panel.body, look)
    yield from _standings(panel.standings, look)
    yield from paragraphs(panel.notes, look)


def _option(
    option: OptionLine, look: Look, *, mark: str = "", why: Markdown = NOTHING
) -> Iterator[Text]:
    colour = {"✓": "green", "✗": "red"}.get(mark, "")
    letter = Text(f"{option.letter}  " if look.pretty else f"{option.letter}. ", "bold cyan")
    front = Text("  ") + (Text(f"{mark} ", colour) if mark else Text()) + letter
    lines = lines_of(option.text, look.console, look.inside(front.cell_len).width)
    for line in hang(front, lines):
        line.stylize_before(colour)
        yield line
    explained = lines_of(why, look.console, look.inside(front.cell_len).width)
    yield from hang(Text(" " * front.cell_len), explained)


def _standings(rows: Sequence[Standing], look: Look) -> Iterator[Text]:
    for row in rows:
        source = standing_line(row, look.words)
        indented = lines_of(source, look.console, look.inside(3).width)
        yield from hang(Text(), indented, rest=3)


def _progress(progress: str, look: Look) -> Text:
    """Draw `3/8` as a bar with its numbers, in a pipe the numbers alone."""
    done, _, total = progress.partition("/")
    try:
        share = float(done.replace(",", ".")) / float(total)
    except (ValueError, ZeroDivisionError):
        return Text(progress, "dim")
    if not look.pretty:
        return Text(progress)
    length = min(BAR, (look.width or WIDEST) // 2)
    full = round(length * min(1.0, share))
    return Text.assemble(("━" * full, "cyan"), ("─" * (length - full), "dim"), f" {progress}")
