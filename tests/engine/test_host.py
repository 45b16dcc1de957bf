"""The host, over a real (in-memory) store, with a chat that remembers."""

import asyncio
from dataclasses import replace
from itertools import count

import pytest

from bot.answering import Given, respond
from bot.effects import Refusal, Trouble
from bot.errors import DeliveryError, StoreError
from bot.events import Paused, Responded, Resumed, Skipped, Stopped
from bot.host import Host
from bot.ids import ItemId, ParticipantId, SessionId
from bot.modes import Mode, Rules
from bot.packs import Library, Pack
from bot.panels import Panel, Role, Tone
from bot.people import Alias, Room
from bot.ports import Post
from bot.recall import MOST, Recall
from bot.session import Phase, Session
from bot.submissions import Chosen
from bot.wishes import Wish
from tests.helpers.doubles import Recorder, settle
from tests.helpers.samples import CHOICE, ITEMS, edition, later, session
from tests.helpers.worlds import World


async def test_a_solo_quiz_runs_from_its_first_question_to_the_summary(world: World):
    session = await world.start()

    await world.answer(session, "B")
    await world.onward(session, 0)
    await world.answer(session, "A B", turn=1)
    await world.onward(session, 1)
    await world.answer(session, "3,14", turn=2)
    await world.onward(session, 2)

    assert [panel.role for panel in world.chat.panels()] == [
        *([Role.QUESTION, Role.REVEAL] * 3),
        Role.SUMMARY,
    ]
    assert [p.tone for p in world.chat.panels(Role.REVEAL)] == [Tone.RIGHT, Tone.WRONG, Tone.RIGHT]
    assert world.chat.last.panel.progress == "2/3"
    assert world.chat.last.to == world.ann
    assert (await world.stored(session)).phase is Phase.FINISHED


async def test_an_answer_that_cannot_be_read_is_explained_and_not_lost(world: World):
    session = await world.start()

    why = await world.answer(session, "Z")
    again = await world.answer(session, "B")

    assert (why, again) == (Refusal.UNREADABLE, None)
    assert "from A to C" in world.chat.panels(Role.NOTICE)[0].body[0]


async def test_options_that_do_not_exist_are_not_taken(world: World):
    session = await world.start()

    why = await world.answer(session, Chosen(frozenset({7})))

    assert why is Refusal.UNREADABLE


async def test_somebody_elses_quiz_cannot_be_answered(world: World):
    session = await world.start()

    why = await world.answer(session, "B", by=world.ben)

    assert why is Refusal.NOT_YOURS
    assert world.chat.last.to == world.ben
    assert await world.store.responses(session.id, world.ben.id) == []


async def test_a_quiz_that_does_not_exist_cannot_be_answered(world: World):
    ghost = Given(session=SessionId("nope"), turn=0, answer="A", by=world.ann, at=world.watch.now())

    assert await world.host.answer(ghost) is Refusal.GONE


async def test_a_live_quiz_runs_by_the_clock(world: World):
    session = await world.start(Mode.LIVE, seconds=10, pause=5)

    await world.watch.move_to(later(2))
    await world.answer(session, "B", by=world.ann)
    await world.watch.move_to(later(4))
    await world.answer(session, "A", by=world.ben)
    await world.watch.move_to(later(11.5))
    await world.watch.move_to(later(16.5))

    receipts = world.chat.panels(Role.RECEIPT)
    revealed = world.chat.panels(Role.REVEAL)[0]
    assert [panel.tone for panel in receipts] == [Tone.RIGHT, Tone.WRONG]
    assert {line.letter: line.votes for line in revealed.options} == {"A": 1, "B": 1, "C": 0}
    assert any("Ann" in note for note in revealed.notes)
    assert len(world.chat.panels(Role.QUESTION)) == 2


async def test_a_live_quiz_ends_with_standings_of_everyone(world: World):
    session = await world.start(Mode.LIVE, seconds=10, pause=5)

    for turn, (ann, ben) in enumerate([("B", "B"), ("AC", "A"), ("3.14", "1")]):
        await world.answer(session, ann, turn=turn, by=world.ann)
        await world.answer(session, ben, turn=turn, by=world.ben)
        await world.watch.move_to(later(100 * (turn + 1)))
        await world.watch.move_to(later(100 * (turn + 1) + 50))

    rows = world.chat.last.panel.standings
    assert [(row.place, row.name, row.points) for row in rows] == [(1, "Ann", 300), (2, "Ben", 150)]
    assert (await world.stored(session)).phase is Phase.FINISHED


async def test_a_second_answer_in_a_room_is_refused_and_names_the_first(world: World):
    session = await world.start(Mode.LIVE)

    await world.answer(session, "B")
    why = await world.answer(session, "A")

    assert why is Refusal.ALREADY
    assert "**B**" in world.chat.last.panel.body[0]


async def test_an_answer_can_be_changed_where_the_room_allows_it(world: World):
    session = await world.start(Mode.LIVE, may_change=True, verdict_at_once=False)

    await world.answer(session, "B")
    why = await world.answer(session, "A")

    response = await world.store.response(session.id, 0, world.ann.id)
    assert why is None
    assert response
    assert response.submission == Chosen(frozenset({0}))
    assert world.chat.last.panel.tone is Tone.NEUTRAL


async def test_a_late_answer_is_told_by_how_much(world: World):
    session = await world.start(Mode.LIVE, seconds=10)

    await world.watch.move_to(later(12))
    why = await world.answer(session, "B")

    assert why is Refusal.LATE
    assert "2 s" in world.chat.last.panel.body[0]


@pytest.mark.parametrize(("told", "why"), [(True, None), (False, Refusal.LATE)])
async def test_a_vote_the_platform_took_in_time_counts_though_it_comes_late(
    world: World,
    told: bool,  # noqa: FBT001
    why: Refusal | None,
):
    session = await world.start(Mode.LIVE, seconds=10)
    asked = len(world.chat.posts)
    given = Given(
        session=session.id,
        turn=0,
        answer=Chosen(frozenset({1})),
        by=world.ben,
        at=later(12),
        told=told,
    )

    assert await world.host.answer(given) is why

    kept = await world.store.response(session.id, 0, world.ben.id)
    assert (kept is not None) is told
    assert (len(world.chat.posts) == asked) is told  # who knows already is not told once more


async def test_an_answer_to_an_old_question_is_refused_politely(world: World):
    session = await world.start()
    await world.answer(session, "B")
    await world.onward(session, 0)

    old = await world.answer(session, "B", turn=0)

    assert old is Refusal.ALREADY


async def test_an_answer_to_a_question_nobody_has_seen_is_closed(world: World):
    session = await world.start()

    assert await world.answer(session, "B", turn=2) is Refusal.CLOSED


async def test_a_relaxed_turn_ends_when_everyone_who_plays_has_answered(world: World):
    session = await world.start(Mode.RELAXED)
    await world.answer(session, "B", by=world.ann)
    await world.answer(session, "B", by=world.ben)
    await world.onward(session, 0)
    await world.onward(session, 0)

    await world.answer(session, "AC", turn=1, by=world.ann)
    waiting = (await world.stored(session)).phase
    await world.answer(session, "AC", turn=1, by=world.ben)

    assert waiting is Phase.OPEN
    assert (await world.stored(session)).phase is Phase.REVEALED


async def test_only_the_starter_moves_a_relaxed_quiz_on(world: World):
    session = await world.start(Mode.RELAXED)

    await world.onward(session, 0, by=world.ben)

    assert (await world.stored(session)).phase is Phase.OPEN
    assert world.chat.last.to == world.ben


async def test_a_room_has_one_shared_quiz_and_room_for_private_ones(world: World):
    await world.start(Mode.LIVE)
    mine = await world.start(Mode.SOLO)
    yours = await world.start(Mode.SOLO, by=world.ben)

    wish = Wish(pack=world.pack, rules=Rules(mode=Mode.RELAXED))
    second = await world.host.start(wish, room=world.room, by=world.ben)

    assert second is Refusal.BUSY
    assert mine.id != yours.id


async def test_a_new_quiz_of_ones_own_ends_the_old_one(world: World):
    old = await world.start()
    await world.answer(old, "B")

    await world.start()

    ended = await world.stored(old)
    assert (ended.phase, ended.closed) == (Phase.FINISHED, 1)


async def test_an_exam_says_nothing_until_its_review(world: World):
    session = await world.start(Mode.EXAM)

    for turn, answer in enumerate(["A", "AC", "3"]):
        await world.answer(session, answer, turn=turn)

    assert world.chat.panels(Role.REVEAL) == []
    review = "\n".join(world.chat.last.panel.notes)
    assert world.chat.last.panel.progress == "1/3"
    assert "A city in the west." in review
    assert "It is irrational." in review


async def test_a_quiz_taken_again_in_the_same_week_is_said_to_be_practice(world: World):
    summaries: list[Panel] = []
    for _ in range(2):
        session = await world.start()
        for turn, answer in enumerate(["B", "AC", "3.14"]):
            await world.answer(session, answer, turn=turn)
            await world.onward(session, turn)
        summaries.append(world.chat.last.panel)

    assert not any("practice" in line for line in summaries[0].body)
    assert any("practice" in line for line in summaries[1].body)


async def test_streaks_earn_more_where_the_room_likes_them(world: World):
    session = await world.start(streak_bonus=True)

    for turn, answer in enumerate(["B", "AC", "3.14"]):
        await world.answer(session, answer, turn=turn)
        await world.onward(session, turn)

    points = [r.points for r in await world.store.responses(session.id, world.ann.id)]
    assert points == [100, 110, 120]


async def test_a_room_that_may_not_be_written_to_pauses_and_tells_the_starter(world: World):
    session = await world.start(Mode.LIVE, seconds=10)
    world.chat.refuse = {Role.REVEAL: "no permission"}

    await world.watch.move_to(later(20))
    paused = await world.stored(session)
    world.chat.refuse = {}
    await world.host.steer(session.id, Resumed(by=world.ann.id, at=world.watch.now()))

    assert paused.phase is Phase.PAUSED
    assert not paused.active
    assert "Allow me" in world.chat.panels(Role.NOTICE)[0].body[0]
    assert len(world.chat.panels(Role.REVEAL)) == 1


async def test_a_pause_nobody_can_be_told_of_is_still_a_pause(world: World):
    world.chat.refuse = dict.fromkeys(Role, "blocked")

    session = await world.start(Mode.LIVE)
    own = await world.start(by=world.ben)

    assert (await world.stored(session)).phase is Phase.PAUSED
    assert (await world.stored(own)).phase is Phase.PAUSED


async def test_a_paused_quiz_cannot_take_a_room_that_is_taken_again(world: World):
    first = await world.start(Mode.LIVE)
    await world.host.steer(first.id, Paused(by=world.ann.id, at=later(1)))
    await world.start(Mode.LIVE)

    await world.host.steer(first.id, Resumed(by=world.ann.id, at=later(2)))

    assert (await world.stored(first)).phase is Phase.PAUSED
    assert "already running" in world.chat.last.panel.body[0]


async def test_an_answer_during_a_pause_is_told_to_wait(world: World):
    session = await world.start(Mode.LIVE)
    await world.host.steer(session.id, Paused(by=world.ann.id, at=later(1)))

    assert await world.answer(session, "B") is Refusal.PAUSED


async def test_skip_and_stop_always_work(world: World):
    session = await world.start()

    await world.host.steer(session.id, Skipped(turn=0, by=world.ann.id, at=later(1)))
    await world.host.steer(session.id, Stopped(by=world.ann.id, at=later(2)))

    assert world.chat.panels(Role.REVEAL)[0].heading == "Skipped"
    assert world.chat.last.panel.heading == "Stopped"
    assert (await world.stored(session)).phase is Phase.FINISHED


async def test_after_a_restart_everything_goes_on_where_it_stood(world: World):
    live = await world.start(Mode.LIVE, seconds=10)
    solo = await world.start(by=world.ben)
    await world.answer(live, "B", by=world.ann)

    await world.host.close()
    taken = await world.restart().recover()
    await world.watch.move_to(later(11.5))

    assert taken == 2
    assert [p.panel.role for p in world.chat.posts] == [Role.REVEAL]
    assert await world.answer(solo, "B", by=world.ben) is None


async def test_a_response_that_was_committed_before_the_end_gets_its_verdict(world: World):
    session = await world.start()
    await world.host.close()
    other = World(world.room, world.ann, world.ben, world.store, world.pack)
    given = Given(session=session.id, turn=0, answer="B", by=world.ann, at=later(1))
    chosen = Chosen(frozenset({1}))
    left = respond(await world.stored(session), [CHOICE], given, chosen, zone=world.room.zone)
    await world.store.record(left)

    await other.host.recover()

    assert other.chat.last.panel.role is Role.REVEAL
    assert other.chat.last.panel.tone is Tone.RIGHT


async def test_sessions_of_other_chats_are_left_alone(world: World):
    elsewhere = await world.store.room(Alias(platform="other", external="x"))
    host = Host(
        store=world.store,
        clock=world.watch,
        library=Library([world.pack]),
        chats={"other": Recorder()},
        seeds=count(5).__next__,
    )
    await host.start(
        Wish(pack=world.pack, rules=Rules(mode=Mode.LIVE)), room=elsewhere, by=world.ann
    )
    await host.close()

    assert await world.host.recover() == 0


async def test_a_pack_that_is_gone_pauses_its_quiz_and_stop_works(world: World):
    session = await world.start()
    world.restart(Pack(editions=(edition(CHOICE, pack="other"),)))

    await world.host.take_up(await world.stored(session))
    await world.host.steer(session.id, Resumed(by=world.ann.id, at=later(1)))
    paused = await world.stored(session)
    await world.host.steer(session.id, Stopped(by=world.ann.id, at=later(2)))

    assert paused.phase is Phase.PAUSED
    assert (await world.stored(session)).phase is Phase.FINISHED


@pytest.mark.parametrize("mode", [Mode.SOLO, Mode.LIVE])
async def test_an_item_that_is_gone_is_passed_over_when_its_pack_is_still_there(
    world: World, mode: Mode
):
    session = await world.start(mode)
    world.restart(Pack(editions=(edition(*ITEMS[1:]),)))

    await world.host.steer(session.id, Skipped(turn=0, by=world.ann.id, at=later(1)))

    now = await world.stored(session)
    assert (now.phase, now.turn) == (Phase.OPEN, 1)


async def test_who_finds_all_items_gone_is_told_how_the_quiz_ended(world: World):
    session = await world.start()
    world.restart(Pack(editions=(edition(replace(CHOICE, id=ItemId("new"))),)))

    assert await world.answer(session, "B") is None

    assert (await world.stored(session)).phase is Phase.FINISHED
    assert world.chat.last.panel.role is Role.SUMMARY


@pytest.mark.parametrize("mode", [Mode.LIVE, Mode.RELAXED])
async def test_nobody_moves_a_room_on_by_answering_an_item_that_is_gone(world: World, mode: Mode):
    session = await world.start(mode)
    await world.answer(session, "B")
    world.restart(Pack(editions=(edition(*ITEMS[1:]),)))

    why = await world.answer(session, "B", by=world.ben)

    now = await world.stored(session)
    assert why is Refusal.CLOSED
    assert (now.phase, now.turn) == (Phase.OPEN, 0)
    assert world.chat.last.to == world.ben


async def test_an_answer_to_an_item_that_is_gone_brings_the_next_one(world: World):
    session = await world.start()
    world.restart(Pack(editions=(edition(*ITEMS[1:]),)))

    assert await world.answer(session, "B") is None

    now = await world.stored(session)
    assert (now.phase, now.turn) == (Phase.OPEN, 1)
    assert world.chat.last.panel.role is Role.QUESTION


async def test_two_hosts_over_one_store_close_a_turn_once(world: World):
    session = await world.start(Mode.LIVE, seconds=10)
    other = World(world.room, world.ann, world.ben, world.store, world.pack, watch=world.watch)
    await other.host.recover()

    await world.watch.move_to(later(11.5))
    await settle()

    revealed = world.chat.panels(Role.REVEAL) + other.chat.panels(Role.REVEAL)
    await other.host.close()
    assert len(revealed) == 1
    assert (await world.stored(session)).closed == 1


async def test_an_answer_for_a_turn_that_moved_on_elsewhere_is_seen_in_the_store(world: World):
    session = await world.start()
    other = World(world.room, world.ann, world.ben, world.store, world.pack, watch=world.watch)
    await other.answer(session, "B")
    await other.onward(session, 0)

    why = await world.answer(session, "AC", turn=1)

    assert why is None


async def test_a_hundred_people_answering_at_once_are_all_counted(world: World):
    session = await world.start(Mode.LIVE)
    people = [
        await world.store.participant(Alias(platform="test", external=str(n)), name=f"P{n}")
        for n in range(100)
    ]

    await asyncio.gather(*(world.answer(session, "B", by=person) for person in people))

    tally = await world.store.tally(session.id, 0)
    assert (tally.answered, tally.correct) == (100, 100)


async def test_a_turn_that_closed_in_another_process_meanwhile_takes_no_answer(world: World):
    session = await world.start(Mode.RELAXED)
    await world.answer(session, "B", by=world.ben)
    other = World(world.room, world.ann, world.ben, world.store, world.pack, watch=world.watch)
    await other.onward(session, 0)

    late = await world.answer(session, "B")
    again = await world.answer(session, "C", by=world.ben)

    assert (late, again) == (Refusal.CLOSED, Refusal.ALREADY)


async def test_an_answer_told_twice_is_taken_once_and_goes_on(world: World):
    session = await world.start()
    given = Given(session=session.id, turn=0, answer="A", by=world.ann, at=later(1))
    chosen = Chosen(frozenset({1}))
    committed = respond(await world.stored(session), [CHOICE], given, chosen, zone=world.room.zone)
    await world.store.record(committed)

    why = await world.answer(session, "A")

    assert why is None
    assert world.chat.last.panel.tone is Tone.RIGHT


async def test_an_answer_to_a_quiz_whose_pack_is_gone_is_told_so(world: World):
    session = await world.start()
    world.restart(Pack(editions=(edition(CHOICE, pack="other"),)))

    assert await world.answer(session, "B") is Refusal.GONE


class Collector(Recorder):
    """A chat whose platform keeps answers by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.collected: list[int] = []
        self.fails = False

    async def collect(self, session: Session, room: Room, *, steered: bool) -> None:  # noqa: ARG002
        if self.fails:
            raise DeliveryError(Trouble.UNREACHABLE.value, room.title)
        self.collected.append(session.turn)


async def test_votes_a_platform_keeps_are_fetched_before_a_turn_closes(world: World):
    chat = Collector()
    world.use(chat)
    session = await world.start(Mode.LIVE, seconds=10, pause=5, style="poll")

    await world.watch.move_to(later(11.5))
    await world.watch.move_to(later(16.5))
    chat.fails = True
    await world.host.steer(
        session.id, Stopped(by=world.ben.id, at=world.watch.now(), moderator=True)
    )

    assert chat.collected == [0]
    assert (await world.stored(session)).phase is Phase.FINISHED


@pytest.mark.parametrize("by", ["stranger", "old turn"])
async def test_votes_are_not_fetched_for_what_closes_nothing(world: World, by: str):
    chat = Collector()
    world.use(chat)
    session = await world.start(Mode.RELAXED, style="poll")

    person = world.ben if by == "stranger" else world.ann
    turn = 0 if by == "stranger" else 5
    await world.host.steer(session.id, Skipped(turn=turn, by=person.id, at=later(1)))
    await world.host.steer(SessionId("nope"), Stopped(by=person.id, at=later(1)))

    assert chat.collected == []


async def test_a_bug_in_a_private_word_disturbs_nobody(world: World):
    class Broken(Recorder):
        async def show(self, post: Post) -> str:
            if post.panel.role is Role.RECEIPT:
                raise RuntimeError
            return await super().show(post)

    world.use(Broken())
    session = await world.start(Mode.LIVE)

    await world.answer(session, "B")

    assert (await world.stored(session)).phase is Phase.OPEN


async def test_a_bug_in_a_question_pauses_the_quiz_with_a_word(world: World):
    class Broken(Recorder):
        async def show(self, post: Post) -> str:
            if post.panel.role is Role.QUESTION:
                raise RuntimeError
            return await super().show(post)

    chat = Broken()
    world.use(chat)
    session = await world.start(Mode.LIVE)

    assert (await world.stored(session)).trouble is Trouble.MISHAP
    assert "my side" in chat.last.panel.body[0]


async def test_a_store_that_fails_in_the_middle_is_not_hidden(world: World):
    class Full(Recorder):
        async def show(self, post: Post) -> str:
            raise StoreError(post.room.title)

    world.use(Full())

    with pytest.raises(StoreError):
        await world.start()


async def test_who_is_forgotten_is_not_written_to(world: World):
    session = await world.start(Mode.LIVE)
    await world.store.forget(world.ben.id)

    await world.host.steer(session.id, Stopped(by=world.ben.id, at=later(1)))

    assert world.chat.last.panel.role is Role.QUESTION


async def test_only_so_many_sessions_are_remembered(world: World):
    recall = Recall(world.store, world.host.shelves)
    first = session(room=world.room.id, starter=world.ann.id)
    for number in range(MOST + 1):
        recall.put(replace(first, id=SessionId(str(number))))

    assert await recall.get(SessionId("0")) is None
    assert await recall.get(SessionId("1"))


async def test_a_chat_that_keeps_no_votes_is_not_asked_for_any(world: World):
    session = await world.start(Mode.LIVE, seconds=10, style="poll")

    await world.watch.move_to(later(11.5))

    assert (await world.stored(session)).phase is Phase.REVEALED


async def test_a_response_of_somebody_unknown_is_confirmed_to_nobody(world: World):
    session = await world.start(Mode.LIVE)
    ghost = Responded(turn=0, at=later(1), participant=ParticipantId("ghost"))

    await world.host.handle(session.id, ghost)

    assert world.chat.last.panel.role is Role.QUESTION
