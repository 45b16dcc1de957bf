"""Verdicts: whether an answer was right, in a word or two, and how a whole room did."""

from bot.panels import Tone
from bot.ports import Response, Tally
from bot.wording import Words


def tone(response: Response | None) -> Tone:
    """Give the colour of a verdict."""
    if response is None:
        return Tone.NOTICE
    if response.grade == 1:
        return Tone.RIGHT
    return Tone.PARTLY if response.grade > 0 else Tone.WRONG


def headline(response: Response | None, words: Words) -> str:
    """Give a verdict in a word or two, and what it says to who was sure or not."""
    if response and response.sure is not None and tone(response) in {Tone.RIGHT, Tone.WRONG}:
        return {
            (Tone.RIGHT, True): words.say("Right, and you were sure!"),
            (Tone.RIGHT, False): words.say("Right! You can be surer of this."),
            (Tone.WRONG, True): words.say("Not quite, and you were sure: worth a second look"),
            (Tone.WRONG, False): words.say("Not quite, and you had your doubts"),
        }[tone(response), response.sure]
    return {
        Tone.NOTICE: words.say("Skipped"),
        Tone.RIGHT: words.say("Right!"),
        Tone.PARTLY: words.say("Partly right"),
        Tone.WRONG: words.say("Not quite"),
        Tone.NEUTRAL: "",
    }[tone(response)]


def turnout(tally: Tally, words: Words) -> str:
    """Say how many answers were right, and how many people were sure and wrong."""
    if not tally.answered:
        return words.say("Nobody answered this one.")
    told = words.plural(
        "{right} of {n} answer was right.",
        "{right} of {n} answers were right.",
        tally.answered,
        right=words.number(tally.correct),
    )
    if not tally.misled:
        return told
    misled = words.plural("{n} was sure and wrong.", "{n} were sure and wrong.", tally.misled)
    return f"{told} {misled}"
