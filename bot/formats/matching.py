"""Matching: a question of pairs as one choice for each, with the other right sides as distractors.

Chats have no widget for pairs. The question is found, imported and counted as one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.drafts import MOST_OPTIONS, Draft, DraftOption


def matched(draft: Draft, pairs: Sequence[tuple[str, str]]) -> tuple[Draft, ...]:
    """Make the drafts of a matching question; none if there are not two right sides to choose from.

    A pair without a left side is a distractor.
    """
    asked = [(left, right) for left, right in pairs if left and right]
    sides = tuple(dict.fromkeys(right for _, right in pairs if right))
    if len(sides) <= 1:
        return ()
    return tuple(
        replace(
            draft,
            id=f"{draft.id[:56]}-{number}" if draft.id and len(asked) > 1 else draft.id,
            stem=f"{draft.stem}\n\n{left}".strip(),
            options=tuple(_options(sides, right)),
        )
        for number, (left, right) in enumerate(asked, 1)
    )


def _options(sides: Sequence[str], key: str) -> Iterable[DraftOption]:
    """Give the right sides as options, and of very many those that come first."""
    kept = sides if len(sides) <= MOST_OPTIONS else _near(sides, key)
    return (DraftOption(text=side, is_key=side == key) for side in kept)


def _near(sides: Sequence[str], key: str) -> Sequence[str]:
    first = sides[:MOST_OPTIONS]
    return first if key in first else (*first[:-1], key)
