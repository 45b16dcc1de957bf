"""Serving: commands and buttons go to the desk, and its replies back to people."""

import re
from dataclasses import replace

from adapters.telegram.answers import Answers
from adapters.telegram.commands import Typed, board_wish, quiz_wish, typed
from adapters.telegram.directory import Directory
from adapters.telegram.drawing import ANSWERING, payload
from adapters.telegram.replying import Replying, Wanted
from bot.actions import Action, Verb
from bot.commands import Place, find
from bot.desk import Desk, Reply, Request
from bot.effects import Refusal
from bot.host import Host
from bot.insight import room_of
from bot.menus import notice
from bot.modes import Mode
from bot.panels import Button
from bot.ports import Scope
from bot.text import Markdown

ALONE = {Mode.SOLO, Mode.EXAM}
JOINING = {"link", "unlink"}
OWN = {"review", "missed"}
"""Commands for one's own chat only."""
PERSONAL = {"privacy", "language", "insight"}
"""What is nobody else's business is answered in one's own chat."""


class Serving:
    """Serves whoever wants something."""

    def __init__(
        self,
        *,
        desk: Desk,
        host: Host,
        directory: Directory,
        answers: Answers,
        replying: Replying,
        username: str,
    ) -> None:
        """Take the collaborators."""
        self._desk = desk
        self._host = host
        self._directory = directory
        self._answers = answers
        self._replying = replying
        self._username = username

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
            personal = known is not None and self._is_personal(wanted, known.name, reply)
            await self._replying.reply(wanted, reply, personal=personal)

    def _is_personal(self, wanted: Wanted, name: str, reply: Reply) -> bool:
        """Tell whether others need not see what is said: questions of a quiz to come, say."""
        if name in {"import", "done"} and wanted.via.someone.user_id is not None:
            return bool(reply.panel.buttons)
        return name in PERSONAL

    async def _start(self, wanted: Wanted, said: Typed) -> Reply | None:
        """Greet, or do what a link says: a pack's id, or a command's name."""
        if not said.rest:
            return await self._desk.greeting(wanted.request)
        word = said.rest.split()[0]
        if word in {"privacy", "language", *JOINING, *OWN}:
            return await self._obey(wanted, word, "")
        if word.startswith(ANSWERING):
            return await self._answers.begin_elsewhere(wanted, word.removeprefix(ANSWERING))
        if word.startswith(payload("~")):
            return await self._desk.play(wanted.request, "~" + word.removeprefix(payload("~")))
        if await self._desk.is_linked(word):
            return await self._desk.play(wanted.request, word)
        return await self._quiz(wanted, word)

    async def _obey(self, wanted: Wanted, name: str, rest: str) -> Reply | None:
        request, desk = wanted.request, self._desk
        if name in OWN and not wanted.via.spot.private:
            return self._elsewhere(wanted, name)
        moves = {"resume": desk.resume, "skip": desk.skip, "stop": desk.stop}
        views = {"settings": desk.settings, "language": desk.languages}
        if name in moves:
            return await moves[name](request)
        if name in views:
            return views[name](request)
        match name:
            case "quiz":
                return await self._quiz(wanted, rest)
            case "packs":
                return await desk.packs(request)
            case "leaderboard":
                return await self._leaderboard(wanted, rest)
            case "privacy":
                return await self._privacy(wanted, rest)
            case "link" | "unlink" if not wanted.via.spot.private:
                return await self._join_elsewhere(wanted, name, rest)
            case _:
                return await desk.obey(request, name, rest)

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
        mine = Button(label=self._replying.words(wanted).say("My place"), action=asked)
        return replace(reply, panel=replace(reply.panel, notes=(), buttons=(mine,)))

    async def _privacy(self, wanted: Wanted, rest: str) -> Reply:
        """Show what is kept; `/privacy name Bee` sets what boards call somebody."""
        word, _, name = rest.partition(" ")
        if word.lower() in {"name", "nama"}:
            self._directory.forget(wanted.via.someone)
            return await self._desk.nickname(wanted.request, name)
        reply = await self._desk.privacy(wanted.request)
        how = self._replying.words(wanted).say(
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
            return await self._answers.press(wanted, action)
        if not await self._belongs(request, action):
            return await self._replying.refuse(wanted, Refusal.GONE)
        if wanted.channel and action.verb in {Verb.PLAY, Verb.SETUP} and not request.moderator:
            return await self._replying.refuse(wanted, Refusal.MODERATORS)
        about = room_of(action)
        if about:
            request = await self._directory.elsewhere(request, wanted.via.someone, about)
        mine = action.verb is Verb.SETTING and action.value.startswith("me")
        if mine:  # noted before it may be forgotten, not afterwards
            await wanted.via.settle()
        reply = await self._pressed(replace(wanted, request=request), action)
        personal = mine or (action.verb is Verb.CHALLENGE and not action.value)
        if mine:
            self._directory.forget(wanted.via.someone)
        personal = personal or about is not None
        if reply:
            await self._replying.reply(wanted, reply, personal=personal)
        return None

    async def _pressed(self, wanted: Wanted, action: Action) -> Reply | None:
        request = wanted.request
        if action.verb is Verb.PLAY and not wanted.via.spot.private:
            if wanted.channel:
                mode = self._channel_mode(wanted)
                return await self._desk.play(request, action.value, mode)
            return await self._desk.press(request, replace(action, turn=0))
        return await self._desk.press(request, action)

    async def _belongs(self, request: Request, action: Action) -> bool:
        """Tell whether a button about a session was pressed where that session is, or may be
        pressed anywhere: that a daily question has ended is told in another chat, and why somebody
        challenges an item they say in their own.
        """
        if not action.session or action.verb in {Verb.CHALLENGE, Verb.DAILY}:
            return True
        session = await self._host.session(action.session)
        return session is None or session.room == request.room.id

    def _elsewhere(self, wanted: Wanted, pack: str) -> Reply:
        """Point to one's own chat for what is played alone."""
        start = f"?start={pack}"
        named = start if re.fullmatch(r"[\w-]{1,64}", pack, re.ASCII) else ""
        link = f"https://t.me/{self._username}{named}"
        sentence = self._replying.words(wanted).say(
            "That is for your own chat with me: [open it]({link}).", link=link
        )
        return Reply(panel=notice(sentence))

    async def _join_elsewhere(self, wanted: Wanted, name: str, rest: str) -> Reply | None:
        """Join accounts in one's own chat alone: a code is for nobody else to read."""
        in_room = replace(wanted.request, place=Place.ROOM)
        reply = await self._desk.obey(in_room, name, rest)
        there = self._elsewhere(wanted, name).panel.body
        return reply and replace(reply, panel=replace(reply.panel, notes=there))

    def _channel_mode(self, wanted: Wanted) -> Mode:
        chosen = wanted.request.room.settings.mode
        return Mode(chosen) if chosen else Mode.LIVE
