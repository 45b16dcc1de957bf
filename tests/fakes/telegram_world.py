"""A small Telegram: people, chats, messages and polls, and what the bot hears of them."""

import itertools
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.fakes.telegram_rules import refuse

ANONYMOUS_ADMIN = {
    "id": 1087968824,
    "is_bot": True,
    "first_name": "Group",
    "username": "GroupAnonymousBot",
}
FAKE_CHANNEL_USER = {"id": 136817688, "is_bot": True, "first_name": "Channel"}
GENERAL = None


@dataclass(kw_only=True)
class Person:
    id: int
    name: str
    language: str = "en"
    blocked: bool = False
    started: bool = True

    def json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "is_bot": False,
            "first_name": self.name,
            "language_code": self.language,
        }


@dataclass(kw_only=True)
class Chat:
    id: int
    type: str
    title: str = ""
    person: Person | None = None
    forum: bool = False
    admins: set[int] = field(default_factory=set)
    kicked: bool = False
    may_write: bool = True
    may_poll: bool = True
    migrated_to: int | None = None
    closed_topics: set[int] = field(default_factory=set)
    gone_topics: set[int] = field(default_factory=set)

    def json(self) -> dict[str, Any]:
        named = {"first_name": self.person.name} if self.person else {"title": self.title}
        return {"id": self.id, "type": self.type, **named} | (
            {"is_forum": True} if self.forum else {}
        )


@dataclass(kw_only=True)
class Poll:
    id: str
    question: str
    options: list[str]
    kind: str
    anonymous: bool
    several: bool
    revoting: bool
    keys: list[int]
    explanation: str
    open_period: int | None
    chat: int
    message: int
    sent: float
    closed: bool = False
    votes: dict[str, list[int]] = field(default_factory=dict)

    def json(self, *, with_votes: bool = True) -> dict[str, Any]:
        counts = [sum(n in vote for vote in self.votes.values()) for n in range(len(self.options))]
        found: dict[str, Any] = {
            "id": self.id,
            "question": self.question,
            "options": [
                {
                    "text": text,
                    "voter_count": counts[n] if with_votes else 0,
                    "persistent_id": f"o{n}",
                }
                for n, text in enumerate(self.options)
            ],
            "total_voter_count": len(self.votes),
            "is_closed": self.closed,
            "is_anonymous": self.anonymous,
            "type": self.kind,
            "allows_multiple_answers": self.several,
            "allows_revoting": self.revoting,
            "members_only": False,
        }
        if self.keys:
            found["correct_option_ids"] = self.keys
            found |= {"correct_option_id": self.keys[0]} if len(self.keys) == 1 else {}
            found |= {"explanation": self.explanation} if self.explanation else {}
        if self.open_period:
            found["open_period"] = self.open_period
        return found


class World:
    """People, chats and what was said in them; `emit` is told of every update for the bot."""

    def __init__(self, emit: Callable[[str, dict[str, Any]], None]) -> None:
        self._emit = emit
        self._numbers = itertools.count(1)
        self._ids = random.Random(5)  # noqa: S311 - ids that look like Telegram's
        self.now: Callable[[], float] = time.time
        self.bot = {
            "id": 777000123,
            "is_bot": True,
            "first_name": "Kuis",
            "username": "KuisTestBot",
            "can_join_groups": True,
            "can_read_all_group_messages": False,
            "supports_inline_queries": False,
        }
        self.people: dict[int, Person] = {}
        self.chats: dict[int, Chat] = {}
        self.messages: dict[tuple[int, int], dict[str, Any]] = {}
        self.polls: dict[str, Poll] = {}
        self.queries: dict[str, dict[str, Any]] = {}
        self.files: dict[str, bytes] = {}

    # ------------------------------------------------------------ who and where

    def person(self, number: int, name: str, language: str = "en") -> Person:
        found = Person(id=number, name=name, language=language)
        self.people[number] = found
        self.chats[number] = Chat(id=number, type="private", person=found)
        return found

    def group(self, number: int, title: str, kind: str = "supergroup", **more: Any) -> Chat:
        found = Chat(id=number, type=kind, title=title, **more)
        self.chats[number] = found
        return found

    # ------------------------------------------------------------ what people do

    def say(
        self,
        person: Person,
        text: str,
        chat: Chat | None = None,
        *,
        thread: int | None = None,
        reply_to: dict[str, Any] | None = None,
        as_chat: Chat | None = None,
    ) -> dict[str, Any]:
        """Write a message; the bot hears of it if privacy mode lets it."""
        where = chat or self.chats[person.id]
        message = self.keep(where, thread=thread, text=text)
        if where.type == "channel":
            message |= {"sender_chat": where.json()}
        else:
            message["from"] = person.json()
        if as_chat and where.type != "channel":
            sender = ANONYMOUS_ADMIN if as_chat is where else FAKE_CHANNEL_USER
            message |= {"from": sender, "sender_chat": as_chat.json()}
        if text.startswith("/"):
            length = len(text.split(maxsplit=1)[0])
            message["entities"] = [{"type": "bot_command", "offset": 0, "length": length}]
        if reply_to:
            message["reply_to_message"] = {k: v for k, v in reply_to.items() if k[0] != "_"}
        to_bot = bool(reply_to and reply_to.get("from", {}).get("id") == self.bot["id"])
        heard = where.type in {"private", "channel"} or text.startswith("/") or to_bot
        if heard and not where.kicked:
            self._emit("channel_post" if where.type == "channel" else "message", message)
        return message

    def hand_in(
        self, person: Person, name: str, content: bytes | int, chat: Chat | None = None, **more: Any
    ) -> dict[str, Any]:
        """Send a file, with a caption perhaps; of one that is too large its size is enough."""
        file_id = f"BQACAgIAAx{len(self.files)}"
        self.files[file_id] = content if isinstance(content, bytes) else b""
        document = {
            "file_id": file_id,
            "file_unique_id": f"AgAD{len(self.files)}",
            "file_name": name,
            "file_size": content if isinstance(content, int) else len(content),
        }
        return self._send(person, chat, {"document": document}, **more)

    def forward_poll(
        self, person: Person, poll: dict[str, Any], chat: Chat | None = None, **more: Any
    ) -> dict[str, Any]:
        """Forward a poll of somebody else; a bot is not told which option is right.

        With `own`, the person has made it right here: then the bot is told.
        """
        poll = Poll(
            id=str(5_500_000_000_000_000_000 + self._ids.getrandbits(40)),
            question=poll["question"],
            options=poll["options"],
            kind=poll.get("type", "quiz"),
            anonymous=True,
            several=False,
            revoting=False,
            keys=poll.get("keys", []) if more.get("own") else [],
            explanation=poll.get("explanation", ""),
            open_period=None,
            chat=0,
            message=0,
            sent=self.now(),
        ).json()
        origin = {"type": "hidden_user", "sender_user_name": "Somebody", "date": int(self.now())}
        forwarded = {} if more.pop("own", False) else {"forward_origin": origin}
        return self._send(person, chat, {"poll": poll, **forwarded}, **more)

    def _send(  # noqa: PLR0913 - all that a message can have
        self,
        person: Person,
        chat: Chat | None,
        content: dict[str, Any],
        *,
        caption: str = "",
        thread: int | None = None,
        reply_to: dict[str, Any] | None = None,
        heard: bool = False,
        as_chat: Chat | None = None,
    ) -> dict[str, Any]:
        """Send something that is no text; `heard` where the bot is an admin and hears all."""
        where = chat or self.chats[person.id]
        message = self.keep(where, thread=thread, **content)
        if where.type == "channel":
            message |= {"sender_chat": where.json()}
        else:
            message["from"] = person.json()
        if as_chat and where.type != "channel":
            message |= {"from": ANONYMOUS_ADMIN, "sender_chat": as_chat.json()}
        if caption:
            message["caption"] = caption
        if caption.startswith("/"):
            length = len(caption.split(maxsplit=1)[0])
            entity = {"type": "bot_command", "offset": 0, "length": length}
            message["caption_entities"] = [entity]
        if reply_to:
            message["reply_to_message"] = {k: v for k, v in reply_to.items() if k[0] != "_"}
        to_bot = bool(reply_to and reply_to.get("from", {}).get("id") == self.bot["id"])
        heard = heard or where.type in {"private", "channel"} or caption.startswith("/") or to_bot
        if heard:
            self._emit("channel_post" if where.type == "channel" else "message", message)
        return message

    def press(
        self, person: Person, message: dict[str, Any], label: str = "", data: str = ""
    ) -> str:
        """Press a button by its label (or with forged data), and give the id of the query."""
        if not data:
            data = next(
                (b["callback_data"] for b in self.buttons(message) if label in b["text"]), ""
            )
        if not data:
            labels = [b["text"] for b in self.buttons(message)]
            raise AssertionError(f"no button {label!r} among {labels}")  # noqa: EM102, TRY003
        number = str(4382000000000000000 + self._ids.getrandbits(48))
        query = {
            "id": number,
            "from": person.json(),
            "message": self.shown(message),
            "chat_instance": "1",
            "data": data,
        }
        self.queries[number] = {"at": self.now(), "answer": None, "times": 0}
        self._emit("callback_query", query)
        return number

    def vote(
        self, who: Person | Chat, message: dict[str, Any], *choice: int | str, tell: bool = True
    ) -> bool:
        """Vote in a poll by positions or texts, as a client would let one; none retracts."""
        poll = self.polls[message["poll"]["id"]]
        key = f"{type(who).__name__}{who.id}"
        picks = [poll.options.index(c) if isinstance(c, str) else c for c in choice]
        over = poll.open_period is not None and self.now() > poll.sent + poll.open_period
        if poll.closed or over or (key in poll.votes and not poll.revoting):
            return False
        assert len(picks) <= 1 or poll.several, "only one option can be chosen"
        poll.votes[key] = picks
        if not picks:
            del poll.votes[key]
        if tell and not poll.anonymous:
            self._emit("poll_answer", self.poll_answer(poll, who, picks))
        return True

    def poll_answer(self, poll: Poll, who: Person | Chat, picks: list[int]) -> dict[str, Any]:
        voter = (
            {"user": who.json()}
            if isinstance(who, Person)
            else {"voter_chat": who.json(), "user": FAKE_CHANNEL_USER}
        )
        ids = [f"o{n}" for n in picks]
        return {"poll_id": poll.id, "option_ids": picks, "option_persistent_ids": ids, **voter}

    def migrate(self, chat: Chat, new_id: int) -> Chat:
        """Make a group a supergroup, as the server does it."""
        new = self.group(new_id, chat.title, admins=set(chat.admins))
        chat.migrated_to = new_id
        out = self.keep(chat)
        self._emit("message", out | {"from": ANONYMOUS_ADMIN, "migrate_to_chat_id": new_id})
        into = self.keep(new)
        self._emit("message", into | {"from": ANONYMOUS_ADMIN, "migrate_from_chat_id": chat.id})
        return new

    def bot_is(self, chat: Chat, status: str, by: Person, before: str = "member") -> None:
        """Change what the bot is in a chat."""
        chat.kicked = status in {"kicked", "left"}
        if chat.person:
            chat.person.blocked = status == "kicked"
        until = {"until_date": 0}
        self._emit(
            "my_chat_member",
            {
                "chat": chat.json(),
                "from": by.json(),
                "date": int(self.now()),
                "old_chat_member": {"user": self.bot, "status": before} | until,
                "new_chat_member": {"user": self.bot, "status": status} | until,
            },
        )

    # ------------------------------------------------------------ looking

    def keep(self, chat: Chat, *, thread: int | None = None, **content: Any) -> dict[str, Any]:
        """Number a message and keep it."""
        number = next(self._numbers)
        topic = {"message_thread_id": thread, "is_topic_message": True} if thread else {}
        message = {
            "message_id": number,
            "date": int(self.now()),
            "chat": chat.json(),
            **topic,
            **content,
        }
        self.messages[chat.id, number] = message
        return message

    def shown(self, message: dict[str, Any]) -> dict[str, Any]:
        """Give a message as it travels: without what only the fake knows."""
        return {key: value for key, value in message.items() if not key.startswith("_")}

    def buttons(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        rows = (message.get("reply_markup") or {}).get("inline_keyboard", [])
        return [button for row in rows for button in row]

    def by_bot(self, chat: Chat | Person) -> list[dict[str, Any]]:
        """List what the bot has in a chat, oldest first."""
        return [
            message
            for (where, _), message in self.messages.items()
            if where == chat.id and (message.get("from") or {}).get("id") == self.bot["id"]
        ]

    def writable(self, chat_id: Any, thread: Any = None, *, poll: bool = False) -> Chat:
        """Give the chat the bot writes to, or say why it may not."""
        chat = self.chats.get(int(chat_id))
        if chat is None:
            refuse("chat not found")
        if chat.migrated_to:
            refuse(
                "group chat was upgraded to a supergroup chat", migrate_to_chat_id=chat.migrated_to
            )
        if chat.person and not chat.person.started:
            refuse("Forbidden: bot can't initiate conversation with a user", code=403)
        if chat.person and chat.person.blocked:
            refuse("Forbidden: bot was blocked by the user", code=403)
        if chat.kicked:
            refuse(f"Forbidden: bot was kicked from the {chat.type} chat", code=403)
        if not chat.may_write:
            refuse("not enough rights to send text messages to the chat")
        if poll and not chat.may_poll:
            refuse("not enough rights to send polls to the chat")
        if thread is not None and (int(thread) == 1 or int(thread) in chat.gone_topics):
            refuse("message thread not found")
        if thread is not None and int(thread) in chat.closed_topics:
            refuse("TOPIC_CLOSED")
        return chat
