"""Judging: what a teacher should know about items that were imported all the same."""

from collections.abc import Iterable, Iterator, Sequence

from bot.formats import places
from bot.formats.findings import Remark, Severity
from bot.formats.plaintext import remark
from bot.items import Choice, Item, MultiChoice, Numeric, ShortText, TrueFalse, kind
from bot.limits import DISCORD, TELEGRAM, look
from bot.text import plain, tidy
from bot.wording import phrase

_CLOSE = 0.011


def doubts(item: Item, place: str) -> Iterator[Remark]:
    """Say where an item does not fit a chat's own poll, and where its weights look odd."""
    if isinstance(item, Choice | MultiChoice):
        looks = {limits.name.capitalize(): look(item, limits) for limits in (TELEGRAM, DISCORD)}
        misfits = [name for name, one in looks.items() if one in {"letters", "buttons"}]
        if misfits:
            chats = misfits[0]
            for other in misfits[1:]:
                chats = phrase("{one} or {other}", one=chats, other=other)
            reason = phrase("It does not fit a poll of {chats}.", chats=chats)
            action = phrase("It is shown in full, with letters to choose from.")
            yield remark(Severity.NOTE, place, item.stem, reason, action)
        yield from _weights(item, place)


def repeated(items: Sequence[Item]) -> Iterator[Remark]:
    """Report items that ask and offer the same as one before."""
    seen: dict[object, Item] = {}
    for item in items:
        look_ = _look(item)
        if first := seen.get(look_):
            where = places.line(item.line) if item.line else places.item(item.id)
            before = places.line(first.line) if first.line else places.item(first.id)
            reason = phrase("The same question stands before it: {before}.", before=before)
            yield remark(Severity.NOTE, where, item.stem, reason, phrase("Both were imported."))
        seen.setdefault(look_, item)


def _weights(item: Choice | MultiChoice, place: str) -> Iterator[Remark]:
    if isinstance(item, Choice):
        return
    weights = [option.weight for option in item.options if option.weight is not None]
    most = sum(weight for weight in weights if weight > 0)
    if weights and abs(most - 1) > _CLOSE:
        share = f"{round(100 * most, 2):g}"
        reason = phrase("The right options are worth {share} % together, not 100 %.", share=share)
        yield remark(
            Severity.NOTE, place, item.stem, reason, phrase("The weights were kept as they are.")
        )


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
