"""Serving: commands, buttons and typed answers go to the desk, and its replies back to people."""

import re
from collections import OrderedDict
from dataclasses import dataclass, replace

from adapters.telegram import naming
from adapters.telegram.commands import Typed, board_wish, quiz_wish, typed
from adapters.telegram.directory import Directory
from adapters.telegram.drawing import SUBMIT, TOGGLE, alert, keyboard, parts, payload
from adapters.telegram.markup import cut, joined
from adapters.telegram.pacing import Urgency
from adapters.telegram.places import Spot
from adapters.telegram.speaking import Speaker
from adapters.telegram.via import Cause, Via
from bot.actions import Action, Verb
from bot.commands import find
from bot.desk import Desk, Reply, Request
from bot.effects import Refusal
from bot.errors import DeliveryError
from bot.host import Host
from bot.menus import notice
from bot.modes import Mode
from bot.panels import Button
from bot.ports import Scope, Store
from bot.session import Phase, Session
from bot.summing import refused
from bot.text import Markdown
from bot.wording import Words

LONGEST_ANSWER = 256
HALF_DONE = 4096
ALONE = {Mode.SOLO, Mode.EXAM}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What somebody wants: the desk's request, its via, and whether the place is a channel."""

    request: Request
    via: Via
    channel: bool


class Serving:
    """Serves whoever wants something."""

    def __init__(
        self,
        *,
        desk: Desk,
        host: Host,
        store: Store,
        directory: Directory,
        speaker: Speaker,
        username: str,
    ) -> None:
        """Take the collaborators."""
        self._desk = desk
        self._host = host
        self._store = store
        self._directory = directory
        self._speaker = speaker
        self._username = username
        self._half_done: OrderedDict[tuple[str, int, str], frozenset[int]] = OrderedDict()

    # ------------------------------------------------------------ commands

    async def command(self, wanted: Wanted, text: str) -> None:
        """Obey a command."""
        said = typed(text, self._username)
        if said is None:
            return
        reply = await self._start(wanted, said) if said.name == "start" else None
        known = find(said.name)
        if known:
            reply = await self._obey(wanted, known.name, said.rest)
        elif said.name != "start" and wanted.request.room.community == "":
            reply = self._desk.help(wanted.request)
        if reply:
            personal = known is not None and known.name in {"privacy", "language"}
            await self._reply(wanted, reply, personal=personal)

    async def _start(self, wanted: Wanted, said: Typed) -> Reply | None:
        """Greet, or do what a link says: a pack's id, or a command's name."""
        if not said.rest:
            return self._desk.greeting(wanted.request)
        word = said.rest.split()[0]
        if word in {"privacy", "language"}:
            return await self._obey(wanted, word, "")
        if word.startswith(payload("~")):
            return await self._desk.play(wanted.request, "~" + word.removeprefix(payload("~")))
        return await self._quiz(wanted, word)

    async def _obey(self, wanted: Wanted, name: str, rest: str) -> Reply | None:
        request, desk = wanted.request, self._desk
        moves = {"resume": desk.resume, "skip": desk.skip, "stop": desk.stop, "stats": desk.stats}
        views = {"packs": desk.packs, "settings": desk.settings, "language": desk.languages}
        if name in moves:
            return await moves[name](request)
        if name in views:
            return views[name](request)
        match name:
            case "quiz":
                return await self._quiz(wanted, rest)
            case "leaderboard":
                return await self._leaderboard(wanted, rest)
            case "privacy":
                return await self._privacy(wanted, rest)
            case _:
                return desk.help(request)

    async def _quiz(self, wanted: Wanted, rest: str) -> Reply | None:
        wish = quiz_wish(rest)
        if wish.mode in ALONE and not wanted.via.spot.private:
            return self._elsewhere(wanted, wish.pack)
        if wanted.channel and wish.pack and wish.mode is None:
            wish = replace(wish, mode=self._channel_mode(wanted))
        return await self._desk.quiz(wanted.request, wish)

    async def _leaderboard(self, wanted: Wanted, rest: str) -> Reply:
        period, scope, merit = board_wish(rest)
        reply = await self._desk.leaderboard(wanted.request, period, scope, merit)
        if wanted.via.spot.private:
            return reply
        asked = Action(verb=Verb.BOARD, turn=list(Scope).index(scope), value=period.value)
        mine = Button(label=self._words(wanted).say("My place"), action=asked)
        return replace(reply, panel=replace(reply.panel, notes=(), buttons=(mine,)))

    async def _privacy(self, wanted: Wanted, rest: str) -> Reply:
        """Show what is kept; `/privacy name Bee` sets what boards call somebody."""
        word, _, name = rest.partition(" ")
        if word.lower() in {"name", "nama"}:
            self._directory.forget(wanted.via.someone)
            return await self._desk.nickname(wanted.request, name)
        reply = await self._desk.privacy(wanted.request)
        how = self._words(wanted).say(
            "To be called something else on boards, write `/privacy name` and the name; without "
            "a name it is taken back."
        )
        notes = (*reply.panel.notes, Markdown(how))
        return replace(reply, panel=replace(reply.panel, notes=notes))

    # ------------------------------------------------------------ buttons

    async def press(self, wanted: Wanted, action: Action) -> None:
        """Do what a button asks for."""
        request = wanted.request
        if action.verb is Verb.ANSWER:
            return await self._answer(wanted, action)
        if not await self._belongs(request, action):
            return await self._say_no(wanted, Refusal.GONE)
        if wanted.channel and action.verb in {Verb.PLAY, Verb.SETUP} and not request.moderator:
            return await self._say_no(wanted, Refusal.MODERATORS)
        reply = await self._pressed(wanted, action)
        personal = action.verb is Verb.SETTING and action.value.startswith("me")
        if personal:
            self._directory.forget(wanted.via.someone)
        if reply:
            await self._reply(wanted, reply, personal=personal)
        return None

    async def _pressed(self, wanted: Wanted, action: Action) -> Reply | None:
        request = wanted.request
        if action.verb is Verb.PLAY and not wanted.via.spot.private:
            if wanted.channel:
                mode = self._channel_mode(wanted)
                return await self._desk.play(request, action.value, mode)
            return await self._desk.press(request, replace(action, turn=0))
        return await self._desk.press(request, action)

    async def _answer(self, wanted: Wanted, action: Action) -> None:
        """Take an option, or one of several that are collected until they are submitted."""
        session = await self._host.session(action.session)
        if session is None or session.room != wanted.request.room.id:
            return await self._say_no(wanted, Refusal.GONE)
        key = (action.session, action.turn, wanted.via.someone.external)
        if action.value.startswith(TOGGLE):
            return await self._toggle(wanted, session, key, action.value.removeprefix(TOGGLE))
        if action.value == SUBMIT:
            chosen = self._half_done.pop(key, frozenset())
            if not chosen:
                sentence = self._words(wanted).say("Choose something first.")
                return await self._toast(wanted, sentence)
            action = replace(action, value=",".join(map(str, sorted(chosen))))
        await self._take(wanted, action)
        return None

    async def _take(self, wanted: Wanted, action: Action, text: str | None = None) -> None:
        if reply := await self._desk.answer(wanted.request, action, text):
            await self._reply(wanted, reply)

    async def _toggle(
        self, wanted: Wanted, session: Session, key: tuple[str, int, str], place: str
    ) -> None:
        if not (place.isascii() and place.isdigit()):
            return
        chosen = self._half_done.get(key, frozenset()) ^ {int(place)}
        self._half_done[key] = chosen
        self._half_done.move_to_end(key)
        if len(self._half_done) > HALF_DONE:
            self._half_done.popitem(last=False)
        staged = self._host.narrator.staged(session, key[1], wanted.request.person)
        letters = [chr(65 + at) for at, where in enumerate(staged.order) if where in chosen]
        sentence = self._words(wanted).say(
            "Chosen: {letters}. Then press Submit.", letters=", ".join(letters) or "—"
        )
        await self._toast(wanted, sentence)

    async def _belongs(self, request: Request, action: Action) -> bool:
        """Tell whether a button about a session was pressed where that session is."""
        if not action.session:
            return True
        session = await self._host.session(action.session)
        return session is None or session.room == request.room.id

    async def shrug(self, query_id: str) -> None:
        """Answer a press that nothing follows from."""
        await self._speaker.answer_press(query_id)

    # ------------------------------------------------------------ typed answers

    async def text(self, wanted: Wanted, text: str, reply_to: int) -> None:
        """Take what somebody writes as an answer: in a group only as a reply to the question."""
        private = wanted.via.spot.private
        session = await self._waiting(wanted, reply_to)
        if session is None and private:
            await self._reply(wanted, self._desk.greeting(wanted.request))
        elif session and session.phase in {Phase.ASKING, Phase.OPEN}:
            action = Action(verb=Verb.ANSWER, session=session.id, turn=session.turn)
            answer = cut(text, LONGEST_ANSWER)
            await self._take(wanted, action, answer)
        elif session and private:
            reply = await self._desk.resume(wanted.request)
            if reply:
                await self._reply(wanted, reply)

    async def _waiting(self, wanted: Wanted, reply_to: int) -> Session | None:
        request, spot = wanted.request, wanted.via.spot
        if spot.private:
            own = await self._store.open_session(request.room.id, request.person.id)
            return own or await self._store.open_session(request.room.id, None)
        session = await self._store.open_session(request.room.id, None) if reply_to else None
        asked = naming.parse(session.message) if session else None
        return session if asked and asked.message_id == reply_to else None

    # ------------------------------------------------------------ replies

    async def _reply(self, wanted: Wanted, reply: Reply, *, personal: bool = False) -> None:
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
        texts = parts(reply.panel, self._words(wanted))
        if reply.file:
            return await self._file(via.spot, reply, texts)
        if pressed and reply.replaces:
            await self._speaker.edit(via.spot, via.message_id, texts, keyboard(reply.panel))
            return None
        there = 0 if via.spot.private or wanted.channel or pressed else via.message_id
        rows = keyboard(reply.panel)
        await self._speaker.say(via.spot, texts, rows=rows, reply_to=there)
        return None

    async def _privately(self, wanted: Wanted, reply: Reply) -> None:
        """Answer in the person's own chat; who has none yet is shown the way there."""
        via, spoken = wanted.via, self._words(wanted)
        texts = parts(reply.panel, spoken)
        if via.someone.user_id is None:
            return
        own = Spot(chat_id=via.someone.user_id)
        try:
            if reply.file:
                await self._file(own, reply, texts)
            else:
                await self._speaker.say(own, texts, rows=keyboard(reply.panel))
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

    async def _file(self, spot: Spot, reply: Reply, texts: list[str]) -> None:
        if reply.file:
            name, content = reply.file
            await self._speaker.file(spot, name, content, joined(texts))

    async def _say_no(self, wanted: Wanted, why: Refusal) -> None:
        await self._reply(wanted, Reply(panel=refused(why, self._words(wanted))))

    async def _toast(self, wanted: Wanted, sentence: str) -> None:
        await wanted.via.settle()
        if query_id := wanted.via.open_query():
            await self._speaker.toast(query_id, sentence)

    def _elsewhere(self, wanted: Wanted, pack: str) -> Reply:
        """Point to one's own chat for what is played alone."""
        start = f"?start={pack}"
        named = start if re.fullmatch(r"[\w-]{1,64}", pack, re.ASCII) else ""
        link = f"https://t.me/{self._username}{named}"
        sentence = self._words(wanted).say(
            "That is for your own chat with me: [open it]({link}).", link=link
        )
        return Reply(panel=notice(sentence))

    def _channel_mode(self, wanted: Wanted) -> Mode:
        chosen = wanted.request.room.settings.mode
        return Mode(chosen) if chosen else Mode.LIVE

    def _words(self, wanted: Wanted) -> Words:
        return self._desk.words(wanted.request)
