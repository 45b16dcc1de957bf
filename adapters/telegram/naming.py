"""Names of messages, as the engine keeps them: where a message is, and how it can be answered."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Kind: TypeAlias = Literal["p", "b", "t"]
POLL: Kind = "p"
BUTTONS: Kind = "b"
TEXT: Kind = "t"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """A message of ours; `kind` tells whether it is a poll, has letter buttons, or is text."""

    chat_id: int
    message_id: int
    kind: Kind = TEXT

    def __str__(self) -> str:
        """Write the name that the engine keeps."""
        return f"{self.chat_id}:{self.message_id}:{self.kind}"


def parse(name: str) -> Sent | None:
    """Read a name; None for what `str(Sent(...))` did not write."""
    try:
        chat_id, message_id, kind = name.split(":")
        number, where = int(message_id), int(chat_id)
    except ValueError:
        return None
    if kind == POLL:
        return Sent(chat_id=where, message_id=number, kind=POLL)
    if kind == BUTTONS:
        return Sent(chat_id=where, message_id=number, kind=BUTTONS)
    return Sent(chat_id=where, message_id=number, kind=TEXT) if kind == TEXT else None
