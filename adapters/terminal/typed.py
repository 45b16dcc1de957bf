"""Typed lines: whether a line is an answer or asks for something else."""

from enum import Enum

from bot.items import Choice, MultiChoice, Numeric, ShortText, TrueFalse
from bot.reading import read
from bot.showing import Staged
from bot.text import tidy


class Command(Enum):
    """What can be asked for instead of answering."""

    HELP = "help"
    SKIP = "skip"
    STOP = "stop"


LONG = {
    "/help": Command.HELP,
    "/bantuan": Command.HELP,
    "/skip": Command.SKIP,
    "/lewati": Command.SKIP,
    "/stop": Command.STOP,
    "/berhenti": Command.STOP,
}
SHORT = {"?": Command.HELP, "s": Command.SKIP, "q": Command.STOP}


def command(line: str, staged: Staged | None = None) -> Command | None:
    """Read a line as a command; a short one only where it cannot be an answer to the item."""
    wanted = tidy(line).casefold()
    short = SHORT.get(wanted)
    if short and staged and _answers(wanted, staged):
        return None
    return short or LONG.get(wanted)


def _answers(wanted: str, staged: Staged) -> bool:
    """Tell whether somebody who types one sign may mean an answer."""
    match staged.item:
        case Choice() | MultiChoice() | TrueFalse():
            return read(wanted, staged.item, staged.order) is not None
        case ShortText():
            return any(tidy(text).casefold() == wanted for text in staged.item.accepted)
        case Numeric():
            return False
