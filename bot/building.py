"""Building: the one way from drafts to good items, or to everything that is wrong with them.

Every format hands over drafts and nothing else, so that all of them are held to the same rules.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypedDict

from bot.cleaning import CONTROL, clean, quoted, slug, tags
from bot.drafts import Draft, as_interval, faults, spelled
from bot.errors import Problem
from bot.ids import ItemId
from bot.items import Choice, Interval, Item, MultiChoice, Numeric, Option, ShortText, TrueFalse
from bot.text import Markdown, plain, tidy
from bot.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """The good items of a file in their order, and everything wrong with the others."""

    items: tuple[Item, ...]
    problems: tuple[Problem, ...]


def build_all(drafts: Iterable[Draft], file: str) -> Built:
    """Build the items of one file: ids for those without, and no id twice."""
    items: list[Item] = []
    problems: list[Problem] = []
    lines: dict[str, int] = {}
    for draft in named(drafts):
        if draft.id in lines:
            problems.append(_twice(draft, file, lines[draft.id]))
        lines.setdefault(draft.id, draft.line)
        built = build(draft, file)
        if isinstance(built, tuple):
            problems.extend(built)
        else:
            items.append(built)
    return Built(items=tuple(items), problems=tuple(problems))


def build(draft: Draft, file: str) -> Item | tuple[Problem, ...]:
    """Make the item that a draft describes, or report everything that is wrong with it."""
    draft = _cleaned(draft)
    found = tuple(faults(draft))
    if not found:
        return _item(draft)
    name = draft.id or slug(draft.stem)
    return tuple(
        Problem(file=file, line=line or draft.line, item=name, what=what, cure=cure)
        for line, what, cure in found
    )


def named(drafts: Iterable[Draft]) -> tuple[Draft, ...]:
    """Give an id to every draft without one, made from its stem and different from all others."""
    drafts = tuple(drafts)
    taken = {draft.id for draft in drafts}
    uses: dict[str, int] = {}
    return tuple(
        draft if draft.id else replace(draft, id=_free(slug(draft.stem), taken, uses))
        for draft in drafts
    )


def _free(name: str, taken: set[str], uses: dict[str, int]) -> str:
    """Find a name that is not taken, with a number after it if need be, and take it."""
    while True:
        uses[name] = uses.get(name, 0) + 1
        free = name if uses[name] == 1 else f"{name}-{uses[name]}"
        if free not in taken:
            taken.add(free)
            return free


_ROUNDED = 1e-6  # programs write a third as 33.33333 %
_PAIRS = (("true", "false"), ("benar", "salah"), ("betul", "salah"))


def _cleaned(draft: Draft) -> Draft:
    options = (
        replace(option, text=clean(option.text), rationale=clean(option.rationale))
        for option in draft.options
    )
    texts = (
        entry if isinstance(entry, Interval) else " ".join(CONTROL.sub("", entry).split())
        for entry in draft.accepted
    )
    return replace(
        draft,
        stem=clean(draft.stem),
        rationale=clean(draft.rationale),
        options=tuple(options),
        accepted=tuple(texts),
        tags=tags(draft.tags),
    )


def _twice(draft: Draft, file: str, first: int) -> Problem:
    return Problem(
        file=file,
        line=draft.line,
        item=draft.id,
        what=phrase(
            "The id {id} is used on line {first} and again on line {line}.",
            id=quoted(draft.id),
            first=str(first),
            line=str(draft.line),
        ),
        cure=phrase("Give one of the two another id, such as {id}-2.", id=draft.id),
    )


class _Shared(TypedDict):
    id: ItemId
    stem: Markdown
    rationale: Markdown
    seconds: int | None
    tags: tuple[str, ...]
    line: int


def _item(draft: Draft) -> Item:
    shared = _Shared(
        id=ItemId(draft.id or slug(draft.stem)),
        stem=Markdown(draft.stem),
        rationale=Markdown(draft.rationale),
        seconds=int(draft.seconds) if draft.seconds else None,
        tags=draft.tags,
        line=draft.line,
    )
    return _optioned(draft, shared) if draft.options else _typed(draft, shared)


def _optioned(draft: Draft, shared: _Shared) -> Item:
    keys = frozenset(place for place, option in enumerate(draft.options) if option.is_key)
    options = tuple(
        Option(
            text=Markdown(option.text),
            rationale=Markdown(option.rationale),
            weight=option.weight,
        )
        for option in draft.options
    )
    if draft.several or len(keys) > 1:
        options = _usual(options, keys)
        return MultiChoice(**shared, options=options, keys=keys, keep_order=draft.keep_order)
    (key,) = keys
    words = tuple(tidy(plain(option.text)).casefold().rstrip(" .") for option in options)
    if words in _PAIRS and all(option.weight is None for option in options):
        when_true, when_false = (option.rationale for option in options)
        return TrueFalse(**shared, key=key == 0, when_true=when_true, when_false=when_false)
    kept = draft.keep_order or words[::-1] in _PAIRS
    return Choice(**shared, options=options, key=key, keep_order=kept)


def _usual(options: tuple[Option, ...], keys: frozenset[int]) -> tuple[Option, ...]:
    """Leave out weights that say what holds without them: keys share all, others cost it."""
    share = 1 / len(keys)
    usual = all(
        option.weight is not None
        and abs(option.weight - (share if place in keys else -share)) < _ROUNDED
        for place, option in enumerate(options)
    )
    return tuple(replace(option, weight=None) for option in options) if usual else options


def _credits(draft: Draft) -> tuple[float, ...]:
    """Give what accepted answers earn, where one of them does not earn all."""
    return draft.credits if any(credit < 1 for credit in draft.credits) else ()


def _typed(draft: Draft, shared: _Shared) -> Item:
    numbers = [as_interval(entry) for entry in draft.accepted]
    accepted = tuple(found for found in numbers if found is not None)
    if len(accepted) == len(numbers) and not draft.as_text:
        return Numeric(**shared, accepted=accepted, credits=_credits(draft))
    return ShortText(
        **shared,
        accepted=tuple(map(spelled, draft.accepted)),
        credits=_credits(draft),
        any_accents=draft.any_accents,
        typos=int(draft.typos) if draft.typos else 0,
    )
