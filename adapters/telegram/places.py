"""Places and people: what Telegram calls them, as our aliases, and back."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from telegram import Chat, Message, User

from bot.people import Alias
from bot.text import tidy

PLATFORM = "telegram"
PRIVATE = "private"
CHANNEL = "channel"
LONGEST_NAME = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where messages go: a chat and, in forums, a topic (never the one called General)."""

    chat_id: int
    thread: int | None = None

    @property
    def alias(self) -> Alias:
        """Name the room."""
        topic = f"/{self.thread}" if self.thread else ""
        return Alias(platform=PLATFORM, external=f"{self.chat_id}{topic}")

    @property
    def private(self) -> bool:
        """Tell whether this is a chat with one person; groups and channels are below zero."""
        return self.chat_id > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Someone:
    """Whoever does something: a person, or a chat that speaks as one."""

    external: str
    name: str
    language: str = ""

    @property
    def alias(self) -> Alias:
        """Name the participant."""
        return Alias(platform=PLATFORM, external=self.external)

    @property
    def user_id(self) -> int | None:
        """Give the id of a person; None for a chat."""
        return int(self.external) if self.external.isdigit() else None


def spot_of(alias: Alias) -> Spot:
    """Give the place an alias stands for."""
    chat_id, _, thread = alias.external.partition("/")
    return Spot(chat_id=int(chat_id), thread=int(thread) if thread else None)


def spot_of_message(message: Message) -> Spot:
    """Give where a message was written; replies outside of topics carry a thread that is none."""
    thread = message.message_thread_id if message.is_topic_message else None
    return Spot(chat_id=message.chat.id, thread=thread)


def user(person: User) -> Someone:
    """Give a person."""
    name = _name(person.first_name, person.last_name or "") or str(person.id)
    return Someone(external=str(person.id), name=name, language=person.language_code or "")


def speaker(chat: Chat) -> Someone:
    """Give a chat that speaks as one: an anonymous admin's group, or a channel."""
    name = _name(chat.effective_name or "", "") or str(chat.id)
    return Someone(external=f"c{chat.id}", name=name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """A vote in a poll: by whom, and the positions chosen; none if it was taken back."""

    poll_id: str
    voter: Someone
    positions: tuple[int, ...]


def vote(raw: Mapping[str, Any]) -> Vote:
    """Read a vote as it comes, without the library: they come by the thousands.

    Whoever votes as a chat also has a user, the same one for all of them, which is nobody.
    Raises KeyError, TypeError or ValueError for what is no vote.
    """
    chat = raw.get("voter_chat")
    if chat:
        named = chat.get("title") or f"{chat.get('first_name', '')} {chat.get('last_name', '')}"
        voter = Someone(external=f"c{int(chat['id'])}", name=_name(named, "") or str(chat["id"]))
    else:
        person = raw["user"]
        voter = Someone(
            external=str(int(person["id"])),
            name=_name(person["first_name"], person.get("last_name", "")) or str(person["id"]),
            language=person.get("language_code", ""),
        )
    return Vote(poll_id=raw["poll_id"], voter=voter, positions=tuple(map(int, raw["option_ids"])))


def author(message: Message) -> Someone | None:
    """Give who wrote a message; None for what Telegram writes itself."""
    if message.is_automatic_forward:
        return None
    if message.sender_chat:
        return speaker(message.sender_chat)
    return user(message.from_user) if message.from_user else None


def title(chat: Chat) -> str:
    """Give the name of a room for people."""
    return tidy(chat.effective_name or "")


def community(chat: Chat) -> str:
    """Give what a leaderboard can span: the group with all its topics."""
    return "" if chat.type == PRIVATE else str(chat.id)


@lru_cache(maxsize=20_000)
def _name(first: str, last: str) -> str:
    """Put a name on one line, without signs that turn its surroundings around."""
    return tidy(f"{first} {last}")[:LONGEST_NAME].strip()
