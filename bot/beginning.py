"""Beginning: a wish becomes a session, and what one has left lying in its place makes way."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.events import Stopped
from bot.ids import SessionId
from bot.narrator import room_language
from bot.people import Participant, Room
from bot.ports import Clock, Store
from bot.session import Phase, Session
from bot.stepping import step
from bot.wishes import Mixture, Wish, fulfil


class Beginning:
    """Draws sessions; storing them is the host's."""

    def __init__(
        self, *, store: Store, clock: Clock, seeds: Callable[[], int], language: str
    ) -> None:
        """Take the collaborators; `language` is the default."""
        self._store = store
        self._clock = clock
        self._seeds = seeds
        self._language = language

    async def drawn(self, wish: Wish | Mixture, room: Room, by: Participant) -> Session:
        """Draw the items of a session, which is not stored yet."""
        owner = None if wish.rules.policy.shared else by.id
        return fulfil(
            wish,
            room=room,
            by=by,
            language=wish.language or room_language(room, by, self._language),
            asked=await self._store.asked(room.id, owner, wish.pack_id),
            seed=self._seeds(),
            session_id=SessionId(f"{self._seeds() % 2**50:010x}"),
            at=self._clock.now(),
        )

    async def make_way(self, session: Session, by: Participant) -> Sequence[SessionId]:
        """End what the person has left lying in this room, for a quiz of their own; gives which."""
        ended: list[SessionId] = []
        if session.owner is None:
            return ended
        while old := await self._store.open_session(session.room, session.owner):
            after, _ = step(old, Stopped(at=session.started, by=by.id))
            over = replace(after, phase=Phase.FINISHED, finished=session.started)
            await self._store.save(old, over)
            ended.append(old.id)
        return ended
