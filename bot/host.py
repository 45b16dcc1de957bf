"""The host: runs sessions. It loads one, lets it step, saves it, and carries out its effects.

All that is uncertain happens here: chats that fail, two processes with one session, timers. The
order is always the same: what a session has become is stored before anybody sees it.
"""

import logging
from collections import deque
from collections.abc import Callable, Collection, Mapping

from bot.answering import Given
from bot.beginning import Beginning
from bot.effects import Effect, Refusal, Refuse
from bot.errors import DeliveryError, StoreError
from bot.events import (
    Advanced,
    Event,
    EveryoneAnswered,
    Responded,
    Restarted,
    Skipped,
    Started,
    Steering,
    Stopped,
    TimeUp,
    Vanished,
)
from bot.ids import RoomId, SessionId
from bot.modes import Closing
from bot.narrator import ItemGone, Narrator, PackGone
from bot.packs import Library
from bot.panels import Panel
from bot.people import Participant, Room
from bot.performing import Occasion, Performer
from bot.ports import Chat, Clock, Collects, Conflict, Post, Receipt, Store
from bot.recall import Recall
from bot.recording import Recording
from bot.session import Phase, Session, may_steer, refusal
from bot.shelving import Shelves
from bot.stepping import step
from bot.timers import Timers
from bot.watching import Unwatched, Watcher
from bot.wishes import Mixture, Wish

_log = logging.getLogger(__name__)

NOTHING_AT_HAND = Occasion()


class Host:
    """Runs the sessions of one process over one store."""

    def __init__(  # noqa: PLR0913 - the collaborators
        self,
        *,
        store: Store,
        clock: Clock,
        library: Library,
        chats: Mapping[str, Chat],
        seeds: Callable[[], int],
        language: str = "en",
        watcher: Watcher | None = None,
    ) -> None:
        """Take the collaborators; `seeds` gives fresh random numbers, `language` is the default."""
        self._store = store
        self._clock = clock
        self._library = library
        self._chats = chats
        self._seeds = seeds
        self._beginning = Beginning(store=store, clock=clock, seeds=seeds, language=language)
        self._watcher = watcher or Unwatched()
        self._unsettled: dict[SessionId, None] = {}
        self.shelves = Shelves(store=store, library=library)
        self._recall = Recall(store, self.shelves)
        self._timers = Timers(clock=clock, listener=self.handle)
        self.narrator = Narrator(store=store, library=library, shelves=self.shelves, clock=clock)
        self._recording = Recording(store=store, narrator=self.narrator)
        self._performer = Performer(
            store=store,
            clock=clock,
            chats=chats,
            narrator=self.narrator,
            timers=self._timers,
            watcher=self._watcher,
        )

    # ------------------------------------------------------------ what adapters call

    async def start(
        self, wish: Wish | Mixture, *, room: Room, by: Participant, via: object = None
    ) -> Session | Refusal:
        """Begin a session and show its first item; BUSY if its place in the room is taken."""
        session = await self._beginning.drawn(wish, room, by)
        for old in await self._beginning.make_way(session, by):
            self._recall.forget(old)
        try:
            await self._store.start(session)
        except Conflict:
            return Refusal.BUSY
        await self.begin(session, Occasion(via=via, person=by))
        return session

    async def begin(self, session: Session, at_hand: Occasion = NOTHING_AT_HAND) -> None:
        """Show the first item of a session that was just stored."""
        self._recall.put(session)
        await self.handle(session.id, Started(at=session.started), at_hand)

    async def answer(self, given: Given, *, via: object = None) -> Refusal | None:
        """Take an answer: it is committed before anybody is told. Gives why not, if not.

        The person is told either way, through the chat; only of a quiz that is GONE nobody knows
        where to say so.
        """
        why = await self._answer(given, via)
        self._watcher.replied(why, self._since(given))
        return why

    async def _answer(self, given: Given, via: object) -> Refusal | None:
        session, why = await self._admitted(given)
        if session is None:
            return Refusal.GONE
        if why:
            return await self._performer.turn_down(session, given, why, via)
        try:
            response, receipt = await self._recording.record(session, given)
        except PackGone as gone:
            return await self._gone(session, given, via, alone=isinstance(gone, ItemGone))
        if response is None:
            return await self._performer.turn_down(session, given, Refusal.UNREADABLE, via)
        self._watcher.recorded(receipt, response.grade, self._since(given))
        if receipt is Receipt.CLOSED:
            self._recall.forget(session.id)
            return await self._performer.turn_down(session, given, Refusal.CLOSED, via)
        if receipt is Receipt.ALREADY:
            if session.owner is None:
                return await self._performer.turn_down(session, given, Refusal.ALREADY, via)
            response = await self._store.response(session.id, given.turn, given.by.id) or response
        event = Responded(turn=given.turn, at=given.at, participant=given.by.id)
        at_hand = Occasion(via=via, person=given.by, response=response, told=given.told)
        await self.handle(session.id, event, at_hand)
        await self._perhaps_everyone(session, given)
        return None

    def fresh(self) -> int:
        """Give a fresh random number, drawn evenly from at least 2**50 where that matters."""
        return self._seeds()

    async def tell(self, room: RoomId, person: Participant, panel: Panel) -> bool:
        """Tell one person something outside of any session, by the chat of a room they were in.

        Gives whether it was delivered; in vain if the chat is not one of this process.
        """
        try:
            return await self._performer.tell(room, person, panel)
        except DeliveryError as error:
            _log.info("not told", extra={"why": str(error)})
            return False

    async def steer(
        self,
        session: SessionId,
        event: Steering,
        *,
        via: object = None,
        by: Participant | None = None,
    ) -> None:
        """Move a session on, skip, pause, resume or stop it, if the person may."""
        await self.handle(session, event, Occasion(via=via, person=by))

    async def recover(self, platforms: Collection[str] | None = None) -> int:
        """Take up every session of these chats that nobody looks after; gives how many.

        To be called after the start, and every now and then: other processes may die, and what
        the store could not take in when it was out of reach is gone on with here.
        """
        await self.narrator.refresh()
        wanted = self._chats if platforms is None else platforms
        taken = {one.id: one for one in await self._store.claim(wanted, self._clock.now())}
        self._unsettled |= dict.fromkeys(taken)
        for session_id in tuple(self._unsettled):
            session = taken.get(session_id) or await self._store.session(session_id)
            if session:
                await self.take_up(session)
            self._unsettled.pop(session_id, None)
        return len(taken)

    async def take_up(self, session: Session, *, via: object = None) -> None:
        """Go on with one stored session: whatever was due when the program died is done again."""
        self._recall.forget(session.id)
        now = self._clock.now()
        at_hand = Occasion(via=via)
        await self.handle(session.id, Restarted(at=now), at_hand)
        if session.phase in {Phase.ASKING, Phase.OPEN} and session.owner:
            response = await self._store.response(session.id, session.turn, session.owner)
            if response:
                event = Responded(turn=session.turn, at=now, participant=session.owner)
                await self.handle(session.id, event, at_hand)

    async def post(self, room: Room, panel: Panel) -> str:
        """Show a room something that belongs to no session; gives the message's name.

        Raises DeliveryError.
        """
        with self._watcher.showing(room.alias.platform):
            return await self._chats[room.alias.platform].show(Post(room=room, panel=panel))

    async def announce(self, room: Room, panel: Panel) -> bool:
        """Show a room something, if its chat runs here; tells whether it arrived."""
        if room.alias.platform not in self._chats:
            return False
        try:
            await self.post(room, panel)
        except DeliveryError as error:
            _log.info("not told", extra={"room": room.id, "why": str(error)})
            return False
        return True

    async def session(self, session: SessionId) -> Session | None:
        """Give a session as this process knows it."""
        return await self._recall.get(session)

    async def close(self) -> None:
        """Let all timers go, and the sessions: whoever comes next takes them up."""
        await self._timers.close()
        await self._store.release()

    # ------------------------------------------------------------ events in, effects out

    async def handle(
        self, session_id: SessionId, event: Event, at_hand: Occasion = NOTHING_AT_HAND
    ) -> None:
        """Let an event happen to a session, and carry out what follows until nothing does.

        Raises StoreError if the store is out of reach; `recover` goes on from there.
        """
        try:
            await self._handle(session_id, event, at_hand)
        except StoreError:
            self._watcher.failed("store")
            self._recall.forget(session_id)
            self._unsettled[session_id] = None
            raise

    async def _handle(self, session_id: SessionId, event: Event, at_hand: Occasion) -> None:
        waiting = deque([event])
        if isinstance(event, TimeUp | Advanced | Skipped | Stopped):
            await self._collect(session_id, event)
        while waiting:
            session, effects = await self._advance(session_id, waiting.popleft())
            for effect in effects:
                if session and (outcome := await self._performer.perform(session, effect, at_hand)):
                    waiting.append(outcome)

    async def _collect(
        self, session_id: SessionId, event: TimeUp | Advanced | Skipped | Stopped
    ) -> None:
        """Before a turn closes, fetch the votes that only the platform knows of."""
        session = await self._recall.get(session_id)
        if session is None or session.phase is not Phase.OPEN:
            return
        if getattr(event, "turn", session.turn) != session.turn:
            return
        if isinstance(event, Steering) and not may_steer(
            session, event.by, moderator=event.moderator
        ):
            return
        room = await self._store.room_by_id(session.room)
        chat = self._chats[room.alias.platform]
        if isinstance(chat, Collects):
            try:
                await chat.collect(session, room, steered=isinstance(event, Steering))
            except DeliveryError as error:
                _log.warning("not collected", extra={"session": session.id, "why": str(error)})

    async def _advance(
        self, session_id: SessionId, event: Event
    ) -> tuple[Session | None, tuple[Effect, ...]]:
        while True:
            before = await self._recall.get(session_id)
            if before is None:
                return None, ()
            after, effects = step(before, event)
            if after is before or after == before:
                return after, effects
            try:
                saved = await self._store.save(before, after)
            except Conflict:
                return before, self._busy(event)
            if saved:
                self._recall.put(after)
                return after, effects
            self._recall.forget(session_id)

    def _busy(self, event: Event) -> tuple[Effect, ...]:
        by = getattr(event, "by", None)
        return (Refuse(to=by, why=Refusal.BUSY),) if by else ()

    # ------------------------------------------------------------ answers

    async def _admitted(self, given: Given) -> tuple[Session | None, Refusal | None]:
        """Find the session of an answer, and why it cannot be taken.

        What is recalled may be older than what another process has made of the session, so nobody
        is turned down before it was read again.
        """
        session = await self._recall.get(given.session, turn=given.turn)
        why = _refusal(session, given)
        if session and why and why is not Refusal.NOT_YOURS:
            self._recall.forget(session.id)
            session = await self._recall.get(given.session)
            why = _refusal(session, given)
        return session, why

    async def _gone(
        self, session: Session, given: Given, via: object, *, alone: bool
    ) -> Refusal | None:
        """Take leave of an item that exists no more: who is alone is asked the next one, if there
        are others; a room moves on when its time is up.
        """
        if session.owner is None and alone:
            return await self._performer.turn_down(session, given, Refusal.CLOSED, via)
        if not (alone or session.mixed):
            return Refusal.GONE
        vanished = Vanished(turn=given.turn, at=given.at, alone=alone)
        await self.handle(session.id, vanished, Occasion(via=via, person=given.by))
        return None

    def _since(self, given: Given) -> float:
        return (self._clock.now() - given.at).total_seconds()

    async def _perhaps_everyone(self, session: Session, given: Given) -> None:
        """In an untimed room, go on when all who have joined so far have answered."""
        if session.rules.policy.closing is not Closing.ASKED_TO or given.turn == 0:
            return
        tally = await self._store.tally(session.id, given.turn)
        if tally.answered >= tally.joined > 1:
            event = EveryoneAnswered(turn=given.turn, at=self._clock.now())
            await self.handle(session.id, event)


def _refusal(session: Session | None, given: Given) -> Refusal | None:
    if session is None:
        return None
    at = given.at
    if given.told and session.deadline:  # the platform takes no answers after the time
        at = min(at, session.deadline)
    return refusal(session, turn=given.turn, participant=given.by.id, at=at)
