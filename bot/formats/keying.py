"""Keying: answers for questions that came without one."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.cleaning import quoted
from bot.drafts import Draft
from bot.wording import phrase


def waits(draft: Draft) -> bool:
    """Tell whether a draft has options to choose from, but no key."""
    return bool(draft.options) and not draft.accepted and not any(o.is_key for o in draft.options)


def split_keys(keys: str | Sequence[str | int] | None) -> tuple[str, ...]:
    """Take keys as they are typed: `3,1,4`, `c a d`, or already one by one."""
    if not keys:
        return ()
    parts = re.split(r"[,;\s]\s*", keys.strip(" ,;")) if isinstance(keys, str) else map(str, keys)
    return tuple(part.strip() for part in parts)


def filled(draft: Draft, key: str) -> tuple[Draft, tuple[str, str] | None]:
    """Mark the options that a key names, by number or letter; or say why it names none."""
    if key in {"", "0", "-", "?"}:
        return draft, None
    places = {_place(part) for part in re.split(r"[+&]", key)}
    if not places <= set(range(len(draft.options))):
        reason = phrase(
            "The key {key} names none of the {options} options.",
            key=quoted(key),
            options=len(draft.options),
        )
        return draft, (reason, phrase("The question still waits for its answer."))
    options = (
        replace(option, is_key=place in places) for place, option in enumerate(draft.options)
    )
    return replace(draft, options=tuple(options)), None


def _place(part: str) -> int:
    """Give the place, from 0, that a number or a letter stands for; -1 for none."""
    part = part.strip()
    if re.fullmatch(r"[0-9]{1,3}", part):
        return int(part) - 1
    return ord(part.lower()) - ord("a") if re.fullmatch(r"[A-Za-z]", part) else -1
