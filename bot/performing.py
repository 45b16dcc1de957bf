"""Performing: effects are carried out through the chats, and what came of it is the next event."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from bot.answering import Given
from bot.effects import (
    Ask,
    Confirm,
    Effect,
    Refusal,
    Refuse,
    Report,
    Reveal,
    Summarise,
    Trouble,
    Wake,
)
from bot.errors import DeliveryError, StoreError
from bot.events import Delivered, Event, Failed, Revealed, Summarised, Vanished
from bot.ids import ParticipantId, RoomId
from bot.narrator import ItemGone, Narrator, PackGone
from bot.panels import Panel
from bot.people import Participant
from bot.ports import Chat, Clock, Post, Response, Store
from bot.session import Session
from bot.timers import Timers
from bot.watching import Watcher

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What is at hand while an event is handled, so that it need not be read again.

    `via` is the adapter's own, `person` whose doing the event is, `response` what they answered,
    `told` that they know already that it was taken.
    """

    via: object = None
    person: Participant | None = None
    response: Response | None = None
    told: bool = False


class Performer:
    """Carries out effects: shows panels, sets timers. It never changes a session."""

    def __init__(
        self,
        *,
        store: Store,
        clock: Clock,
        chats: Mapping[str, Chat],
        narrator: Narrator,
        timers: Timers,
        watcher: Watcher,
    ) -> None:
        """Take the collaborators."""
        self._store = store
        self._clock = clock
        self._chats = chats
        self._narrator = narrator
        self._timers = timers
        self._watcher = watcher

    async def perform(self, session: Session, effect: Effect, at_hand: Occasion) -> Event | None:
        """Carry out an effect; whatever goes wrong with it becomes Failed. Raises StoreError."""
        trouble = Trouble.MISHAP.value
        try:
            match effect:
                case Ask() | Reveal() | Summarise():
                    return await self._stage(session, effect, at_hand)
                case Wake(turn=turn, at=at):
                    self._timers.set(session.id, turn, at)
                case Confirm() | Refuse() | Report():
                    await self._tell(session, effect, at_hand)
            return None  # noqa: TRY300 - the other way out is above
        except StoreError:
            raise
        except DeliveryError as error:
            _log.warning("not delivered", extra={"session": session.id, "why": str(error)})
            trouble = error.reason
        except PackGone as gone:
            self._watcher.failed(Trouble.PACK_GONE.value)
            alone = isinstance(gone, ItemGone)
            return Vanished(turn=session.turn, at=self._clock.now(), alone=alone)
        except Exception:  # noqa: BLE001 - an edge: logged with its context, and told politely
            _log.exception("effect failed", extra={"session": session.id})
            if isinstance(effect, Confirm | Refuse | Report):
                return None
        self._watcher.failed(trouble)
        return Failed(turn=session.turn, at=self._clock.now(), trouble=trouble)

    async def turn_down(self, session: Session, given: Given, why: Refusal, via: object) -> Refusal:
        """Tell somebody why their answer was not taken; what they answered before, if they did."""
        late = (given.at - session.deadline).total_seconds() if session.deadline else 0.0
        if why is Refusal.CLOSED and given.turn == session.turn and late > 0:
            why = Refusal.LATE
        panel = self._narrator.turned_down(session, given.turn, why, given.by, late)
        if why in {Refusal.ALREADY, Refusal.CLOSED, Refusal.LATE}:
            before = await self._store.response(session.id, given.turn, given.by.id)
            if before:
                why = Refusal.ALREADY
                panel = await self._narrator.already(session, before, given.by)
        await self._whisper(session, panel, given.by, Occasion(via=via))
        return why

    async def tell(self, room_id: RoomId, person: Participant, panel: Panel) -> bool:
        """Tell one person something outside of any session. Raises DeliveryError.

        Gives whether the chat of the room is here at all.
        """
        room = await self._store.room_by_id(room_id)
        chat = self._chats.get(room.alias.platform)
        if chat:
            await chat.show(Post(room=room, panel=panel, to=person))
        return chat is not None

    async def _stage(
        self, session: Session, effect: Ask | Reveal | Summarise, at_hand: Occasion
    ) -> Event:
        """Show what everybody of the session is to see, and say that it was shown."""
        reader = await self._person(session.owner, at_hand)
        match effect:
            case Ask(turn=turn):
                panel = self._narrator.question(session, reader)
                message = await self._show(session, panel, reader, at_hand)
                return Delivered(turn=turn, at=self._clock.now(), message=message)
            case Reveal(turn=turn):
                panel = await self._narrator.reveal(session, reader, at_hand.response)
                await self._show(session, panel, reader, at_hand, session.message)
                return Revealed(turn=turn, at=self._clock.now())
            case Summarise():
                panel = await self._narrator.summary(session, reader)
                await self._show(session, panel, reader, at_hand)
                return Summarised(at=self._clock.now())

    async def _tell(
        self, session: Session, effect: Confirm | Refuse | Report, at_hand: Occasion
    ) -> None:
        """Tell one person something. Failing to is logged, and the quiz goes on all the same."""
        match effect:
            case Confirm(to=to):
                if not at_hand.told:
                    await self._confirm(session, to, at_hand)
            case Refuse(to=to, why=why):
                reader = await self._person(to, at_hand)
                panel = self._narrator.refused(session, why, reader)
                await self._whisper(session, panel, reader, at_hand)
            case Report(trouble=trouble):
                await self._report(session, trouble, at_hand)

    async def _confirm(self, session: Session, to: ParticipantId, at_hand: Occasion) -> None:
        reader = await self._person(to, at_hand)
        response = at_hand.response or await self._store.response(session.id, session.turn, to)
        if reader and response:
            panel = self._narrator.receipt(session, reader, response)
            await self._whisper(session, panel, reader, at_hand)

    async def _report(self, session: Session, trouble: Trouble, at_hand: Occasion) -> None:
        """Say why a session is paused: where it runs, or else to who started it."""
        reader = await self._person(session.owner, at_hand)
        panel = self._narrator.paused(session, trouble, reader)
        try:
            await self._show(session, panel, reader, at_hand)
        except DeliveryError:
            if session.owner is None:
                starter = await self._person(session.starter, at_hand)
                await self._whisper(session, panel, starter, at_hand)

    async def _person(
        self, participant: ParticipantId | None, at_hand: Occasion
    ) -> Participant | None:
        """Give who a panel is for; None for a whole room."""
        if participant is None:
            return None
        if at_hand.person and at_hand.person.id == participant:
            return at_hand.person
        return (await self._store.participants([participant])).get(participant)

    async def _show(
        self,
        session: Session,
        panel: Panel,
        to: Participant | None,
        at_hand: Occasion,
        replaces: str = "",
    ) -> str:
        room = await self._store.room_by_id(session.room)
        post = Post(room=room, panel=panel, to=to, replaces=replaces, via=at_hand.via)
        with self._watcher.showing(room.alias.platform):
            return await self._chats[room.alias.platform].show(post)

    async def _whisper(
        self, session: Session, panel: Panel, to: Participant | None, at_hand: Occasion
    ) -> None:
        """Tell one person something; if it cannot be delivered the quiz goes on all the same."""
        if to is None:
            return
        try:
            await self._show(session, panel, to, at_hand)
        except DeliveryError as error:
            _log.info("not told", extra={"session": session.id, "why": str(error)})
