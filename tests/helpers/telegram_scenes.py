"""Scenes on Telegram, written down as people see them: what `docs/telegram-*.md` shows."""

import html
from pathlib import Path
from typing import Any

from tests.fakes.telegram_world import Chat, Person
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, MULTI, pack
from tests.helpers.telegrams import Stage, staged

DOCS = Path(__file__).parents[2] / "docs"
GROUP = -1001234567890
CHANNEL = -1009876543210
HEADS = {
    "en": (
        "# Kuis on Telegram, as it appears",
        "This page is written by a test that plays these scenes against the bot; it is not edited.",
        ("In a private chat", "In a group", "In a channel", "Everything else"),
    ),
    "id": (
        "# Kuis di Telegram, sebagaimana tampil",
        "Halaman ini ditulis oleh tes yang memainkan adegan-adegan ini; jangan disunting.",
        ("Di obrolan pribadi", "Di grup", "Di saluran", "Selebihnya"),
    ),
}


class Script:
    """Writes down who says what."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.lines: list[str] = []

    def head(self, title: str) -> None:
        self.lines += [f"## {title}", ""]

    def person(self, who: Person, does: str) -> None:
        self.lines += [f"**{who.name}:** {does}", ""]

    def bot(self, message: dict[str, Any]) -> None:
        content = _poll(message) if "poll" in message else _text(message.get("_source", ""))
        buttons = [button["text"] for button in self.stage.world.buttons(message)]
        if document := message.get("document"):
            content = [f"📎 {document['file_name']}", *_text(message.get("caption", ""))]
        if buttons:
            content += ["", " ".join(f"`[ {label} ]`" for label in buttons)]
        self.lines += [f"> {line}".rstrip() for line in content] + [""]

    def pop_up(self, text: str) -> None:
        self.lines += [f"> 💬 *{line}*" for line in text.splitlines() if line] + [""]

    async def say(self, who: Person, text: str, chat: Chat | None = None, replies: int = 1) -> Any:
        self.person(who, f"`{text}`")
        self.stage.world.say(who, text, chat)
        return await self.hear(chat or who, replies)

    async def press(
        self, who: Person, message: dict[str, Any], label: str, replies: int = 1
    ) -> Any:
        self.person(who, f"`[ {label} ]`")
        self.stage.world.press(who, message, label)
        chat = self.stage.world.chats[message["chat"]["id"]]
        return await self.hear(chat, replies)

    async def hear(self, chat: Any, count: int = 1) -> Any:
        messages = await self.stage.new(chat, count)
        for message in messages:
            self.bot(self.stage.world.messages[chat.id, message["message_id"]])
        return messages[-1] if messages else None


async def written(language: str) -> str:
    """Play every scene in a language, and give the page."""
    title, note, (private, group, channel, rest) = HEADS[language]
    parts = [title, "", note, ""]
    async with staged(clock=Watch(), seed=4, language=language) as stage:
        script = Script(stage)
        script.head(private)
        await _private(script, stage.world.person(1001, "Ani", language))
        script.head(rest)
        await _rest(script, stage.world.people[1001], language)
        script.head(group)
        await _group(script, stage.world.people[1001], language)
        parts += script.lines
    async with staged(pack(MULTI, CHOICE), clock=Watch(), seed=4, language=language) as stage:
        script = Script(stage)
        script.head(channel)
        await _channel(script, stage.world.person(1001, "Ani", language))
        parts += script.lines
    return "\n".join(parts).rstrip() + "\n"


async def _private(script: Script, ani: Person) -> None:
    stage = script.stage
    hello = await script.say(ani, "/start")
    label = next(b["text"] for b in stage.world.buttons(hello) if "radien" in b["text"])
    question = await script.press(ani, hello, label)
    for turn in range(8):
        await stage.pass_time(6)
        poll = stage.poll_of(question)
        pick = poll.keys[0] if turn not in {1, 4} else (poll.keys[0] + 1) % len(poll.options)
        script.person(ani, f"☑ {poll.options[pick]}")
        stage.world.vote(ani, question, pick)
        verdict = await script.hear(ani)
        onward = stage.world.buttons(verdict)[0]["text"]
        question = await script.press(ani, verdict, onward)


async def _rest(script: Script, ani: Person, language: str) -> None:
    names = {
        "en": ("/leaderboard all", "/stats", "/packs", "/privacy", "/language", "/help", "/stop"),
        "id": (
            "/peringkat semua",
            "/statistik",
            "/paket",
            "/privasi",
            "/bahasa",
            "/bantuan",
            "/berhenti",
        ),
    }
    for command in names[language]:
        await script.say(ani, command)


async def _group(script: Script, ani: Person, language: str) -> None:
    stage = script.stage
    group = stage.world.group(GROUP, "Kelompok belajar", admins={ani.id})
    names = ("Budi", "Citra")
    others = [stage.world.person(2000 + n, name, language) for n, name in enumerate(names)]
    people = [ani, *others]
    wish = "/quiz gradient 5" if language == "en" else "/kuis gradient 5"
    card = await script.say(ani, wish, group)
    start = stage.world.buttons(card)[-1]["text"]
    question = await script.press(ani, card, start)
    for turn in range(5):
        poll = stage.poll_of(question)
        for n, person in enumerate(people):
            await stage.pass_time(4)
            pick = poll.keys[0] if (turn + n) % 3 else (poll.keys[0] + 1) % len(poll.options)
            script.person(person, f"☑ {poll.options[pick]}")
            stage.world.vote(person, question, pick)
        await stage.pass_time(31)
        reveal = await script.hear(group)
        await stage.pass_time(9)
        question = await script.hear(group)
    board = await script.say(
        people[1], "/leaderboard week" if language == "en" else "/peringkat minggu", group
    )
    label = stage.world.buttons(board)[0]["text"]
    script.person(people[2], f"`[ {label} ]`")
    query = stage.world.press(people[2], board, label)
    await stage.until(lambda: stage.api.answer_to(query))
    script.pop_up(stage.api.answer_to(query)["text"])
    settings = "/settings" if language == "en" else "/pengaturan"
    await script.say(ani, settings, group)
    await _doubt(script, (ani, people[1]), group, reveal)


async def _doubt(script: Script, people: tuple[Person, Person], group: Chat, reveal: Any) -> None:
    """One challenges the last question, the other corrects it, and takes that back."""
    stage, (ani, budi) = script.stage, people

    def label(message: dict[str, Any], place: int) -> str:
        return str(stage.world.buttons(message)[place]["text"])

    async def edited(who: Person, message: dict[str, Any], place: int) -> dict[str, Any]:
        await script.press(who, message, label(message, place), replies=0)
        await stage.quiet()
        now = stage.world.messages[message["chat"]["id"], message["message_id"]]
        script.bot(now)
        return now

    doubt = label(reveal, -1)
    script.person(budi, f"`[ {doubt} ]`")
    query = stage.world.press(budi, reveal, doubt)
    asked = await script.hear(budi)
    await stage.until(lambda: stage.api.answer_to(query))
    script.pop_up(stage.api.answer_to(query)["text"])
    await edited(budi, asked, 0)
    queue = "/challenges" if script.stage.language == "en" else "/sanggahan"
    case = await script.say(ani, queue, group)
    other = next(n for n in range(4) if "✓" not in label(case, n))
    case = await edited(ani, case, other)
    case = await edited(ani, case, 4)
    await edited(ani, case, 0)
    told = await script.hear(group)
    await edited(ani, told, 0)


async def _channel(script: Script, ani: Person) -> None:
    stage = script.stage
    channel = stage.world.group(CHANNEL, "Fakta", "channel", admins={ani.id})
    question = await script.say(ani, "/quiz mixed", channel)
    for _ in range(2):
        labels = [b["text"] for b in stage.world.buttons(question)]
        presses = ("A", "C", labels[-1]) if len(labels[-1]) > 1 else ("B",)
        for label in presses:
            script.person(ani, f"`[ {label} ]`")
            query = stage.world.press(ani, question, label)
            await stage.until(lambda: stage.api.answer_to(query))  # noqa: B023
            script.pop_up(stage.api.answer_to(query)["text"])
        await stage.pass_time(32)
        await stage.quiet()
        script.bot(stage.world.messages[CHANNEL, question["message_id"]])
        await stage.pass_time(9)
        question = await script.hear(channel)


def _text(source: str) -> list[str]:
    lines: list[str] = []
    for block in source.split("\n\n"):
        shown = block if "<pre>" in block else block.replace("\n", "<br>\n")
        lines += [*shown.split("\n"), ""]
    return lines[:-1]


def _poll(message: dict[str, Any]) -> list[str]:
    poll = message["poll"]
    keys = poll.get("correct_option_ids", [])
    lines = [f"📊 **{_plain(poll['question'])}**", ""]
    if poll.get("description"):
        lines += [*_plain(poll["description"]).replace("\n", "<br>\n").split("\n"), ""]
    for number, option in enumerate(poll["options"]):
        mark = "🔘" if number in keys else "⚪"
        lines.append(f"{mark} {_plain(option['text'])}<br>")
    if poll.get("explanation"):
        lines += ["", f"💡 *{_plain(poll['explanation'])}*"]
    return lines


def _plain(text: str) -> str:
    return html.escape(text, quote=False)
