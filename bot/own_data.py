"""Own data: what is kept about somebody and what others are told of them, as panels."""

from collections.abc import Sequence

from bot.actions import Action, Verb
from bot.panels import Button, Panel, Role
from bot.people import ANONYMOUS, Participant
from bot.text import Markdown, literal
from bot.wording import Words


def account(person: Participant, words: Words) -> str:
    """Name a participant so that people recognise their other account: `Bee on Telegram`."""
    platform = person.alias.platform.title()
    return words.say("{name} on {platform}", name=literal(person.name), platform=platform)


def accounts(people: Sequence[Participant], words: Words) -> str:
    """Name several participants."""
    return ", ".join(account(person, words) for person in people)


def privacy(
    person: Participant, others: Sequence[Participant], responses: int, words: Words
) -> Panel:
    """Say what is kept about somebody, and offer to see it, change it or delete it.

    `others` are linked with them, `responses` counts those of all together.
    """
    hidden = person.nickname == ANONYMOUS
    name = literal(words.say(ANONYMOUS) if hidden else person.shown)
    kept = words.plural(
        "I keep your name, your language and {n} answer.",
        "I keep your name, your language and {n} answers.",
        responses,
    )
    body = [kept, words.say("On boards you are called {name}.", name=name)]
    if others:
        body.insert(
            1, words.say("You are joined with {accounts}.", accounts=accounts(others, words))
        )
    hide = _button(words.say("Hide my name"), "me:hide")
    show = _button(words.say("Show my name"), "me:show")
    return Panel(
        role=Role.NOTICE,
        heading=words.say("Your data"),
        body=tuple(map(Markdown, body)),
        buttons=(
            _button(words.say("See it"), "me:export"),
            show if hidden else hide,
            _button(words.say("Delete it"), "me:delete"),
        ),
    )


def really_delete(others: Sequence[Participant], words: Words) -> Panel:
    """Ask once more before everything is deleted: here, or on all that is linked (`others`)."""
    body = [words.say("Everything about you will be deleted. This cannot be undone.")]
    buttons = [_button(words.say("Delete everything"), "me:delete!")]
    if others:
        joined = words.say("You are joined with {accounts}.", accounts=accounts(others, words))
        body.append(joined + " " + words.say("Shall that be deleted too?"))
        buttons = [
            _button(words.say("Only this account"), "me:delete!"),
            _button(words.say("All my accounts"), "me:delete!!"),
        ]
    return Panel(role=Role.NOTICE, body=tuple(map(Markdown, body)), buttons=tuple(buttons))


def deleted(words: Words) -> Panel:
    """Confirm that everything was deleted."""
    done = words.say("Done. Nothing about you is kept any more.")
    return Panel(role=Role.NOTICE, body=(Markdown(done),))


def _button(label: str, value: str) -> Button:
    return Button(label=label, action=Action(verb=Verb.SETTING, value=value))
