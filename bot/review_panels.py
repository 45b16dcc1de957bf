"""Review panels: what is due, what was missed, and reminders, in words."""

from dataclasses import replace

from bot.actions import Action, Verb
from bot.agenda import Agenda
from bot.ids import PackId, SessionId
from bot.panels import Button, Panel, Role, Tone
from bot.reminders import Reminder, shown_time
from bot.session import Session
from bot.text import Markdown, literal
from bot.wording import Words

REVIEW, MISSED = PackId("~review"), PackId("~missed")
"""What sessions over several packs go by where others name their pack; no pack is called so."""

TIMES = (7 * 60, 12 * 60, 17 * 60, 19 * 60, 21 * 60)
ZONES = {
    "Asia/Jakarta": "WIB, Jakarta",
    "Asia/Makassar": "WITA, Makassar",
    "Asia/Jayapura": "WIT, Jayapura",
    "Europe/Berlin": "Berlin",
    "America/New_York": "New York",
    "UTC": "UTC",
}


def mixed_title(pack: PackId, words: Words) -> str:
    """Give the title of a session over several packs."""
    return words.say("What you missed") if pack == MISSED else words.say("Review")


def forecast(agenda: Agenda, words: Words) -> str:
    """Say how much is due today and tomorrow."""
    return words.say(
        "Due today **{today}**, tomorrow **{tomorrow}**.",
        today=words.number(len(agenda.due)),
        tomorrow=words.number(agenda.tomorrow),
    )


def closing(
    summary: Panel, session: Session, agenda: Agenda, words: Words, *, reminded: bool
) -> Panel:
    """Let the summary of a review end with what is due, and with what can be done next."""
    missed = any(button.action.verb is Verb.MISSED for button in summary.buttons)
    buttons = list(summary.buttons)
    if agenda.due:
        buttons.append(_button(words.say("Review more"), "go", primary=not missed))
    if missed or session.pack == MISSED:
        buttons.append(_button(words.say("Take to Anki"), "anki", session=session.id))
    if not reminded:
        buttons.append(_button(words.say("Remind me daily"), "times"))
    body = (*summary.body, Markdown(forecast(agenda, words)))
    return replace(summary, body=body, buttons=tuple(buttons))


def nothing_due(agenda: Agenda, words: Words, *, reminded: bool) -> Panel:
    """Say that nothing is due today, and offer what comes next; or how to begin."""
    if not agenda.later:
        return _notice(
            words,
            words.say(
                "There is nothing to review yet. Take a quiz with /quiz: what you answer comes "
                "back here when it is time."
            ),
        )
    buttons = [_button(words.say("Review the next ones now"), "early", primary=True)]
    if not reminded:
        buttons.append(_button(words.say("Remind me daily"), "times"))
    sentence = words.say("Nothing is due today, and nothing tomorrow.")
    if agenda.tomorrow:
        sentence = words.say(
            "Nothing is due today. Due tomorrow: **{tomorrow}**.",
            tomorrow=words.number(agenda.tomorrow),
        )
    return _notice(words, sentence, *buttons)


def nothing_missed(words: Words) -> Panel:
    """Say that there are no recent mistakes."""
    return _notice(words, words.say("You have missed nothing in the last 30 days."))


def exported(words: Words) -> Panel:
    """Say what the file is that comes along."""
    return _notice(words, words.say("What you missed, as a deck: open the file with Anki."))


def usage(words: Words) -> Panel:
    """Say what can be typed after `/review`."""
    return _notice(
        words,
        words.say(
            "Type `/review`, `/review 10` for about ten minutes, or "
            "`/review remind 19:00 Asia/Jakarta` for a daily reminder (`off` ends it)."
        ),
    )


# ------------------------------------------------------------ reminders


def times(words: Words) -> Panel:
    """Offer times for a daily reminder."""
    buttons = [_button(shown_time(minute), "at", turn=minute) for minute in TIMES]
    return _notice(words, words.say("At what time may I remind you?"), *buttons)


def zones(minute: int, words: Words) -> Panel:
    """Ask by which clock a time is meant."""
    buttons = [_button(name, f"zone={zone}", turn=minute) for zone, name in ZONES.items()]
    sentence = words.say(
        "Which clock do you live by? If it is not here, type "
        "`/review remind {time} Australia/Perth` with your own.",
        time=shown_time(minute),
    )
    return _notice(words, sentence, *buttons)


def reminded(reminder: Reminder, words: Words) -> Panel:
    """Confirm a reminder."""
    sentence = words.say(
        "I will remind you at {time} ({zone}) on days when something is due.",
        time=shown_time(reminder.minute),
        zone=literal(ZONES.get(reminder.zone, reminder.zone)),
    )
    return _notice(words, sentence, _off(words))


def unreminded(words: Words) -> Panel:
    """Confirm that there is no reminder any more."""
    return _notice(words, words.say("I will not remind you."))


def at_night(words: Words) -> Panel:
    """Say why a time will not do."""
    return _notice(
        words,
        words.say("Between 22:00 and 07:00 I leave people alone. Please choose another time."),
    )


def only_in_private(words: Words) -> Panel:
    """Say where reminders are asked for."""
    return _notice(
        words, words.say("Reminders are for our own chat. Write to me there: `/review remind`.")
    )


def reminding(agenda: Agenda, words: Words) -> Panel:
    """Remind somebody."""
    sentence = words.plural(
        "{n} question is waiting for you today.",
        "{n} questions are waiting for you today.",
        len(agenda.due),
    )
    review = _button(words.say("Review"), "go", primary=True)
    return replace(
        _notice(words, sentence, review, _off(words)), heading=words.say("Time to review")
    )


def farewell(words: Words) -> Panel:
    """Say that reminders end by themselves."""
    return _notice(
        words,
        words.say(
            "You seem busy, so this is my last reminder. Whenever you feel like it, type /review: "
            "your questions wait for you."
        ),
    )


def _off(words: Words) -> Button:
    return _button(words.say("Stop reminding me"), "off")


def _button(
    label: str,
    value: str,
    *,
    turn: int = 0,
    session: SessionId = SessionId(""),
    primary: bool = False,
) -> Button:
    action = Action(verb=Verb.REVIEW, session=session, turn=turn, value=value)
    return Button(label=label, action=action, primary=primary)


def _notice(words: Words, sentence: str, *buttons: Button) -> Panel:
    return Panel(
        role=Role.NOTICE,
        tone=Tone.NEUTRAL,
        language=words.language,
        body=(Markdown(sentence),),
        buttons=buttons,
    )
