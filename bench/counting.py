"""Counting after a siege: what became of every vote, by the votes and by the database alone."""

import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import TypeAlias

from sqlalchemy import select

from adapters.clock import SystemClock
from adapters.storage import SqlStore, open_store
from adapters.storage.schema import aliases, responses, scores, sessions
from bench.responses import NOON
from bot.ids import RoomId
from bot.people import Alias, Room
from bot.ports import BoardQuery
from tests.fakes.bot_api import BotApi

ROOMS = 6
CROWD = 400
GRACE = 3.0

Key: TypeAlias = tuple[int, int, int, int]
"""A room, the number of its quiz, a turn and a person: one answer at most is kept for each."""


@dataclass(kw_only=True)
class Report:
    """What came out.

    `missing` votes were acknowledged and are gone, or say something else than was voted; `late`
    ones came after their turn had closed. `again` counts those of people who voted in both copies
    of a poll that was sent once more: one of the two is kept. `orphaned` ones were given to a
    poll that was sent but whose id the process, killed in that moment, never learned: it was sent
    once more, and Telegram offers no way to ask for it. `invented` answers nobody gave.
    """

    kills: int = 0
    votes: int = 0
    acknowledged: int = 0
    missing: int = 0
    late: int = 0
    again: int = 0
    orphaned: int = 0
    invented: int = 0
    stuck: int = 0
    wrong_scores: int = 0
    repeated: int = 0

    @property
    def good(self) -> bool:
        """Tell whether every promise was kept."""
        lost = self.missing + self.invented + self.stuck + self.wrong_scores
        return lost == 0 and self.repeated <= self.kills


@dataclass(kw_only=True)
class Vote:
    """A vote as it was given: by whom, where, in which poll, and whether it was right."""

    update: int
    poll: str
    room: int
    turn: int
    person: int
    right: bool
    until: float
    confirmed: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Count:
    """The votes that were given at a Bot API, and the database that should hold them."""

    api: BotApi
    url: str
    votes: list[Vote]

    async def report(self, kills: int) -> Report:
        """Compare the votes with the database."""
        report = Report(kills=kills, votes=len(self.votes))
        series = self._series()
        given = defaultdict[Key, list[Vote]](list)
        for vote in self.votes:
            given[vote.room, series[vote.poll], vote.turn, vote.person].append(vote)
        async with await open_store(self.url) as store:
            assert isinstance(store, SqlStore)  # noqa: S101 - tells the type checker
            kept = await self._kept(store)
            orphans = {
                vote.poll
                for vote in self.votes
                if await store.note(f"telegram.poll.{vote.poll}") is None
            }
            report.stuck = len(await store.unfinished())
            report.wrong_scores = await self._unlike_a_rebuild(store)
            report.wrong_scores += await self._unlike_a_replay(store, kept, given)
        for key, votes in given.items():
            self._judge(report, votes, kept=kept.get(key), orphans=orphans)
        report.invented = len(kept.keys() - given.keys())
        report.repeated = self._repeated()
        return report

    def _judge(
        self, report: Report, votes: list[Vote], *, kept: bool | None, orphans: Set[str]
    ) -> None:
        """Count what became of the votes of one person in one turn."""
        done = [vote for vote in votes if vote.confirmed]
        report.acknowledged += len(done)
        known = [vote for vote in done if vote.poll not in orphans]
        report.orphaned += len(done) - len(known)
        if kept is None and known:
            late = all(vote.confirmed > vote.until + GRACE for vote in known)
            report.late += late
            report.missing += not late
        elif kept is not None:
            report.again += max(len(done) - 1, 0)
            report.missing += kept not in {vote.right for vote in votes}

    def _series(self) -> dict[str, int]:
        """Tell which quiz of its room each poll belongs to; one sent again has the same turn."""
        found = {}
        for room in range(ROOMS):
            series, before = 0, -1
            for message in self.api.world.by_bot(self.api.world.chats[-1000 - room]):
                if asked := message.get("poll"):
                    turn = turn_of(asked["question"])
                    series += turn < before
                    found[asked["id"]], before = series, turn
        return found

    async def _kept(self, store: SqlStore) -> dict[Key, bool]:
        """Give every answer in the database, and whether it is right."""
        room, person = aliases.alias("room"), aliases.alias("person")
        query = (
            select(
                room.c.external,
                responses.c.session,
                responses.c.turn,
                person.c.external,
                responses.c.grade,
            )
            .join(room, (room.c.target == responses.c.room) & (room.c.kind == "room"))
            .join(
                person,
                (person.c.target == responses.c.participant) & (person.c.kind == "participant"),
            )
        )
        started = select(sessions.c.id, sessions.c.room).order_by(sessions.c.started)
        async with store.engine.connect() as connection:
            rows = (await connection.execute(query)).all()
            order = defaultdict[str, list[str]](list)
            for session, where in (await connection.execute(started)).all():
                order[where].append(session)
        number = {session: at for these in order.values() for at, session in enumerate(these)}
        return {
            (-1000 - int(where), number[session], turn, int(who)): grade == 1
            for where, session, turn, who, grade in rows
        }

    async def _unlike_a_replay(
        self, store: SqlStore, kept: Mapping[Key, bool], given: Mapping[Key, list[Vote]]
    ) -> int:
        """Count who has not the points that follow from the votes: the first to each question."""
        first: dict[tuple[int, int, str], bool] = {}
        for key in sorted(kept.keys() & given.keys()):
            question = self.api.world.polls[given[key][0].poll].question.partition(" · ")[2]
            first.setdefault((key[0], key[3], question), kept[key])
        wanted: Counter[tuple[int, str]] = Counter()
        for (room, person, _), right in first.items():
            wanted[room, f"Voter {person - 1000}"] += 100 * right
        found: Counter[tuple[int, str]] = Counter()
        for room in range(ROOMS):
            here = await store.room(Alias(platform="telegram", external=f"{-1000 - room}"))
            board = await store.leaderboard(BoardQuery(room=here, limit=CROWD), SystemClock().now())
            for standing in board.rows:
                found[room, standing.name] = standing.points
        return sum(wanted[one] != found[one] for one in wanted.keys() | found.keys())

    async def _unlike_a_rebuild(self, store: SqlStore) -> int:
        """Compare scores and boards with what a rebuild makes of the responses."""
        before = await self._state(store)
        await store.rebuild()
        after = await self._state(store)
        return sum(one != two for one, two in zip(before, after, strict=True))

    async def _state(self, store: SqlStore) -> list[object]:
        async with store.engine.connect() as connection:
            table = scores.alias()
            query = select(table).order_by(*table.c)
            rows = [tuple(row) for row in (await connection.execute(query)).all()]
            where = (await connection.execute(select(sessions.c.room).distinct())).scalars().all()
        alias = Alias(platform="telegram", external="")
        boards = [
            await store.leaderboard(
                BoardQuery(room=Room(id=RoomId(one), alias=alias), limit=100), NOON
            )
            for one in sorted(where)
        ]
        return [rows, *boards]

    def _repeated(self) -> int:
        """Count the messages that were shown more than once in a row."""
        repeated = 0
        for room in range(ROOMS):
            said = [
                str(message.get("text") or message.get("poll", {}).get("question"))
                for message in self.api.world.by_bot(self.api.world.chats[-1000 - room])
            ]
            repeated += sum(one == two for one, two in itertools.pairwise(said))
        return repeated


def turn_of(question: str) -> int:
    """Read the turn off a question that begins like `3/8 · `; -1 if it does not."""
    found = re.match(r"(\d+)/", question)
    return int(found[1]) - 1 if found else -1
