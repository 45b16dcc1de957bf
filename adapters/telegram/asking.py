"""Asking: how an item is put to a chat: as a poll, as a poll of letters, with buttons, or as text.

Nothing is cut to make it fit: what a poll cannot hold stands in full in its description or in a
message of its own, with letters to choose from (PLATFORMS.md A.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from adapters.telegram.drawing import options, parts
from adapters.telegram.markup import DESCRIPTION, cut, escape, joined, length
from adapters.telegram.places import Spot
from bot.limits import TELEGRAM, fits
from bot.modes import Mode
from bot.panels import Entry, Form, Panel
from bot.session import Session
from bot.text import pictures, plain, tidy
from bot.wording import Words

SHORTEST_PERIOD = 5
LONGEST_PERIOD = 2_628_000


class Look(Enum):
    """How an item looks."""

    POLL = "poll"
    LETTERS = "letters"
    BUTTONS = "buttons"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a session wants its polls: with the key inside, for how long, changeable or not."""

    quiz: bool = True
    seconds: int | None = None
    revoting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ballot:
    """A poll, ready to send; `message` is HTML to send before it, if it holds too little."""

    question: str
    options: Sequence[str]
    places: Sequence[int]
    keys: Sequence[int]
    explanation: str
    several: bool
    manner: Manner
    description: str = ""
    message: Sequence[str] = ()


def look(panel: Panel, *, channel: bool = False, style: str = "") -> Look:
    """Choose how an item looks: channels have no polls that tell who voted, and no poll asks how
    sure somebody is.
    """
    if panel.form is None or panel.form.entry in {Entry.TEXT, Entry.NUMBER}:
        return Look.TEXT
    several = panel.form.entry is Entry.ONE and len(panel.form.keys) > 1  # after a correction
    buttons = channel or several or panel.form.confidence or style == "buttons"
    if buttons or len(panel.options) > TELEGRAM.options:
        return Look.BUTTONS
    whole = all(fits(text, TELEGRAM.question) for text in panel.body)
    whole = whole and all(fits(option.text, TELEGRAM.option) for option in panel.options)
    alike = len({tidy(plain(option.text)) for option in panel.options}) < len(panel.options)
    return Look.POLL if whole and len(panel.body) == 1 and not alike else Look.LETTERS


def manner(session: Session, spot: Spot) -> Manner:
    """Tell how a session wants its polls.

    Where the verdict comes at the end the poll must not know the key, and only there may
    somebody change their mind.
    """
    told = session.rules.mode is not Mode.EXAM
    if not spot.private:
        told = session.rules.verdict_at_once and not session.rules.may_change
    seconds = None
    if session.rules.timed:
        left = session.allowed if session.remaining is None else round(session.remaining)
        seconds = min(max(left, SHORTEST_PERIOD), LONGEST_PERIOD)
    revoting = session.rules.may_change and not spot.private
    return Manner(quiz=told, seconds=seconds, revoting=revoting)


def ballot(panel: Panel, form: Form, how: Manner, words: Words, *, room: bool) -> Ballot:
    """Make the poll for a panel; in a room its text never takes a message of its own."""
    places = [option.place for option in panel.options]
    several = form.entry is Entry.MANY
    explanation = cut(tidy(plain(form.explanation)), TELEGRAM.explanation) if how.quiz else ""
    whole = look(panel) is Look.POLL
    shown = _poll_text(panel) if whole else _letters_text(panel, words)
    return Ballot(
        question=shown.question,
        options=[tidy(plain(o.text)) if whole else o.letter for o in panel.options],
        places=places,
        keys=[at for at, place in enumerate(places) if place in form.keys] if how.quiz else [],
        explanation=explanation,
        several=several,
        manner=how,
        description=shown.description,
        message=() if room else shown.message,
    )


def holds(panel: Panel, words: Words) -> bool:
    """Tell whether a poll holds all of an item, in its description if need be."""
    return look(panel) is Look.POLL or not _letters_text(panel, words).message


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    question: str
    description: str = ""
    message: Sequence[str] = ()


def _poll_text(panel: Panel) -> _Shown:
    stem = tidy(plain(panel.body[0]))
    numbered = f"{panel.progress} · {stem}"
    question = numbered if len(numbered) <= TELEGRAM.question else stem
    notes = joined(f"<i>{escape(plain(note))}</i>" for note in panel.notes)
    return _Shown(question=question, description=notes)


def _letters_text(panel: Panel, words: Words) -> _Shown:
    """Put the stem into the question if it loses nothing there, and the rest into the description.

    What is too long for that, or has a picture, becomes a message before the poll.
    """
    choose = f"{panel.progress} · {words.say('Which answer is right?')}"
    stem = tidy(plain(panel.body[0])) if len(panel.body) == 1 else ""
    numbered = f"{panel.progress} · {stem}"
    if stem and fits(panel.body[0], TELEGRAM.question) and len(numbered) <= TELEGRAM.question:
        below = [*options(panel.options), *(f"<i>{escape(plain(n))}</i>" for n in panel.notes)]
        question = numbered
    else:
        below = parts(panel, words)[1:]
        question = choose
    description = joined(below)
    if length(description) <= DESCRIPTION and not any(map(pictures, panel.body)):
        return _Shown(question=question, description=description)
    return _Shown(question=choose, message=parts(panel, words))
