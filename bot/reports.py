"""Reports: what became of a file, in short for a chat and in full as a text."""

from collections.abc import Iterator, Sequence

from bot.actions import Action, Verb
from bot.banks import LEFT, Parcel
from bot.formats.findings import Remark, Severity
from bot.formats.importing import Import
from bot.panels import Button, OptionLine, Panel, Role
from bot.text import Markdown, literal, plain, shorten
from bot.wording import Words

MOST_PLACES = 6
MOST_LINES = 3
MOST_LETTERS = 20
EXCERPT = 50
LINE = 300
MARKS = {Severity.SKIPPED: "✗ ", Severity.CHANGED: "~ ", Severity.NOTE: "· "}


def grouped(report: Sequence[Remark], words: Words) -> list[tuple[str, str]]:
    """Give the lines of a report with their marks, those for the same reason as one.

    The gravest come first. The lines are Markdown.
    """
    groups: dict[tuple[Severity, str, str], list[Remark]] = {}
    for severity in MARKS:
        for one in report:
            if one.severity is severity:
                groups.setdefault((severity, one.reason, one.action), []).append(one)
    return [
        (MARKS[severity], f"**{_places(found, words)}** {said(found[0], words)}")
        for (severity, _, _), found in groups.items()
    ]


def said(remark: Remark, words: Words) -> Markdown:
    """Say what a remark is about, and what was done."""
    return literal(f"{words.tell(remark.reason)} {words.tell(remark.action)}")


def counted(found: int, imported: int, waiting: int, skipped: int, words: Words) -> str:
    """Say how many questions were found, and what became of them."""
    return words.say(
        "{found} found: {imported} imported, {waiting} without an answer, {skipped} skipped.",
        found=found,
        imported=imported,
        waiting=waiting,
        skipped=skipped,
    )


def full(brought: Import, words: Words) -> str:
    """Write everything there is to say about an import, as plain text."""
    total = counted(brought.found, brought.questions, len(brought.waiting), brought.skipped, words)
    lines = [f"{brought.file} · {brought.format}", total, ""]
    for severity, mark in MARKS.items():
        for one in brought.report:
            if one.severity is severity:
                excerpt = f"“{shorten(one.excerpt, EXCERPT)}”" if one.excerpt else ""
                told = (words.tell(text) for text in (one.reason, one.action))
                parts = (mark.strip(), words.tell(one.place), excerpt, *told)
                lines.append(" ".join(filter(None, parts)))
    return "\n".join(lines) + "\n"


def remarkable(report: Sequence[Remark], words: Words) -> tuple[str, ...]:
    """Choose what a chat is told of a report, each line of a length that a phone can show."""
    lines = [mark + line for mark, line in grouped(report, words)]
    more = len(lines) - MOST_LINES
    cut = tuple(
        line if len(line) <= LINE else literal(shorten(plain(Markdown(line)), LINE))
        for line in lines[:MOST_LINES]
    )
    if more <= 0:
        return cut
    return (*cut, words.plural("… and {n} more in the file", "… and {n} more in the file", more))


def report(parcel: Parcel, ways: Sequence[Button], words: Words, *, note: str = "") -> Panel:
    """Show what became of a file; `ways` are where the quiz can go."""
    answered = sum(key not in {"", LEFT} for key in parcel.keys)
    waiting = len(parcel.unanswered)
    skipped = parcel.found - parcel.imported - answered - waiting
    total = counted(parcel.found, parcel.imported + answered, waiting, skipped, words)
    hint = ""
    if waiting:
        hint = words.plural(
            "{n} question has no answer yet: I show it, and you tap the right option. Without "
            "one it is left out.",
            "{n} questions have no answer yet: I show each, and you tap the right option. Those "
            "without one are left out.",
            waiting,
        )
    elif not ways:
        hint = words.say("There is nothing to keep.")
    buttons = [*ways, Button(label=words.say("Cancel"), action=act("drop", parcel.id))]
    if waiting:
        label = words.say("Give the answers")
        give = act("give", parcel.id, turn=parcel.unanswered[0])
        buttons.insert(0, Button(label=label, action=give, primary=True))
    return Panel(
        role=Role.NOTICE,
        heading=parcel.title,
        body=tuple(map(Markdown, filter(None, (total, *parcel.lines)))),
        notes=tuple(map(Markdown, filter(None, (hint, note)))),
        buttons=tuple(buttons),
    )


def key_panel(parcel: Parcel, place: int, words: Words) -> Panel:
    """Show a question that waits for its answer, with a button for each option."""
    draft = parcel.waiting[place]
    left = parcel.unanswered
    options = tuple(
        OptionLine(letter=chr(65 + at), place=at, text=Markdown(option.text))
        for at, option in enumerate(draft.options)
    )
    return Panel(
        role=Role.NOTICE,
        heading=words.say("Which answer is right?"),
        progress=words.plural("{n} to go", "{n} to go", len(left)),
        body=(Markdown(draft.stem),),
        options=options,
        buttons=tuple(_keys(parcel, place, len(options), words)),
    )


def act(what: str, about: str = "", *, turn: int = 0) -> Action:
    """Make what a button about banks asks for."""
    return Action(verb=Verb.BANK, turn=turn, value=f"{what}.{about}")


def _keys(parcel: Parcel, place: int, count: int, words: Words) -> Iterator[Button]:
    for at in range(min(count, MOST_LETTERS)):
        yield Button(label=chr(65 + at), action=act("key", f"{parcel.id}.{at + 1}", turn=place))
    skip = act("key", f"{parcel.id}.{LEFT}", turn=place)
    yield Button(label=words.say("Leave it out"), action=skip)
    yield Button(label=words.say("‹ Back"), action=act("see", parcel.id))


def _places(found: Sequence[Remark], words: Words) -> str:
    """Name where something was found; a place alone with its first words."""
    places = list(dict.fromkeys(words.tell(one.place) for one in found))
    if len(found) == 1 and found[0].excerpt:
        return f"{literal(places[0])} “{literal(shorten(found[0].excerpt, EXCERPT))}”"
    more = f" … ({len(places)})" if len(places) > MOST_PLACES else ""
    return literal(", ".join(places[:MOST_PLACES])) + more
