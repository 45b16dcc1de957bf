"""Every exception Kuis raises on purpose, as one tree, and the problems a person can mend."""

from collections.abc import Iterable
from dataclasses import dataclass


class KuisError(Exception):
    """Whatever goes wrong in a way that one polite sentence can explain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing wrong with a pack: where it stands, what it is and how to mend it."""

    file: str
    line: int
    item: str = ""
    what: str
    cure: str

    def __str__(self) -> str:
        """Give the line a compiler would print."""
        place = f"{self.file}:{self.line}" if self.line else self.file
        item = f" [{self.item}]" if self.item else ""
        return f"{place}:{item} {self.what} {self.cure}"


class PackError(KuisError):
    """A pack that cannot be used as it stands; `problems` holds every reason at once."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems in the order in which a reader would meet them."""
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


class UnknownPack(KuisError):
    """No pack answers to the name; `near` holds names that look like it."""

    def __init__(self, name: str, near: Iterable[str] = ()) -> None:
        """Remember what was asked for."""
        self.name = name
        self.near = tuple(near)
        super().__init__(name)


class FileRefused(KuisError):
    """A file that cannot be brought in at all; `sentence` kindly says why, as `phrase` makes it."""

    def __init__(self, sentence: str) -> None:
        """Take the sentence."""
        self.sentence = sentence
        super().__init__(sentence)


class StoreError(KuisError):
    """The store cannot do what was asked: full, read-only, locked or out of reach."""


class DeliveryError(KuisError):
    """A message could not be delivered; `reason` names the cause in `bot.effects.Trouble`."""

    def __init__(self, reason: str, detail: str = "") -> None:
        """Keep the platform's own words apart from the reason that a person is told."""
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}" if detail else reason)
