"""What a platform's own quiz poll can carry, and how an item will look there because of it."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse
from bot.text import Markdown, is_plain, plain, tidy

Look: TypeAlias = Literal["poll", "letters", "buttons", "select", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most characters and options of a platform's poll; `explanation` 0 if it has none.

    Characters are counted as the servers do: code points of the plain text, tidied.
    """

    name: str
    question: int
    option: int
    options: int
    explanation: int = 0
    several_keys: bool = False


TELEGRAM = Limits(
    name="telegram", question=300, option=100, options=12, explanation=200, several_keys=True
)
DISCORD = Limits(name="discord", question=300, option=55, options=10)


def look(item: Item, limits: Limits) -> Look:
    """Tell how an item will look on a platform; nothing is ever cut to make it fit.

    `poll` is the platform's poll with everything in it; `letters` a message with the full texts
    and a poll or buttons A, B, C; `buttons` the same for more options than a poll takes;
    `select` a menu of letters for several keys; `text` an answer to type.
    """
    match item:
        case ShortText() | Numeric():
            return "text"
        case TrueFalse():
            return "poll" if fits(item.stem, limits.question) else "letters"
        case MultiChoice() if not limits.several_keys:
            return "select"
        case Choice() | MultiChoice():
            return _optioned(item, limits)


def fits(text: Markdown, most: int) -> bool:
    """Tell whether a text loses nothing in so many characters without any formatting."""
    return is_plain(text) and len(tidy(plain(text))) <= most


def _optioned(item: Choice | MultiChoice, limits: Limits) -> Look:
    if len(item.options) > limits.options:
        return "buttons"
    whole = fits(item.stem, limits.question)
    whole = whole and all(fits(option.text, limits.option) for option in item.options)
    return "poll" if whole else "letters"
