"""Options: what a file lists twice or leaves empty, taken out so that the rest can be asked."""

from collections.abc import Iterable

from bot.drafts import DraftOption
from bot.formats.findings import Remark, Severity
from bot.formats.plaintext import remark
from bot.text import tidy
from bot.wording import phrase


def distinct(
    options: Iterable[DraftOption], place: str
) -> tuple[tuple[DraftOption, ...], tuple[Remark, ...]]:
    """Keep each option once; say which were empty, or repeated with the same verdict.

    Two equal options of which one is right stay: only their author knows which is meant.
    """
    kept: dict[object, DraftOption] = {}
    remarks: list[Remark] = []
    for at, option in enumerate(options):
        text = tidy(option.text)
        if not text and not option.is_key:
            remarks.append(_changed(place, "", phrase("Option {at} has no text.", at=at + 1)))
        elif (text, option.is_key) in kept:
            remarks.append(
                _changed(place, option.text, phrase("Option {at} repeats another one.", at=at + 1))
            )
        else:
            kept[text, option.is_key] = option
    return tuple(kept.values()), tuple(remarks)


def _changed(place: str, excerpt: str, reason: str) -> Remark:
    return remark(Severity.CHANGED, place, excerpt, reason, phrase("The option was left out."))
