"""Handling: what is done about each update. Every handler may be called again with the same one."""

import logging
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass

from telegram import CallbackQuery, ChatMember, ChatMemberUpdated, Message

from adapters.telegram.answers import Answers
from adapters.telegram.directory import Directory
from adapters.telegram.handing_in import HandingIn
from adapters.telegram.places import (
    CHANNEL,
    Someone,
    Spot,
    Vote,
    author,
    spot_of_message,
    user,
)
from adapters.telegram.polls import Asked, Polls
from adapters.telegram.receiving import Arrival
from adapters.telegram.replying import Replying, Wanted
from adapters.telegram.seen import Seen
from adapters.telegram.serving import Serving
from adapters.telegram.speaking import Speaker
from adapters.telegram.via import Cause, Via
from bot.actions import Verb, decode
from bot.answering import Given
from bot.commands import Place
from bot.desk import Desk, Reply, Request
from bot.effects import Trouble
from bot.errors import DeliveryError, StoreError
from bot.events import Failed
from bot.host import Host
from bot.menus import notice
from bot.narrator import PackGone
from bot.ports import Store
from bot.session import Phase
from bot.submissions import Chosen

_log = logging.getLogger(__name__)

GONE = {ChatMember.LEFT, ChatMember.BANNED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Desks:
    """Who answers what people want."""

    host: Host
    desk: Desk
    store: Store
    polls: Polls


class Handling:
    """Turns updates into answers, commands and presses."""

    def __init__(
        self,
        *,
        desks: Desks,
        directory: Directory,
        speaker: Speaker,
        seen: Seen,
        username: str,
        moved: Callable[[int, int], Awaitable[None]],
    ) -> None:
        """Take the collaborators; `moved` is told of groups that have a new id."""
        self._host = desks.host
        self._store = desks.store
        self._polls = desks.polls
        self._directory = directory
        self._seen = seen
        self._moved = moved
        self._speaker = speaker
        self._replying = replying = Replying(desk=desks.desk, speaker=speaker, username=username)
        self._answers = Answers(
            desk=desks.desk, host=desks.host, store=desks.store, replying=replying
        )
        self._handing_in = HandingIn(
            desk=desks.desk, speaker=speaker, replying=replying, username=username
        )
        self._serving = Serving(
            desk=desks.desk,
            host=desks.host,
            directory=directory,
            answers=self._answers,
            replying=replying,
            username=username,
        )

    async def handle(self, arrival: Arrival) -> None:
        """Do what an update asks for; who cannot be answered is not answered."""
        try:
            await self._handle(arrival)
        except DeliveryError as error:
            _log.info("not answered", extra={"why": str(error)})

    async def _handle(self, arrival: Arrival) -> None:
        update = arrival.content
        if isinstance(update, Vote):
            await self._vote(update, arrival)
        elif update.callback_query:
            await self._press(update.callback_query, arrival)
        elif message := update.message or update.channel_post:
            await self._message(message, arrival)
        elif update.my_chat_member:
            await self._membership(update.my_chat_member)

    # ------------------------------------------------------------ votes

    async def _vote(self, vote: Vote, arrival: Arrival) -> None:
        """Take a vote; what a voter outside of the quiz's room does is Telegram's to answer."""
        asked = self._polls.known(vote.poll_id) or await self._polls.find(vote.poll_id)
        if asked is None or asked.only not in {"", vote.voter.external}:
            _log.info("vote passed over", extra={"poll": vote.poll_id})
            return
        person = await self._directory.known(vote.voter)
        if not vote.positions:
            await self._store.withdraw(asked.session, asked.turn, person.id)
            return
        if asked.only and await self._is_repeated(asked, person.id):
            return
        places = frozenset(asked.places[at] for at in vote.positions if at < len(asked.places))
        spot = Spot(chat_id=int(asked.only)) if asked.only else Spot(chat_id=0)
        given = Given(
            session=asked.session,
            turn=asked.turn,
            answer=Chosen(places),
            by=person,
            at=arrival.at,
            told=True,
        )
        via = Via(
            cause=Cause.VOTE,
            someone=vote.voter,
            spot=spot,
            message_id=asked.message,
            settle=_settling(arrival),
        )
        await self._host.answer(given, via=via)

    async def _is_repeated(self, asked: Asked, person: str) -> bool:
        """Tell whether a vote was taken before; saying so once more would help nobody."""
        session = await self._host.session(asked.session)
        if session is None:
            return False
        if session.turn == asked.turn and session.phase in {Phase.ASKING, Phase.OPEN}:
            return False
        found = await self._store.responses(asked.session, session.starter)
        return any((r.turn, r.participant) == (asked.turn, person) for r in found)

    # ------------------------------------------------------------ buttons

    async def _press(self, query: CallbackQuery, arrival: Arrival) -> None:
        action = decode(query.data or "")
        message = query.message
        if message is None or action is None:
            await self._speaker.answer_press(query.id)
            return
        topic = isinstance(message, Message)
        spot = spot_of_message(message) if topic else Spot(chat_id=message.chat.id)  # type: ignore[arg-type]
        someone = user(query.from_user)
        via = self._via(Cause.PRESS, someone, spot, arrival, key=f"c{query.id}")
        via.message_id, via.query_id = message.message_id, query.id
        if action.verb is Verb.ANSWER:
            via.settle = _settling(arrival)
        elif await self._seen.before(spot.chat_id, f"c{query.id}"):
            return
        room = await self._directory.room(message.chat, spot)
        wants = action.verb not in {Verb.ANSWER, Verb.BOARD}
        request = Request(
            room=room,
            person=await self._directory.person(someone),
            place=Place.PRIVATE if spot.private else Place.ROOM,
            moderator=wants and await self._directory.is_moderator(someone, spot),
            via=via,
            at=arrival.at,
        )
        channel = message.chat.type == CHANNEL
        wanted = Wanted(request=request, via=via, channel=channel)
        await self._served(wanted, self._serving.press(wanted, action))
        await self._finish(via, query.id)

    async def _finish(self, via: Via, query_id: str) -> None:
        await via.settle()
        if via.open_query():
            await self._speaker.answer_press(query_id)

    # ------------------------------------------------------------ messages

    async def _message(self, message: Message, arrival: Arrival) -> None:
        if message.migrate_to_chat_id:
            return await self._moved(message.chat.id, message.migrate_to_chat_id)
        if message.migrate_from_chat_id:
            return await self._moved(message.migrate_from_chat_id, message.chat.id)
        someone = author(message)
        handed_in = bool(message.document or message.poll)
        if someone is None or not (message.text or handed_in):
            return None
        spot = spot_of_message(message)
        key = f"m{message.message_id}"
        command = handed_in or (message.text or "").startswith("/")
        if command and await self._seen.before(spot.chat_id, key):
            return None
        cause = Cause.COMMAND if command else Cause.TEXT
        via = self._via(cause, someone, spot, arrival, key=key if command else "")
        via.message_id = message.message_id
        request = Request(
            room=await self._directory.room(message.chat, spot),
            person=await self._directory.person(someone),
            place=Place.PRIVATE if spot.private else Place.ROOM,
            moderator=command and await self._directory.is_moderator(someone, spot),
            via=via,
            at=arrival.at,
        )
        wanted = Wanted(request=request, via=via, channel=message.chat.type == CHANNEL)
        if handed_in:
            doing = self._handing_in.take(wanted, message)
        elif command:
            doing = self._serving.command(wanted, message.text or "")
        else:
            reply = message.reply_to_message
            answered = reply.message_id if reply else 0
            doing = self._answers.text(wanted, message.text or "", answered)
        await self._served(wanted, doing)
        return await via.settle()

    async def _membership(self, change: ChatMemberUpdated) -> None:
        """Pause what can go on no longer, at once: the bot was removed or blocked."""
        if change.new_chat_member.status not in GONE:
            return
        spot = Spot(chat_id=change.chat.id)
        room = await self._store.room(spot.alias)
        owner = None
        if spot.private:
            owner = (await self._directory.person(user(change.from_user))).id
        session = await self._store.open_session(room.id, owner)
        if session and session.active:
            trouble = Trouble.BLOCKED if spot.private else Trouble.ROOM_GONE
            failed = Failed(turn=session.turn, at=change.date, trouble=trouble.value)
            await self._host.handle(session.id, failed)

    # ------------------------------------------------------------ helpers

    async def _served(self, wanted: Wanted, doing: Coroutine[None, None, None]) -> None:
        """Do what somebody wants; nobody is left without a word, whatever goes wrong."""
        try:
            await doing
        except (StoreError, DeliveryError):
            raise
        except PackGone as gone:
            await self._replying.refuse(wanted, gone.refusal)
        except Exception:  # noqa: BLE001 - an edge: logged, and told in one polite sentence
            _log.exception("update failed", extra={"room": wanted.request.room.id})
            sentence = self._replying.words(wanted).say(
                "Something went wrong on my side. Nothing is lost; please try again."
            )
            await self._replying.reply(wanted, Reply(panel=notice(sentence)))

    def _via(self, cause: Cause, someone: Someone, spot: Spot, arrival: Arrival, key: str) -> Via:
        async def settle() -> None:
            if key:
                await self._seen.mark(spot.chat_id, key)
            arrival.settled.set()

        return Via(cause=cause, someone=someone, spot=spot, settle=settle)


def _settling(arrival: Arrival) -> Callable[[], Awaitable[None]]:
    async def settle() -> None:
        arrival.settled.set()

    return settle
