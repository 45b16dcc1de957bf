"""Judging: what a teacher should know about items that were imported all the same."""

from collections.abc import Iterable, Iterator, Sequence

from bot.formats.findings import Remark, Severity
from bot.formats.plaintext import remark
from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse, kind
from bot.limits import DISCORD, TELEGRAM, look
from bot.text import plain, tidy

_CLOSE = 0.011


def doubts(item: Item, place: str) -> Iterator[Remark]:
    """Say where an item does not fit a chat's own poll, and where its weights look odd."""
    if isinstance(item, Choice | MultiChoice):
        looks = {limits.name.capitalize(): look(item, limits) for limits in (TELEGRAM, DISCORD)}
        misfits = [name for name, one in looks.items() if one in {"letters", "buttons"}]
        if misfits:
            reason = f"It does not fit a poll of {' or '.join(misfits)}."
            action = "It is shown in full, with letters to choose from."
            yield remark(Severity.NOTE, place, item.stem, reason, action)
        yield from _weights(item, place)


def repeated(items: Sequence[Item]) -> Iterator[Remark]:
    """Report items that ask and offer the same as one before."""
    seen: dict[object, Item] = {}
    for item in items:
        look_ = _look(item)
        if first := seen.get(look_):
            where = f"line {item.line}" if item.line else f"item {item.id}"
            before = f"on line {first.line}" if first.line else f"as {first.id}"
            reason = f"The same question stands {before}."
            yield remark(Severity.NOTE, where, item.stem, reason, "Both were imported.")
        seen.setdefault(look_, item)


def _weights(item: Choice | MultiChoice, place: str) -> Iterator[Remark]:
    if isinstance(item, Choice):
        return
    weights = [option.weight for option in item.options if option.weight is not None]
    most = sum(weight for weight in weights if weight > 0)
    if weights and abs(most - 1) > _CLOSE:
        reason = f"The right options are worth {round(100 * most, 2):g} % together, not 100 %."
        yield remark(Severity.NOTE, place, item.stem, reason, "The weights were kept as they are.")


def _look(item: Item) -> tuple[object, ...]:
    stem = tidy(plain(item.stem)).casefold() or item.stem
    match item:
        case Choice() | MultiChoice():
            answers: Iterable[str] = sorted(option.text.casefold() for option in item.options)
        case TrueFalse():
            answers = ()
        case ShortText():
            answers = item.accepted
        case Numeric():
            answers = map(str, item.accepted)
    return kind(item), stem, *answers
