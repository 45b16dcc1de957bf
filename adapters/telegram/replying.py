"""Replying: what the desk says goes to who asked: alone if that can be, else where they are."""

from dataclasses import dataclass

from adapters.telegram.drawing import alert, keyboard, parts
from adapters.telegram.markup import joined
from adapters.telegram.pacing import Urgency
from adapters.telegram.places import Spot
from adapters.telegram.speaking import Speaker, as_caption
from adapters.telegram.via import Cause, Via
from bot.desk import Desk, Reply, Request
from bot.effects import Refusal
from bot.errors import DeliveryError
from bot.summing import refused
from bot.wording import Words


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody wants: the desk's request, its via, and whether the place is a channel."""

    request: Request
    via: Via
    channel: bool


class Replying:
    """Answers people. Raises DeliveryError where they cannot be reached."""

    def __init__(self, *, desk: Desk, speaker: Speaker, username: str) -> None:
        """Take who knows everybody's language, who speaks, and the bot's name for links."""
        self._desk = desk
        self._speaker = speaker
        self._username = username

    def words(self, wanted: Wanted) -> Words:
        """Give the words for who wants something."""
        return self._desk.words(wanted.request)

    async def reply(self, wanted: Wanted, reply: Reply, *, personal: bool = False) -> None:
        """Say what the desk says: to the one person if that can be, else where they are."""
        via = wanted.via
        await via.settle()
        if personal and not via.spot.private:
            return await self._privately(wanted, reply)
        pressed = via.cause is Cause.PRESS
        if pressed and not via.spot.private and not (reply.public or reply.replaces):
            if query_id := via.open_query():
                await self._speaker.answer_press(query_id, alert(reply.panel))
            return None
        if query_id := via.open_query():
            await self._speaker.answer_press(query_id)
        texts = parts(reply.panel, self.words(wanted))
        if reply.file and not reply.panel.buttons:
            return await self._file(via.spot, reply, joined(texts))
        await self._file(via.spot, reply)
        if pressed and reply.replaces:
            return await self._instead(via, reply, texts)
        there = 0 if via.spot.private or wanted.channel or pressed else via.message_id
        rows = keyboard(reply.panel)
        picture = reply.picture and reply.picture[1]
        await self._speaker.say(
            via.spot, texts, rows=rows, reply_to=there, picture=picture, force_reply=reply.asks
        )
        return None

    async def _instead(self, via: Via, reply: Reply, texts: list[str]) -> None:
        """Let the message with the button say something else; under a picture as far as it fits."""
        rows = keyboard(reply.panel)
        if not reply.picture:
            await self._speaker.edit(via.spot, via.message_id, texts, rows)
        elif caption := as_caption(texts):
            picture = reply.picture[1]
            await self._speaker.edit_picture(via.spot, via.message_id, picture, caption, rows)
        else:
            await self._speaker.say(via.spot, texts, rows=rows, picture=reply.picture[1])

    async def _privately(self, wanted: Wanted, reply: Reply) -> None:
        """Answer in the person's own chat; who has none yet is shown the way there."""
        via, spoken = wanted.via, self.words(wanted)
        texts = parts(reply.panel, spoken)
        if via.someone.user_id is None:
            return
        own = Spot(chat_id=via.someone.user_id)
        try:
            if reply.file and not reply.panel.buttons:
                await self._file(own, reply, joined(texts))
            else:
                picture = reply.picture and reply.picture[1]
                await self._file(own, reply)
                await self._speaker.say(own, texts, rows=keyboard(reply.panel), picture=picture)
            sentence = spoken.say("I have written to you in our own chat.")
        except DeliveryError:
            link = f"t.me/{self._username}"
            sentence = spoken.say("Write to me first: {link}", link=link)
        if query_id := via.open_query():
            await self._speaker.answer_press(query_id, sentence)
        else:
            await self._speaker.say(
                via.spot, [sentence], reply_to=via.message_id, urgency=Urgency.CHATTER
            )

    async def _file(self, spot: Spot, reply: Reply, caption: str = "") -> None:
        """Send a file, if there is one; what has buttons follows as a message that can change."""
        if reply.file:
            name, content = reply.file
            await self._speaker.file(spot, name, content, caption)

    async def refuse(self, wanted: Wanted, why: Refusal) -> None:
        """Say politely why not."""
        await self.reply(wanted, Reply(panel=refused(why, self.words(wanted))))

    async def toast(self, wanted: Wanted, sentence: str) -> None:
        """Tell who pressed a button something that goes away by itself."""
        await wanted.via.settle()
        if query_id := wanted.via.open_query():
            await self._speaker.toast(query_id, sentence)
