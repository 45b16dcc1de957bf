"""Confidence: which items ask how sure somebody is of their answer."""

from bot.items import Choice, Item, TrueFalse
from bot.modes import Rules

MOST_OPTIONS = 10
"""With more options there is no room for two buttons each on every platform."""


def asks(rules: Rules, item: Item) -> bool:
    """Tell whether an answer to an item says how sure it is: where exactly one option is chosen."""
    match item:
        case Choice():
            return rules.confidence and len(item.options) <= MOST_OPTIONS
        case TrueFalse():
            return rules.confidence
        case _:
            return False
