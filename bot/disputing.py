"""Disputing: what people read when an item is challenged, judged and corrected."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action, Verb
from bot.corrections import Challenge, Reason, allowed, can_be_corrected
from bot.ids import SessionId
from bot.items import Item, TrueFalse, keys, option_count
from bot.packs import Pack
from bot.panels import Button, OptionLine, Panel, Role
from bot.reading import letter
from bot.showing import option_text
from bot.text import Markdown, literal
from bot.wording import Words, phrase

REASONS = {
    Reason.KEY: phrase("The marked answer is wrong"),
    Reason.SEVERAL: phrase("More than one is right"),
    Reason.UNCLEAR: phrase("It is unclear"),
    Reason.TYPO: phrase("There is a typo"),
}
UNSAID = phrase("No reason given")
TOGGLE, PREVIEW, APPLY, REJECT, PAGE, UNDO = "t", "p", "a", "r", "q", "u"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An item that is challenged: `about` is one of the challenges, `page` its place (from 0) among
    `pages`, `pack` and `item` have the keys that hold in the room.
    """

    about: Challenge
    reasons: Counter[Reason]
    pack: Pack
    item: Item
    page: int
    pages: int

    def button(self, label: str, value: str, *, primary: bool = False) -> Button:
        """Make a button about this item."""
        action = Action(
            verb=Verb.CHALLENGE, session=self.about.session, turn=self.about.turn, value=value
        )
        return Button(label=label, action=action, primary=primary)


def grouped(challenges: Sequence[Challenge]) -> list[list[Challenge]]:
    """Put challenges of the same item together, those of most people first."""
    found: dict[tuple[str, str], list[Challenge]] = {}
    for one in challenges:
        found.setdefault((one.pack, one.item), []).append(one)
    return sorted(found.values(), key=lambda group: -len(group))


def ask_why(session: SessionId, turn: int, words: Words, *, new: bool) -> Panel:
    """Thank for a challenge, and ask what is wrong."""
    thanks = (
        words.say("Thank you, it is noted. What is wrong with this question?")
        if new
        else words.say("You have challenged this question already. What is wrong with it?")
    )
    return Panel(
        role=Role.NOTICE,
        body=(Markdown(thanks),),
        buttons=tuple(
            Button(
                label=words.say(label),
                action=Action(verb=Verb.CHALLENGE, session=session, turn=turn, value=reason.value),
            )
            for reason, label in REASONS.items()
        ),
    )


def case_panel(case: Case, right: frozenset[int], words: Words) -> Panel:
    """Show a challenged item to who decides; `right` are the places that would be its keys."""
    buttons = [
        case.button(_ticked(place, right), TOGGLE + written(toggled(case.item, right, place)))
        for place in range(option_count(case.item))
    ]
    if right != keys(case.item) and allowed(case.item, right):
        label = words.say("Mark {letters} as right", letters=_letters(right))
        buttons.append(case.button(label, PREVIEW + written(right), primary=True))
    buttons.append(case.button(words.say("Reject"), REJECT))
    if case.page + 1 < case.pages:
        buttons.append(case.button(words.say("Next ›"), f"{PAGE}{case.page + 1}"))
    if case.page:
        buttons.append(case.button(words.say("‹ Back"), f"{PAGE}{case.page - 1}"))
    notes = [Markdown(_said(case.reasons, words))]
    if can_be_corrected(case.item):
        notes.append(Markdown(words.say("Tap the letters of what is really right.")))
    else:
        notes.append(Markdown(words.say("What it accepts stands in its file: mend it there.")))
    return _about(case, right, tuple(notes), tuple(buttons), words)


def preview(case: Case, right: frozenset[int], people: int, words: Words) -> Panel:
    """Say what a correction would change, before it is made."""
    affected = words.plural(
        "{n} person would be scored again.", "{n} people would be scored again.", people
    )
    buttons = (
        case.button(words.say("Correct it"), APPLY + written(right), primary=True),
        case.button(words.say("‹ Back"), TOGGLE + written(right)),
    )
    return _about(case, right, (Markdown(affected),), buttons, words)


def corrected_panel(pack: Pack, item: Item, people: int, words: Words, undo: int = 0) -> Panel:
    """Tell a room that a key was wrong; `undo` is the number of a correction to take back."""
    right = "; ".join(option_text(item, place, words) for place in sorted(keys(item)))
    button = Button(
        label=words.say("Take it back"),
        action=Action(verb=Verb.CHALLENGE, value=f"{UNDO}{undo}"),
    )
    return Panel(
        role=Role.NOTICE,
        language=words.language,
        heading=words.say("A correction"),
        body=(Markdown(_told(pack, item, people, words)), item.stem),
        notes=(Markdown(words.say("Right answer: {answer}", answer=right)),),
        buttons=(button,) if undo else (),
    )


def undone_panel(pack: Pack, item: Item, people: int, words: Words) -> Panel:
    """Tell a room that a correction was taken back."""
    sentence = words.plural(
        "The correction of question {place} of {title} was taken back: {n} person was scored "
        "again.",
        "The correction of question {place} of {title} was taken back: {n} people were scored "
        "again.",
        people,
        place=number_in(pack, item),
        title=literal(pack.edition(words.language).title),
    )
    return Panel(role=Role.NOTICE, language=words.language, body=(Markdown(sentence),))


def number_in(pack: Pack, item: Item) -> int:
    """Give the number of an item in its pack, counted from 1."""
    return pack.item_ids.index(item.id) + 1


def toggled(item: Item, right: frozenset[int], place: int) -> frozenset[int]:
    """Give the keys after a letter was tapped: of a statement just one is right."""
    return frozenset({place}) if isinstance(item, TrueFalse) else right ^ {place}


def written(places: frozenset[int]) -> str:
    """Write places for a button, however many: a bit for each, in hexadecimal."""
    return f"{sum(1 << place for place in places):x}"


def read_places(text: str) -> frozenset[int] | None:
    """Read what `written` wrote; None for anything else."""
    if not re.fullmatch(r"[0-9a-f]{1,32}", text):
        return None
    bits = int(text, 16)
    return frozenset(place for place in range(bits.bit_length()) if bits >> place & 1)


def _about(
    case: Case,
    right: frozenset[int],
    notes: tuple[Markdown, ...],
    buttons: tuple[Button, ...],
    words: Words,
) -> Panel:
    where = words.say(
        "Question {place} of {title}",
        place=number_in(case.pack, case.item),
        title=literal(case.pack.edition(words.language).title),
    )
    return Panel(
        role=Role.NOTICE,
        heading=words.say("Challenged"),
        progress=f"{case.page + 1}/{case.pages}" if case.pages > 1 else "",
        body=(Markdown(where), case.item.stem),
        options=tuple(
            OptionLine(
                letter=letter(place),
                place=place,
                text=option_text(case.item, place, words),
                key=place in right,
            )
            for place in range(option_count(case.item))
        ),
        notes=notes,
        buttons=buttons,
    )


def _told(pack: Pack, item: Item, people: int, words: Words) -> str:
    return words.plural(
        "Question {place} of {title} was wrong: {n} person was scored again.",
        "Question {place} of {title} was wrong: {n} people were scored again.",
        people,
        place=number_in(pack, item),
        title=literal(pack.edition(words.language).title),
    )


def _said(reasons: Counter[Reason], words: Words) -> str:
    return " · ".join(
        f"{words.say(REASONS.get(reason, UNSAID))}: {words.number(count)}"
        for reason, count in reasons.most_common()
    )


def _letters(places: frozenset[int]) -> str:
    return ", ".join(letter(place) for place in sorted(places))


def _ticked(place: int, right: frozenset[int]) -> str:
    return f"✓ {letter(place)}" if place in right else letter(place)
