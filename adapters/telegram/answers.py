"""Answers: pressed or typed. Votes in polls have a shorter way, in `handling`."""

import re
from collections import OrderedDict
from dataclasses import replace

from adapters.telegram import naming
from adapters.telegram.drawing import SUBMIT, TOGGLE
from adapters.telegram.markup import cut
from adapters.telegram.replying import Replying, Wanted
from bot.actions import Action, Verb
from bot.desk import Desk, Reply
from bot.effects import Refusal
from bot.host import Host
from bot.ids import SessionId
from bot.menus import notice
from bot.narrator import PackGone
from bot.ports import Store
from bot.session import Phase, Session
from bot.showing import hint
from bot.summing import refused
from bot.text import Markdown

LONGEST_ANSWER = 256
HALF_DONE = 4096


class Answers:
    """Takes answers that are pressed or typed to the desk."""

    def __init__(self, *, desk: Desk, host: Host, store: Store, replying: Replying) -> None:
        """Take the collaborators."""
        self._desk = desk
        self._host = host
        self._store = store
        self._replying = replying
        self._half_done: OrderedDict[tuple[str, int, str], frozenset[int]] = OrderedDict()
        self._elsewhere: OrderedDict[str, tuple[SessionId, int]] = OrderedDict()

    async def press(self, wanted: Wanted, action: Action) -> None:
        """Take an option, or one of several that are collected until they are submitted."""
        session = await self._host.session(action.session)
        if session is None or session.room != wanted.request.room.id:
            return await self._replying.refuse(wanted, Refusal.GONE)
        if action.value.startswith(TOGGLE):
            return await self._toggle(wanted, session, action)
        if action.value == SUBMIT:
            chosen = self._half_done.pop(self._key(wanted, action), frozenset())
            if not chosen:
                sentence = self._replying.words(wanted).say("Choose something first.")
                return await self._replying.toast(wanted, sentence)
            action = replace(action, value=",".join(map(str, sorted(chosen))))
        await self._take(wanted, action)
        return None

    def _key(self, wanted: Wanted, action: Action) -> tuple[str, int, str]:
        """Name what somebody has half done."""
        return action.session, action.turn, wanted.via.someone.external

    async def _take(self, wanted: Wanted, action: Action, text: str | None = None) -> None:
        if reply := await self._desk.answer(wanted.request, action, text):
            await self._replying.reply(wanted, reply)

    async def _toggle(self, wanted: Wanted, session: Session, action: Action) -> None:
        place = action.value.removeprefix(TOGGLE)
        if not (place.isascii() and place.isdigit()):
            return
        try:
            staged = self._host.narrator.staged(session, action.turn, wanted.request.person)
        except PackGone:  # what becomes of the question is for the host to say
            await self._take(wanted, replace(action, value=place))
            return
        key = self._key(wanted, action)
        chosen = self._half_done.get(key, frozenset()) ^ {int(place)}
        self._half_done[key] = chosen
        self._half_done.move_to_end(key)
        if len(self._half_done) > HALF_DONE:
            self._half_done.popitem(last=False)
        letters = [chr(65 + at) for at, where in enumerate(staged.order) if where in chosen]
        sentence = self._replying.words(wanted).say(
            "Chosen: {letters}. Then press Submit.", letters=", ".join(letters) or "—"
        )
        await self._replying.toast(wanted, sentence)

    async def text(self, wanted: Wanted, text: str, reply_to: int) -> None:
        """Take what somebody writes as an answer: in a group only as a reply to the question."""
        private = wanted.via.spot.private
        if private and await self._answered_elsewhere(wanted, text):
            return
        session = await self._waiting(wanted, reply_to)
        if reply_to and (private or session is None) and await self._was_title(wanted, text):
            return
        if session is None and private:
            await self._replying.reply(wanted, await self._desk.greeting(wanted.request))
        elif session and session.phase in {Phase.ASKING, Phase.OPEN}:
            action = Action(verb=Verb.ANSWER, session=session.id, turn=session.turn)
            answer = cut(text, LONGEST_ANSWER)
            await self._take(wanted, action, answer)
        elif session and private:
            reply = await self._desk.resume(wanted.request)
            if reply:
                await self._replying.reply(wanted, reply)

    async def _was_title(self, wanted: Wanted, text: str) -> bool:
        """Take a text as the title of a pack, if somebody was asked for one."""
        reply = await self._desk.banking.heard(wanted.request, text)
        if reply:
            await self._replying.reply(wanted, reply)
        return reply is not None

    async def begin_elsewhere(self, wanted: Wanted, link: str) -> Reply:
        """Let somebody who comes from a channel type an answer to what it asks."""
        found = re.fullmatch(r"([0-9a-zA-Z]+)-([0-9]{1,4})", link)
        session = await self._host.session(SessionId(found[1])) if found else None
        if found is None or session is None or session.turn != int(found[2]) or session.owner:
            return Reply(panel=refused(Refusal.GONE, self._replying.words(wanted)))
        self._elsewhere[wanted.via.someone.external] = (session.id, session.turn)
        if len(self._elsewhere) > HALF_DONE:
            self._elsewhere.popitem(last=False)
        staged = self._host.narrator.staged(session, session.turn, wanted.request.person)
        panel = replace(notice(hint(staged)), body=(staged.item.stem, Markdown(hint(staged))))
        return Reply(panel=panel)

    async def _answered_elsewhere(self, wanted: Wanted, text: str) -> bool:
        """Take a text as the answer to a channel's question, if that is what it is meant for."""
        asked = self._elsewhere.pop(wanted.via.someone.external, None)
        session = await self._host.session(asked[0]) if asked else None
        if session is None or asked is None or session.turn != asked[1]:
            return False
        if session.phase not in {Phase.ASKING, Phase.OPEN}:
            return False
        action = Action(verb=Verb.ANSWER, session=session.id, turn=session.turn)
        await self._take(wanted, action, cut(text, LONGEST_ANSWER))
        return True

    async def _waiting(self, wanted: Wanted, reply_to: int) -> Session | None:
        request, spot = wanted.request, wanted.via.spot
        if spot.private:
            own = await self._store.open_session(request.room.id, request.person.id)
            return own or await self._store.open_session(request.room.id, None)
        session = await self._store.open_session(request.room.id, None) if reply_to else None
        asked = naming.parse(session.message) if session else None
        return session if asked and asked.message_id == reply_to else None
