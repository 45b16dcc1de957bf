"""Showing: effects become panels, in the reader's language and on no particular platform."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bot.actions import Action, Verb
from bot.confidence import asks
from bot.draw import option_order
from bot.items import (
    Choice,
    Item,
    MultiChoice,
    Numeric,
    ShortText,
    TrueFalse,
    keys,
    option_rationale,
)
from bot.modes import Advance, Closing
from bot.panels import Button, Entry, Form, OptionLine, Panel, Role, Tone
from bot.people import called
from bot.ports import Response, Tally
from bot.reading import letter
from bot.scoring import SURE
from bot.scoring import UNSURE as HALF
from bot.session import Session
from bot.submissions import UNSURE, Chosen, Submission, Typed
from bot.text import Markdown, literal
from bot.verdicts import headline, tone, turnout
from bot.wording import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Staged:
    """An item as one session shows it to one reader: in a language, in an order, with a turn.

    `asks` tells that an answer to it says how sure it is.
    """

    item: Item
    order: tuple[int, ...]
    turn: int
    words: Words
    asks: bool = False


def stage(session: Session, versions: Sequence[Item], turn: int, words: Words) -> Staged:
    """Take an item in the reader's language, where there is one; `versions` starts with it."""
    order = option_order(versions, seed=session.draw.seed, keep_order=session.rules.keep_order)
    asked = asks(session.rules, versions[0])
    return Staged(item=versions[0], order=order, turn=turn, words=words, asks=asked)


def question(session: Session, staged: Staged) -> Panel:
    """Show an item that can be answered."""
    return Panel(
        role=Role.QUESTION,
        language=staged.words.language,
        progress=progress(session, staged.turn),
        body=(staged.item.stem,),
        options=option_lines(staged),
        notes=_how_to_answer(session, staged),
        buttons=_while_open(session, staged),
        form=Form(
            session=session.id,
            turn=staged.turn,
            entry=entry(staged.item),
            keys=keys(staged.item),
            explanation=staged.item.rationale,
            seconds=_time_left(session),
            style="buttons" if staged.asks else session.rules.style,
            confidence=staged.asks,
        ),
        until=session.deadline,
    )


def verdict(session: Session, staged: Staged, response: Response | None) -> Panel:
    """Tell the one person of a private session whether they were right, and why."""
    words = staged.words
    submission = response.submission if response else None
    label = words.say("See your result") if session.last else words.say("Next")
    onward = Action(verb=Verb.NEXT, session=session.id, turn=staged.turn)
    return Panel(
        role=Role.REVEAL,
        language=words.language,
        tone=tone(response),
        heading=headline(response, words),
        progress=progress(session, staged.turn),
        body=(staged.item.stem,),
        options=option_lines(staged, submission, answered=True),
        notes=explanation(staged, submission),
        buttons=(Button(label=label, action=onward, primary=True), _doubt(session, staged)),
    )


def receipt(session: Session, staged: Staged, response: Response) -> Panel:
    """Tell one person of a shared session what was recorded; the verdict where the rules say so."""
    words = staged.words
    yours = given(staged, response.submission, unsure=response.sure is False)
    if not session.rules.verdict_at_once:
        note = words.say("You answered {answer}. The answer comes at the end.", answer=yours)
        if session.rules.may_change:
            note += " " + words.say("You can still change it.")
        return Panel(role=Role.RECEIPT, heading=words.say("Locked in"), notes=(Markdown(note),))
    recorded = Markdown(words.say("You answered {answer}.", answer=yours))
    return Panel(
        role=Role.RECEIPT,
        tone=tone(response),
        heading=headline(response, words),
        notes=(recorded, *explanation(staged, response.submission)),
    )


def reveal(session: Session, staged: Staged, tally: Tally, leaders: str = "") -> Panel:
    """Show a room the right answer, why, how everybody answered and who was fastest."""
    words = staged.words
    votes = {
        place: sum(
            n
            for chosen, n in tally.counts.items()
            if isinstance(chosen, Chosen) and place in chosen.options
        )
        for place in staged.order
    }
    notes = [*explanation(staged, None), Markdown(turnout(tally, words))]
    if tally.fastest:
        named = [(called(name, words), seconds) for name, seconds in tally.fastest]
        fastest = ", ".join(f"{literal(n)} ({words.seconds(s)})" for n, s in named)
        notes.append(Markdown(words.say("Fastest: {names}", names=fastest)))
    if leaders:
        notes.append(Markdown(leaders))
    return Panel(
        role=Role.REVEAL,
        language=words.language,
        tone=Tone.NEUTRAL,
        heading=words.say("The answer"),
        progress=progress(session, staged.turn),
        body=(staged.item.stem,),
        options=option_lines(staged, answered=True, votes=votes),
        notes=tuple(notes),
        buttons=_after_reveal(session, staged),
    )


def progress(session: Session, turn: int) -> str:
    """Say how far a session is: `3/8`."""
    return f"{turn + 1}/{session.length}"


def entry(item: Item) -> Entry:
    """Tell how an item is answered."""
    match item:
        case Choice() | TrueFalse():
            return Entry.ONE
        case MultiChoice():
            return Entry.MANY
        case ShortText():
            return Entry.TEXT
        case Numeric():
            return Entry.NUMBER


def hint(staged: Staged) -> str:
    """Say how to type an answer to an item."""
    words = staged.words
    last = letter(max(0, len(staged.order) - 1))
    match entry(staged.item):
        case Entry.ONE if staged.asks:
            return words.say(
                "Answer with a letter from A to {last}; if you are not sure, like “A?”.", last=last
            )
        case Entry.ONE:
            return words.say("Answer with a letter from A to {last}.", last=last)
        case Entry.MANY:
            return words.say("Answer with letters from A to {last}, like “A C”.", last=last)
        case Entry.NUMBER:
            return words.say("Answer with a number, like {example}.", example=words.number(0.25))
        case Entry.TEXT:
            return words.say("Answer with a word or a short phrase.")


def option_lines(
    staged: Staged,
    submission: Submission | None = None,
    *,
    answered: bool = False,
    votes: dict[int, int] | None = None,
) -> tuple[OptionLine, ...]:
    """List the options as shown; with their keys once the turn was `answered`."""
    right = keys(staged.item)
    chosen = submission.options if isinstance(submission, Chosen) else frozenset()
    return tuple(
        OptionLine(
            letter=letter(position),
            place=place,
            text=option_text(staged.item, place, staged.words),
            key=(place in right) if answered else None,
            chosen=place in chosen,
            votes=votes.get(place, 0) if votes is not None else None,
        )
        for position, place in enumerate(staged.order)
    )


def option_text(item: Item, place: int, words: Words) -> Markdown:
    """Give the text of an option; true and false are said in the reader's language."""
    match item:
        case Choice() | MultiChoice():
            return item.options[place].text
        case TrueFalse():
            return Markdown(words.say("False") if place else words.say("True"))
        case ShortText() | Numeric():
            return Markdown("")


def given(staged: Staged, submission: Submission, *, unsure: bool = False) -> Markdown:
    """Name an answer as its giver would: by letter, `A?` if they are not sure, or as typed."""
    match submission:
        case Chosen(options):
            places = (p for p, place in enumerate(staged.order) if place in options)
            mark = UNSURE if unsure else ""
            return Markdown(f"**{', '.join(map(letter, places))}{mark}**")
        case Typed(text):
            return Markdown(f"“{literal(text)}”")


def given_in_full(staged: Staged, submission: Submission) -> Markdown:
    """Name an answer so that it is understood where its letters are not seen any more."""
    if isinstance(submission, Typed):
        return given(staged, submission)
    lines = (
        f"**{letter(position)}.** {option_text(staged.item, place, staged.words).rstrip('.')}"
        for position, place in enumerate(staged.order)
        if place in submission.options
    )
    return Markdown("; ".join(lines))


def right_answer(staged: Staged) -> Markdown:
    """Name the right answer: letter and text, or what is accepted."""
    item, words = staged.item, staged.words
    match item:
        case Choice() | MultiChoice() | TrueFalse():
            right = keys(item)
            lines = (
                f"**{letter(position)}.** {option_text(item, place, words)}"
                for position, place in enumerate(staged.order)
                if place in right
            )
            return Markdown("; ".join(lines))
        case ShortText():
            return Markdown(" / ".join(f"**{literal(text)}**" for text in item.accepted))
        case Numeric():
            return Markdown(" / ".join(f"**{_range(r, words)}**" for r in item.accepted))


def explanation(staged: Staged, submission: Submission | None) -> tuple[Markdown, ...]:
    """Say why: the lines of the chosen options, the answer of a typed item, the rationale."""
    item = staged.item
    chosen = submission.options if isinstance(submission, Chosen) else frozenset()
    lines = [
        Markdown(f"**{letter(position)}.** {why}")
        for position, place in enumerate(staged.order)
        if place in chosen and (why := option_rationale(item, place))
    ]
    if not keys(item):
        answer = right_answer(staged)
        lines.append(Markdown(staged.words.say("Right answer: {answer}", answer=answer)))
    return (*lines, item.rationale) if item.rationale else tuple(lines)


def _time_left(session: Session) -> int | None:
    """Give the time for an answer; an item that was interrupted goes on with what was left."""
    if not session.rules.timed:
        return None
    return session.allowed if session.remaining is None else math.ceil(session.remaining)


def _range(interval: object, words: Words) -> str:
    low, high, value = (getattr(interval, name) for name in ("low", "high", "value"))
    if low == high:
        return words.number(value)
    if abs((high - value) - (value - low)) <= 1e-9 * max(1.0, abs(value)):
        return f"{words.number(value)} ± {words.number(round(high - value, 12))}"
    return f"{words.number(low)} … {words.number(high)}"


def _how_to_answer(session: Session, staged: Staged) -> tuple[Markdown, ...]:
    words = staged.words
    match entry(staged.item):
        case Entry.MANY:
            return (Markdown(words.say("Several answers can be right: choose all of them.")),)
        case Entry.NUMBER:
            return (Markdown(words.say("The answer is a number.")),)
        case Entry.TEXT:
            return (Markdown(words.say("The answer is a word or a short phrase.")),)
        case Entry.ONE if staged.asks and session.rules.certainty_marks:
            (lost, won), (nothing, half) = SURE, HALF
            return (
                Markdown(
                    words.say(
                        "Sure: **A** (right {won}, wrong {lost} points). "
                        "Not sure: **A?** (right {half}, wrong {nothing}).",
                        won=words.number(won),
                        lost=words.number(lost),
                        half=words.number(half),
                        nothing=words.number(nothing),
                    )
                ),
            )
        case Entry.ONE if staged.asks:
            return (Markdown(words.say("Sure: **A**. Not sure: **A?**")),)
        case Entry.ONE:
            return ()


def _while_open(session: Session, staged: Staged) -> tuple[Button, ...]:
    if session.rules.policy.closing is not Closing.ASKED_TO:
        return ()
    onward = Action(verb=Verb.NEXT, session=session.id, turn=staged.turn)
    return (Button(label=staged.words.say("Show the answer"), action=onward),)


def _after_reveal(session: Session, staged: Staged) -> tuple[Button, ...]:
    doubt = _doubt(session, staged)
    if session.rules.policy.advance is not Advance.NEXT:
        return (doubt,)
    words = staged.words
    label = words.say("See the result") if session.last else words.say("Next")
    onward = Action(verb=Verb.NEXT, session=session.id, turn=staged.turn)
    return (Button(label=label, action=onward, primary=True), doubt)


def _doubt(session: Session, staged: Staged) -> Button:
    action = Action(verb=Verb.CHALLENGE, session=session.id, turn=staged.turn)
    return Button(label=staged.words.say("Challenge"), action=action)
