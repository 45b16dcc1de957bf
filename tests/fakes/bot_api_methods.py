"""What the Bot API's methods do, each checked as the server checks it."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from aiohttp import web

from tests.fakes import telegram_rules as rules
from tests.fakes.telegram_rules import flag, loaded, refuse
from tests.fakes.telegram_world import Chat, Poll, World


class Methods:
    """The methods that act on the world; named as in the API, behind an underscore."""

    world: World
    commands: dict[tuple[str, str], Any]
    emit: Callable[[str, dict[str, Any]], None]

    def _getMe(self, _params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        return self.world.bot

    def _setMyCommands(self, params: dict[str, Any]) -> bool:  # noqa: N802
        commands = loaded(params["commands"])
        names = Counter(one["command"] for one in commands)
        ok = all(name.islower() and len(name) <= 32 and name.isascii() for name in names)
        if not ok or len(commands) > 100 or any(n > 1 for n in names.values()):
            refuse("BOT_COMMAND_INVALID")
        if not all(1 <= len(one["description"]) <= 256 for one in commands):
            refuse("BOT_COMMAND_DESCRIPTION_INVALID")
        scope = loaded(params.get("scope")) or {"type": "default"}
        self.commands[scope["type"], params.get("language_code", "")] = commands
        return True

    def _sendMessage(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        chat = self.world.writable(params.get("chat_id", 0), params.get("message_thread_id"))
        text, entities = rules.message_text(params)
        return self._sent(chat, params, text=text, entities=entities, _source=params["text"])

    def _sendPhoto(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        chat = self.world.writable(params.get("chat_id", 0), params.get("message_thread_id"))
        shown, entities = rules.caption(params.get("caption", ""), params.get("parse_mode"))
        photo = [{"file_id": "p", "file_unique_id": "p", "width": 1, "height": 1}]
        more = {"caption": shown, "caption_entities": entities} if shown else {}
        if isinstance(params.get("photo"), web.FileField):
            more["_content"] = params["photo"].file.read()
        return self._sent(chat, params, photo=photo, **more)

    def _editMessageMedia(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        self.world.writable(params["chat_id"])
        message = self._editable(params)
        media = loaded(params["media"])
        if media["type"] != "photo" or "photo" not in message:
            refuse("there is no photo in the message to edit")
        shown, entities = rules.caption(media.get("caption", ""), media.get("parse_mode"))
        content = params[media["media"].removeprefix("attach://")].file.read()
        message |= {"caption": shown, "caption_entities": entities, "_content": content}
        message["reply_markup"] = rules.keyboard(params.get("reply_markup"))
        return _plain(message)

    def _sendDocument(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        chat = self.world.writable(params.get("chat_id", 0), params.get("message_thread_id"))
        file = next((v for v in params.values() if isinstance(v, web.FileField)), None)
        content = file.file.read() if file else b""
        document = {"file_id": "d", "file_unique_id": "d", "file_name": file and file.filename}
        shown, _ = rules.caption(params.get("caption", ""), params.get("parse_mode"))
        more = {"caption": shown} if shown else {}
        return self._sent(chat, params, document=document, _content=content, **more)

    def _getFile(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        file_id = params.get("file_id", "")
        if file_id not in self.world.files:
            refuse("invalid file_id")
        content = self.world.files[file_id]
        if len(content) > 20 * 1024 * 1024:
            refuse("file is too big")
        return {
            "file_id": file_id,
            "file_unique_id": f"u{file_id}",
            "file_size": len(content),
            "file_path": f"documents/{file_id}",
        }

    def _sendPoll(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        chat = self.world.writable(
            params.get("chat_id", 0), params.get("message_thread_id"), poll=True
        )
        kind = params.get("type") or "regular"
        if kind not in {"regular", "quiz"}:
            refuse("unsupported poll type specified")
        anonymous = params.get("is_anonymous") is None or flag(params["is_anonymous"])
        if chat.type == "channel" and not anonymous:
            refuse("non-anonymous polls can't be sent to channel chats")
        options = rules.poll_options(params)
        period = params.get("open_period")
        if period is not None and not 5 <= int(float(period)) <= 2_628_000:
            refuse("wrong open period specified")
        revoting = params.get("allows_revoting")
        shown, entities = rules.caption(
            params.get("description") or "", params.get("description_parse_mode")
        )
        poll = Poll(
            id=str(5_400_000_000_000_000_000 + next(self._ids)),
            question=rules.poll_question(params),
            options=options,
            kind=kind,
            anonymous=anonymous,
            several=flag(params.get("allows_multiple_answers")),
            revoting=flag(revoting) if revoting is not None else kind != "quiz",
            keys=rules.poll_keys(params, len(options)) if kind == "quiz" else [],
            explanation=rules.explanation(params) if kind == "quiz" else "",
            open_period=int(float(period)) if period is not None else None,
            chat=chat.id,
            message=0,
            sent=self.world.now(),
        )
        self.world.polls[poll.id] = poll
        more = {"description": shown, "description_entities": entities} if shown else {}
        message = self._sent(chat, params, poll=poll.json() | more)
        poll.message = message["message_id"]
        return message

    def _stopPoll(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        self.world.writable(params["chat_id"])
        message = self.world.messages.get((int(params["chat_id"]), int(params["message_id"])))
        if not message or "poll" not in message:
            refuse("message with poll to stop not found")
        poll = self.world.polls[message["poll"]["id"]]
        over = poll.open_period is not None and self.world.now() > poll.sent + poll.open_period
        if poll.closed or over:
            refuse("poll has already been closed")
        poll.closed = True
        message["poll"] |= {"is_closed": True}
        self.emit("poll", poll.json())
        return poll.json()

    def _editMessageText(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        self.world.writable(params["chat_id"])
        message = self._editable(params)
        text, entities = rules.message_text(params)
        markup = rules.keyboard(params.get("reply_markup"))
        before = (message.get("text"), message.get("entities"), message.get("reply_markup"))
        if before == (text, entities, markup):
            refuse(
                "message is not modified: specified new message content and reply markup are "
                "exactly the same as a current content and reply markup of the message"
            )
        message |= {"text": text, "entities": entities, "reply_markup": markup}
        message |= {"edit_date": int(self.world.now()), "_source": params["text"]}
        return _plain(message)

    def _editMessageReplyMarkup(self, params: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        self.world.writable(params["chat_id"])
        message = self._editable(params)
        markup = rules.keyboard(params.get("reply_markup"))
        if (message.get("reply_markup") or None) == (markup or None):
            refuse("message is not modified")
        message["reply_markup"] = markup
        return _plain(message)

    def _answerCallbackQuery(self, params: dict[str, Any]) -> bool:  # noqa: N802
        query = self.world.queries.get(params["callback_query_id"])
        stale = query is None or self.world.now() - query["at"] > 150
        if query is None or stale or query["answer"] is not None:
            refuse("query is too old and response timeout expired or query ID is invalid")
        if len(params.get("text", "")) > 200:
            refuse("MESSAGE_TOO_LONG")
        query["answer"] = {
            "text": params.get("text", ""),
            "alert": flag(params.get("show_alert")),
            "url": params.get("url", ""),
        }
        return True

    def _setMessageReaction(self, params: dict[str, Any]) -> bool:  # noqa: N802
        self.world.writable(params["chat_id"])
        message = self.world.messages.get((int(params["chat_id"]), int(params["message_id"])))
        if not message:
            refuse("message to react not found")
        message["_reaction"] = [one["emoji"] for one in loaded(params.get("reaction", "[]"))]
        return True

    def _getChatAdministrators(self, params: dict[str, Any]) -> list[dict[str, Any]]:  # noqa: N802
        chat = self.world.writable(params["chat_id"])
        return [
            {
                "user": self.world.people[number].json(),
                "status": "creator",
                "is_anonymous": False,
            }
            for number in sorted(chat.admins)
        ]

    # ------------------------------------------------------------ helpers

    def _sent(self, chat: Chat, params: dict[str, Any], **content: Any) -> dict[str, Any]:
        markup = rules.keyboard(params.get("reply_markup"))
        more: dict[str, Any] = {"_markup": markup} if markup else {}
        if markup and "inline_keyboard" in markup:  # others are not told of again
            more["reply_markup"] = markup
        reply = loaded(params.get("reply_parameters")) or {}
        if reply:
            target = self.world.messages.get((chat.id, int(reply["message_id"])))
            if target is None and not reply.get("allow_sending_without_reply"):
                refuse("message to be replied not found")
            if target is not None:
                more["reply_to_message"] = {
                    k: v for k, v in _plain(target).items() if k != "reply_to_message"
                }
        if flag(params.get("protect_content")):
            more["has_protected_content"] = True
        thread = params.get("message_thread_id")
        author = {"sender_chat": chat.json()} if chat.type == "channel" else {}
        message = self.world.keep(
            chat, thread=int(thread) if thread else None, **author, **content, **more
        )
        message["from"] = self.world.bot
        return _plain(message)

    def _editable(self, params: dict[str, Any]) -> dict[str, Any]:
        message = self.world.messages.get((int(params["chat_id"]), int(params["message_id"])))
        if message is None:
            refuse("message to edit not found")
        return message


def _plain(message: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in message.items() if not k.startswith("_") and v is not None}
