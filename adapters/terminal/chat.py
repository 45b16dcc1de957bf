"""The terminal as a chat: it shows panels, and turns typed lines into answers and wishes.

This is the smallest whole chat. Another one does the same three things: `Terminal.show` delivers
a panel, `Sitting.play` hears what people do and tells the host, `sit_down` finds who and where.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from adapters.terminal.screen import Screen
from adapters.terminal.typed import Command, command
from bot.answering import Given
from bot.events import Advanced, Paused, Resumed, Skipped
from bot.host import Host
from bot.ids import SessionId
from bot.panels import Panel, Role
from bot.people import Alias, Participant, Room
from bot.ports import Clock, People, Post
from bot.session import Phase, Session
from bot.showing import hint

PLATFORM = "terminal"
ROOM = Alias(platform=PLATFORM, external="terminal")
PROMPT = "\n> "


class Terminal:
    """Delivers panels to a screen, and remembers which of them waits for the person."""

    def __init__(self, screen: Screen) -> None:
        """Take the screen."""
        self._screen = screen
        self._shown = 0
        self.waiting: Panel | None = None

    async def show(self, post: Post) -> str:
        """Draw a panel; what a terminal shows has arrived."""
        if post.panel.role in {Role.QUESTION, Role.REVEAL}:
            self.waiting = post.panel
        self._screen.show(post.panel)
        self._shown += 1
        return str(self._shown)

    def shows(self, session: Session) -> bool:
        """Tell whether what a session waits for is what the person sees."""
        panel = self.waiting
        if panel is None:
            return False
        if panel.form:
            turn, phase = panel.form.turn, Phase.OPEN
        else:
            turn, phase = panel.buttons[0].action.turn, Phase.REVEALED
        return (session.turn, session.phase) == (turn, phase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One person in front of a screen, and all they need to play."""

    host: Host
    clock: Clock
    terminal: Terminal
    screen: Screen
    room: Room
    me: Participant

    async def resume(self, session: Session) -> None:
        """Go on with a stored session, whether it was left in peace or torn off."""
        if session.phase is Phase.PAUSED:
            await self._go_on(session)
        else:
            await self.host.take_up(session)

    async def play(self, session_id: SessionId) -> None:
        """Play until the session is over or left."""
        self._introduce()
        while (session := await self.host.session(session_id)) and session.active:
            if not self.terminal.shows(session):
                await self._go_on(session)
            elif session.phase is Phase.OPEN:
                await self._take_answer(session)
            else:
                await self._read_on(session)

    async def _take_answer(self, session: Session) -> None:
        line = self.screen.ask(PROMPT)
        if line is None:
            return await self._leave(session)
        if not line.strip():
            return None
        staged = self.host.narrator.staged(session, session.turn, self.me)
        now = self.clock.now()
        match command(line, staged):
            case None:
                given = Given(
                    session=session.id, turn=session.turn, answer=line, by=self.me, at=now
                )
                await self.host.answer(given)
            case Command.SKIP:
                skipped = Skipped(at=now, by=self.me.id, turn=session.turn)
                await self.host.steer(session.id, skipped)
            case Command.STOP:
                await self._leave(session)
            case Command.HELP:
                self.screen.tell(hint(staged), self._commands(), style="dim")
            case other:
                assert_never(other)
        return None

    async def _read_on(self, session: Session) -> None:
        """Leave time to read a verdict; a pipe needs none."""
        if self.screen.interactive and self.terminal.waiting:
            label = self.terminal.waiting.buttons[0].label
            line = self.screen.ask(f"\n{label} ⏎ ")
            if line is None or command(line) is Command.STOP:
                return await self._leave(session)
        advanced = Advanced(at=self.clock.now(), by=self.me.id, turn=session.turn)
        return await self.host.steer(session.id, advanced)

    async def _go_on(self, session: Session) -> None:
        await self.host.steer(session.id, Resumed(at=self.clock.now(), by=self.me.id))

    async def _leave(self, session: Session) -> None:
        await self.host.steer(session.id, Paused(at=self.clock.now(), by=self.me.id))
        self.screen.tell(self.screen.words.say("Type `kuis play` to go on."))

    def _introduce(self) -> None:
        """Tell a person once what can be typed besides answers."""
        if self.screen.interactive:
            self.screen.tell(self._commands(), style="dim")

    def _commands(self) -> str:
        return self.screen.words.say("`?` help · `s` skip · `q` stop for now")


async def sit_down(
    people: People, *, name: str, language: str, time_zone: str
) -> tuple[Room, Participant]:
    """Find the one room of all terminals, and the participant with this name in it."""
    room = await people.room(ROOM, title="Terminal")
    if room.settings.time_zone != time_zone:
        settings = replace(room.settings, time_zone=time_zone)
        await people.set_settings(room.id, settings)
        room = replace(room, settings=settings)
    alias = Alias(platform=PLATFORM, external=name.casefold())
    me = await people.participant(alias, name=name)
    if me.language != language:
        await people.set_participant(me.id, language=language)
        me = replace(me, language=language)
    return room, me
