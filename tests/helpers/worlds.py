"""One room with its people, a store and a host: what tests of the shell start from."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from adapters.storage.memory import MemoryStore
from bot.answering import Given
from bot.desk import Desk
from bot.effects import Refusal
from bot.events import Advanced
from bot.host import Host
from bot.modes import Mode, Rules
from bot.packs import Library, Pack
from bot.people import Alias, Participant, Room
from bot.session import Session
from bot.submissions import Submission
from bot.wishes import Wish
from tests.helpers.doubles import Recorder, Watch
from tests.helpers.samples import CHOICE, MULTI, NUMBER, edition


@dataclass
class World:
    """One room, its people and a host that can be started again over the same store."""

    room: Room
    ann: Participant
    ben: Participant
    store: MemoryStore
    pack: Pack
    chat: Recorder = field(default_factory=Recorder)
    watch: Watch = field(default_factory=Watch)
    seeds: Iterator[int] = field(default_factory=lambda: count(1000))

    def __post_init__(self) -> None:
        self.restart()

    def restart(self, *packs: Pack) -> Host:
        return self.use(Recorder(), *packs)

    def use(self, chat: Recorder, *packs: Pack) -> Host:
        """Run over another chat from now on, as after a restart."""
        self.chat = chat
        self.store.abandon()
        library = Library(packs or (self.pack,))
        self.host = Host(
            store=self.store,
            clock=self.watch,
            library=library,
            chats={"test": self.chat},
            seeds=self.seeds.__next__,
        )
        self.desk = Desk(
            host=self.host,
            store=self.store,
            library=library,
            clock=self.watch,
        )
        return self.host

    async def start(
        self, mode: Mode = Mode.SOLO, by: Participant | None = None, **more: object
    ) -> Session:
        wish = Wish(pack=self.pack, rules=Rules(mode=mode, keep_order=True, **more))  # type: ignore[arg-type]
        session = await self.host.start(wish, room=self.room, by=by or self.ann)
        assert isinstance(session, Session), session
        return session

    async def answer(
        self,
        session: Session,
        answer: Submission | str,
        turn: int = 0,
        by: Participant | None = None,
    ) -> Refusal | None:
        given = Given(
            session=session.id, turn=turn, answer=answer, by=by or self.ann, at=self.watch.now()
        )
        return await self.host.answer(given)

    async def onward(self, session: Session, turn: int, by: Participant | None = None) -> None:
        person = (by or self.ann).id
        await self.host.steer(session.id, Advanced(turn=turn, by=person, at=self.watch.now()))

    async def stored(self, session: Session) -> Session:
        found = await self.store.session(session.id)
        assert found
        return found


async def small_world(store: MemoryStore | None = None) -> World:
    """Make a room with Ann and Ben in it, and a pack of three items."""
    store = store or MemoryStore()
    return World(
        room=await store.room(Alias(platform="test", external="here"), title="Here"),
        ann=await store.participant(Alias(platform="test", external="ann"), name="Ann"),
        ben=await store.participant(Alias(platform="test", external="ben"), name="Ben"),
        store=store,
        pack=Pack(editions=(edition(CHOICE, MULTI, NUMBER),)),
    )
