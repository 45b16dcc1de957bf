"""Drawing: panels as HTML texts and keyboards."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from urllib.parse import quote

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from adapters.telegram.markup import ALERT, bold, chunks, cut, escape, isolated, line
from bot.actions import Action, Verb, encode
from bot.panels import Button, Entry, Form, OptionLine, Panel, Role, Tone
from bot.scoring import Standing
from bot.submissions import UNSURE
from bot.summing import standing_line
from bot.text import Markdown, plain, tidy
from bot.wording import Words

ICONS = {Tone.RIGHT: "✅", Tone.PARTLY: "🟡", Tone.WRONG: "❌", Tone.NOTICE: "", Tone.NEUTRAL: ""}
SIDE_BY_SIDE = 16
LETTERS_A_ROW = 6
ROWS = 20
SUBMIT = "!"
TOGGLE = "+"
ANSWERING = "a--"
_HEAVY = ("<pre>", "<blockquote>")
Keyboard = Sequence[Sequence[InlineKeyboardButton]]


def parts(panel: Panel, words: Words, *, stem: bool = True) -> list[str]:
    """Set a panel in chunks, from top to bottom; without its stem where that stands above."""
    found = [head(panel)]
    if stem:
        found += _texts(panel.body)
    found += options(shown_options(panel))
    if panel.standings:
        found.append("\n".join(_rows(panel.standings, words)))
    found += _texts(panel.notes, quiet=panel.role is Role.QUESTION)
    return [part for part in found if part]


def head(panel: Panel) -> str:
    """Set the first line: what this is, in a word, and how far the quiz is."""
    icon = ICONS[panel.tone]
    heading = " ".join(filter(None, (icon if panel.heading else "", bold(panel.heading))))
    if not heading:
        return bold(panel.progress)
    return f"{heading} · {escape(panel.progress)}" if panel.progress else heading


def options(lines: Iterable[OptionLine]) -> list[str]:
    """Set options with their letters, close together unless one holds code."""
    found = [_option(option) for option in lines]
    if any(mark in option for option in found for mark in _HEAVY):
        return found
    return ["\n".join(found)] if found else []


def shown_options(panel: Panel) -> Sequence[OptionLine]:
    """Leave out what a verdict need not repeat: options neither right nor chosen.

    A room sees all of them, with their votes.
    """
    if panel.role is not Role.REVEAL or any(o.votes is not None for o in panel.options):
        return panel.options
    return [option for option in panel.options if option.key or option.chosen]


def alert(panel: Panel) -> str:
    """Give what fits into a pop-up: plain text, at most 200 characters."""
    icon = ICONS[panel.tone]
    told = (tidy(plain(text)) for text in (*panel.body, *panel.notes))
    heading = f"{icon} {panel.heading}".strip()
    return cut("\n".join(filter(None, (heading, *told))), ALERT)


def keyboard(panel: Panel) -> Keyboard:
    """Set a panel's buttons in rows: short ones side by side, the main one alone."""
    rows: list[list[InlineKeyboardButton]] = []
    beside = False
    for button in panel.buttons:
        small = len(button.label) <= SIDE_BY_SIDE and not button.primary
        if small and beside and len(rows[-1]) == 1:
            rows[-1].append(_button(button))
        else:
            rows.append([_button(button)])
        beside = small
    return rows


def letter_keyboard(panel: Panel, words: Words) -> Keyboard:
    """Set a button for each option, another one for who is not sure if that is asked, and one to
    submit where several can be chosen.
    """
    form = panel.form
    if form is None:
        return keyboard(panel)
    several = form.entry is Entry.MANY
    rows = _letters(panel, form, front=TOGGLE if several else "")
    if form.confidence:
        rows += _letters(panel, form, mark=UNSURE)
    if several:
        submit = InlineKeyboardButton(words.say("Submit"), callback_data=_answer(form, SUBMIT))
        rows.append([submit])
    return [*rows, *keyboard(panel)]


def _letters(
    panel: Panel, form: Form, *, front: str = "", mark: str = ""
) -> list[Sequence[InlineKeyboardButton]]:
    letters = [
        InlineKeyboardButton(
            f"{option.letter}{mark}", callback_data=_answer(form, f"{front}{option.place}{mark}")
        )
        for option in panel.options
    ]
    return [letters[at : at + LETTERS_A_ROW] for at in range(0, len(letters), LETTERS_A_ROW)]


def challenge(panel: Panel, username: str, words: Words) -> Keyboard:
    """Set a button that shares a link to the quiz, below the summary of one's own."""
    packs = [b.action.value for b in panel.buttons if b.action.verb is Verb.PLAY]
    if not packs:
        return []
    link = f"https://t.me/{username}?start={payload(packs[0])}"
    said = words.say("I got {score}. Can you do better?", score=panel.progress)
    url = f"https://t.me/share/url?url={quote(link, safe='')}&text={quote(said)}"
    return [[InlineKeyboardButton(words.say("Challenge a friend"), url=url)]]


def answer_elsewhere(form: Form, username: str, words: Words) -> Sequence[InlineKeyboardButton]:
    """Set a button that leads to where a typed answer can be given: channels have no replies."""
    url = f"https://t.me/{username}?start={ANSWERING}{form.session}-{form.turn}"
    return [InlineKeyboardButton(words.say("Answer"), url=url)]


def payload(pack: str) -> str:
    """Write a pack's short id so that a deep link may carry it (A-Z a-z 0-9 _ -)."""
    return pack.replace("~", "__")


def markup(rows: Keyboard) -> InlineKeyboardMarkup | None:
    """Give the library's keyboard; None for an empty one."""
    return InlineKeyboardMarkup(rows) if rows else None


def _texts(sources: Iterable[Markdown], *, quiet: bool = False) -> Iterator[str]:
    for source in sources:
        for chunk in chunks(source):
            yield f"<i>{chunk}</i>" if quiet and "<" not in chunk else chunk


def _option(option: OptionLine) -> str:
    mark = ""
    if option.key is not None:
        wrong = "❌ " if option.chosen else "▫️ "
        mark = "✅ " if option.key else wrong
    text = f"{mark}<b>{option.letter}.</b> {line(option.text)}"
    return f"{text} — <b>{option.votes}</b>" if option.votes is not None else text


def _rows(standings: Sequence[Standing], words: Words) -> Iterator[str]:
    """Set the top of a table; of a long one it is said how many more there are."""
    top = standings[:ROWS] if len(standings) > ROWS + 1 else standings
    for row in top:
        yield line(standing_line(replace(row, name=isolated(row.name)), words))
    if more := len(standings) - len(top):
        yield words.plural("… and {n} more", "… and {n} more", more)


def _button(button: Button) -> InlineKeyboardButton:
    return InlineKeyboardButton(button.label, callback_data=encode(button.action))


def _answer(form: Form, value: str) -> str:
    return encode(Action(verb=Verb.ANSWER, session=form.session, turn=form.turn, value=value))
