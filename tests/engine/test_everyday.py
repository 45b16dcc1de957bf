"""The daily question of a room: switched on, posted, answered, revealed, switched off."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from adapters.storage import MemoryStore
from bot.actions import Action, Verb
from bot.appointments import ZONES
from bot.commands import Place
from bot.dailies import Daily, Schedule, session_of
from bot.effects import Refusal, Trouble
from bot.errors import StoreError
from bot.events import Stopped
from bot.features import Feature, Tools
from bot.host import Host
from bot.ids import ItemId, PackId, RoomId, SessionId
from bot.modes import Mode
from bot.packs import Library, Pack
from bot.panels import Panel, Role
from bot.people import Participant, Settings
from bot.requests import Reply, Request
from bot.session import DAILY, Phase, Session
from bot.submissions import Chosen
from bot.text import plain
from tests.helpers.doubles import Recorder, settle
from tests.helpers.samples import CHOICE, MULTI, NUMBER, TRUE, edition
from tests.helpers.worlds import World, small_world

DAY = timedelta(days=1)
HERE = {"test"}
FIRST = datetime(2026, 3, 5, 0, 30, tzinfo=UTC)  # 07:30 in Jakarta on a Thursday


@pytest.fixture
async def world() -> AsyncIterator[World]:
    here = await small_world()
    here.pack = Pack(editions=(edition(CHOICE),))
    here.restart()
    yield here
    await here.host.close()


def asking(world: World, by: Participant | None = None, **more: object) -> Request:
    given = {"place": Place.ROOM, "moderator": True} | more
    return Request(room=world.room, person=by or world.ann, **given)  # type: ignore[arg-type]


async def daily(world: World, rest: str, **more: object) -> str:
    reply = await world.desk.obey(asking(world, **more), "daily", rest)
    assert reply
    return said(reply.panel)


async def press(world: World, value: str, **more: object) -> Reply:
    reply = await world.desk.press(asking(world, **more), Action(verb=Verb.DAILY, value=value))
    assert reply
    return reply


def said(panel: Panel) -> str:
    texts = (panel.heading, panel.progress, *map(plain, (*panel.body, *panel.notes)))
    return "\n".join(filter(None, texts))


async def at(world: World, when: datetime) -> None:
    await world.watch.move_to(when)
    await world.desk.tick(HERE)
    await settle()


async def today(world: World) -> Session:
    found = await world.store.open_session(world.room.id, DAILY)
    assert found
    return found


def kept(world: World) -> Daily:
    return world.store._dailies[world.room.id]  # noqa: SLF001 - the memory store has no other way


# ---------------------------------------------------------------- switched on and off


async def test_the_first_question_is_announced_with_its_local_time_and_zone(world: World):
    told = await daily(world, "set 07:30 WIB weekdays")

    assert "From Monday to Friday at 07:30 (WIB · Jakarta), from all quizzes in turn." in told
    assert "The first one comes on Thursday, 5 March, 07:30." in told
    assert kept(world).next_at == FIRST


async def test_without_a_time_zone_one_is_asked_for_and_never_made_up(world: World):
    reply = await world.desk.obey(asking(world), "daily", "set 07:30 mon mixed")
    assert reply
    labels = {button.label: button.action for button in reply.panel.buttons}

    assert "In which time zone is it 07:30?" in said(reply.panel)
    assert list(labels) == [label for _, label in ZONES]
    assert await world.store.daily(world.room.id) is None
    chosen = await world.desk.press(asking(world), labels["Los Angeles"])
    assert chosen
    assert chosen.replaces
    assert "Monday at 07:30 (Los Angeles), from A mixed pack." in said(chosen.panel)


async def test_the_zone_of_the_room_or_the_one_before_need_not_be_said_again(world: World):
    settings = Settings(time_zone="Asia/Makassar")
    room = replace(world.room, settings=settings)

    await world.desk.obey(replace(asking(world), room=room), "daily", "set 07:30")
    assert kept(world).schedule.zone == "Asia/Makassar"
    await daily(world, "set 08:00")
    assert kept(world).schedule == Schedule(minute=480, zone="Asia/Makassar")
    await daily(world, "set 08:00 UTC")
    assert kept(world).schedule.zone == "UTC"


async def test_tags_that_fit_into_no_button_are_asked_for_in_words(world: World):
    tags = " ".join(f"#tag{n}" for n in range(12))
    tagged = Pack(editions=(edition(CHOICE, tags=("tag3",)),))
    world.restart(tagged)

    reply = await world.desk.obey(asking(world), "daily", f"set 07:30 {tags}")

    assert reply
    assert reply.panel.buttons == ()
    assert "Europe/Paris" in said(reply.panel)


async def test_only_moderators_switch_it_and_everybody_may_look(world: World):
    for rest in ("set 07:30 WIB", "off"):
        assert "Only a moderator" in await daily(world, rest, moderator=False)
    assert "There is no daily question here" in await daily(world, "", moderator=False)
    assert (await press(world, "off", moderator=False)).replaces is False
    assert await world.store.daily(world.room.id) is None


async def test_it_is_for_rooms_and_what_is_not_understood_is_explained(world: World):
    assert "for groups and channels" in await daily(world, "", place=Place.PRIVATE)
    for rest in ("set", "tomorrow"):
        assert "`/daily set 07:30`" not in (told := await daily(world, rest))
        assert "/daily set 07:30 asks one question every day" in told
    assert "I know no quiz called “Zzz”." in await daily(world, "set 07:30 UTC Zzz")
    assert "Did you mean mixed?" in await daily(world, "set 07:30 UTC mixet")


async def test_forged_buttons_do_nothing(world: World):
    for value in (
        "",
        "set",
        "set,1,0,,",
        "set,x,0,0,",
        "set,1440,0,0,",
        "set,1,0,99,",
        "set,1,7,0,",
    ):
        reply = await press(world, value)
        if value == "set,1,0,,":
            assert "In which time zone" in said(reply.panel)
        else:
            assert "This quiz is over" in said(reply.panel)
    assert await world.store.daily(world.room.id) is None


async def test_a_time_is_suggested_and_a_button_switches_off(world: World):
    reply = await world.desk.obey(asking(world), "daily", "")
    assert reply
    assert [button.label for button in reply.panel.buttons] == ["06:00", "07:30", "12:00", "19:00"]

    zones = await world.desk.press(asking(world), reply.panel.buttons[1].action)
    assert zones
    await world.desk.press(asking(world), zones.panel.buttons[0].action)
    shown = await world.desk.obey(asking(world), "daily", "")
    assert shown
    assert "The next one comes on Thursday, 5 March, 07:30." in said(shown.panel)
    (off,) = shown.panel.buttons
    done = await world.desk.press(asking(world), off.action)

    assert done
    assert done.replaces
    assert "There is no daily question any more." in said(done.panel)
    assert kept(world).next_at is None


# ---------------------------------------------------------------- a day and the next


async def test_a_day_from_the_question_to_the_answer_next_morning(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST - timedelta(seconds=1))
    assert world.chat.posts == []

    await at(world, FIRST)
    await at(world, FIRST + timedelta(seconds=5))
    (question,) = world.chat.panels(Role.QUESTION)
    session = await today(world)
    await world.answer(session, Chosen(frozenset({1})))
    await world.answer(session, Chosen(frozenset({0})), by=world.ben)
    right, wrong = world.chat.panels(Role.RECEIPT)
    await world.watch.move_to(FIRST + DAY)
    await world.desk.tick(HERE)

    assert (question.heading, question.progress) == ("Daily question", "Thursday, 5 March")
    assert question.form
    assert question.form.style == "buttons"
    assert question.form.seconds is None
    assert (right.heading, wrong.heading) == ("Right!", "Not quite")
    assert "Jakarta has been" not in said(right) + said(wrong)
    assert "The answer and why come with the next question." in said(wrong)
    (reveal,) = world.chat.panels(Role.REVEAL)
    assert (reveal.heading, reveal.progress) == (
        "The answer to the daily question",
        "Thursday, 5 March",
    )
    assert "Jakarta has been the capital since 1945." in said(reveal)
    assert "1 of 2 answers was right." in said(reveal) or "1 of 2 answers were right." in said(
        reveal
    )
    assert "Right: Ann" in said(reveal)
    assert "Fastest" not in said(reveal)
    assert world.chat.panels()[-2:] == [reveal, world.chat.panels(Role.QUESTION)[1]]
    old = await world.stored(session)
    assert (old.phase, old.closed) == (Phase.FINISHED, 1)
    assert (await today(world)).id == session_of(world.room.id, date(2026, 3, 6))
    board = await world.desk.leaderboard(asking(world))
    assert [(row.name, row.points) for row in board.panel.standings] == [("Ann", 100), ("Ben", 0)]


async def test_streaks_are_named_from_three_days_on_and_the_month_has_a_standing(world: World):
    await daily(world, "set 07:30 WIB")
    for number in range(4):
        await at(world, FIRST + number * DAY)
        session = await today(world)
        await world.answer(session, Chosen(frozenset({1})))
        if number != 1:
            await world.answer(session, Chosen(frozenset({0})), by=world.ben)
    await at(world, FIRST + 4 * DAY)

    reveals = [said(panel) for panel in world.chat.panels(Role.REVEAL)]
    assert "In a row" not in reveals[1]
    assert "🔥 In a row: Ann 3 days" in reveals[2]
    assert "🔥 In a row: Ann 4 days, Ben 3 days" in reveals[3]
    told = await daily(world, "")
    assert "March 2026\n🥇 Ann · 4 right, 4 of 4 days\n🥈 Ben · 0 right, 3 of 4 days" in told
    assert "Your streak: 4 days" in told
    assert "Your streak: 3 days" in await daily(world, "", by=world.ben)
    await daily(world, "off")
    await at(world, datetime(2026, 4, 2, tzinfo=UTC))
    assert "2026" not in await daily(world, "")


async def test_two_missed_days_in_a_week_end_a_streak(world: World):
    await daily(world, "set 07:30 WIB")
    for number in range(11):  # from Thursday to the Sunday of the week after
        await at(world, FIRST + number * DAY)
        if number not in {5, 7}:
            await world.answer(await today(world), Chosen(frozenset({1})))
    await at(world, FIRST + 11 * DAY)

    reveals = [said(panel) for panel in world.chat.panels(Role.REVEAL)]
    assert "Ann 5 days" in reveals[4]
    assert "Ann 6 days" in reveals[6]
    assert "In a row: Ann 4 days" in reveals[10]  # Wednesday, and from Friday on


async def test_of_many_who_were_right_ten_are_named(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    session = await today(world)
    people = [replace(world.ann, id=f"p{n:02}", name=f"P{n:02}") for n in range(22)]  # type: ignore[arg-type]
    world.store._participants.update({one.id: one for one in people})  # noqa: SLF001
    for person in people:
        await world.answer(session, Chosen(frozenset({1})), by=person)
    await at(world, FIRST + DAY)

    (reveal,) = world.chat.panels(Role.REVEAL)
    assert "Right: P00, P01, P02, P03, P04, P05, P06, P07, P08, P09 and 12 more" in said(reveal)
    told = await daily(world, "", by=people[21])
    assert told.count("1 right, 1 of 1 days") == 11
    assert "P21" in told
    assert "and 11 more" in told


async def test_a_quiz_can_run_at_the_same_time_and_commands_leave_the_daily_alone(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    asked = await today(world)

    for command in (world.desk.stop, world.desk.skip, world.desk.resume):
        reply = await command(asking(world))
        assert reply
        assert "There is no quiz here" in said(reply.panel)
    quiz = await world.start(Mode.LIVE)
    await world.desk.stop(asking(world))

    assert (await world.stored(asked)).phase is Phase.OPEN
    assert (await world.stored(quiz)).phase is Phase.FINISHED


async def test_nothing_repeats_until_everything_was_asked(world: World):
    a = Pack(editions=(edition(CHOICE, pack="a"),))
    b = Pack(editions=(edition(MULTI, TRUE, NUMBER, pack="b"),))
    world.restart(a, b)
    await daily(world, "set 07:30 WIB")
    items = []
    for number in range(8):
        await at(world, FIRST + number * DAY)
        items.append((await today(world)).item)

    assert len(set(items[:4])) == len(set(items[4:])) == 4


# ---------------------------------------------------------------- days that are different


async def test_what_was_missed_is_made_up_on_the_same_date_and_otherwise_left_out(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST + timedelta(hours=9))
    made_up = await today(world)
    assert made_up.id == session_of(world.room.id, date(2026, 3, 5))
    assert made_up.deadline == FIRST + DAY

    await world.watch.move_to(FIRST + DAY + timedelta(hours=17))  # 00:30 on Saturday
    await world.desk.tick(HERE)

    assert len(world.chat.panels(Role.QUESTION)) == 1
    assert (await world.stored(made_up)).phase is Phase.FINISHED
    assert kept(world).next_at == FIRST + 2 * DAY
    await at(world, FIRST + 2 * DAY)
    assert len(world.chat.panels(Role.QUESTION)) == 2


async def test_another_time_holds_from_the_next_date_on_and_closes_what_is_open(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    await daily(world, "set 09:00 WIB")
    await at(world, FIRST + timedelta(hours=2))
    assert len(world.chat.panels(Role.QUESTION)) == 1

    await daily(world, "set 06:00 WIB")
    await at(world, FIRST + DAY - timedelta(minutes=90))

    assert [panel.role for panel in world.chat.panels()] == [
        Role.QUESTION,
        Role.REVEAL,
        Role.QUESTION,
    ]


async def test_switched_off_it_says_how_long_the_last_one_is_open_and_then_its_answer(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    told = await daily(world, "off")
    assert "The last one stays open until Friday, 6 March, 07:30; its answer comes then." in told
    assert "Your streak" not in await daily(world, "")

    await at(world, FIRST + DAY)

    assert len(world.chat.panels(Role.REVEAL)) == 1
    assert len(world.chat.panels(Role.QUESTION)) == 1
    assert "There is no daily question any more." in await daily(world, "off")


async def test_what_could_not_be_posted_is_tried_again_in_silence(world: World):
    await daily(world, "set 07:30 WIB")
    world.chat.refuse[Role.QUESTION] = Trouble.UNREACHABLE.value
    await at(world, FIRST)
    world.chat.refuse.clear()
    await at(world, FIRST + timedelta(seconds=60))
    assert world.chat.posts == []

    await at(world, FIRST + timedelta(seconds=125))

    assert [panel.role for panel in world.chat.panels()] == [Role.QUESTION]
    assert (await today(world)).deadline == FIRST + DAY


async def test_what_could_not_be_posted_all_day_is_left_out(world: World):
    await daily(world, "set 07:30 WIB")
    world.chat.refuse[Role.QUESTION] = Trouble.UNREACHABLE.value
    await at(world, FIRST)
    world.chat.refuse.clear()
    await at(world, FIRST + timedelta(hours=17))
    assert world.chat.posts == []

    await at(world, FIRST + DAY)

    assert [panel.progress for panel in world.chat.panels()] == ["Friday, 6 March"]
    assert list(await world.store.daily_days(world.room.id, date(2026, 1, 1))) == [date(2026, 3, 6)]


async def test_an_answer_that_could_not_be_shown_comes_before_the_next_question(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    world.chat.refuse[Role.REVEAL] = Trouble.UNREACHABLE.value
    await at(world, FIRST + DAY)
    assert len(world.chat.panels(Role.QUESTION)) == 1
    world.chat.refuse.clear()
    await at(world, FIRST + DAY + timedelta(minutes=5))

    roles = [panel.role for panel in world.chat.panels()]
    assert roles == [Role.QUESTION, Role.REVEAL, Role.QUESTION]


async def test_an_answer_that_cannot_be_shown_for_an_hour_gives_way(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    world.chat.refuse[Role.REVEAL] = Trouble.MISHAP.value
    await at(world, FIRST + DAY)
    await at(world, FIRST + DAY + timedelta(hours=2))

    assert [panel.role for panel in world.chat.panels()] == [Role.QUESTION, Role.QUESTION]


async def test_where_the_bot_may_not_write_it_is_switched_off_and_its_starter_told(world: World):
    await daily(world, "set 07:30 WIB")
    world.chat.refuse[Role.QUESTION] = Trouble.NO_PERMISSION.value
    await at(world, FIRST)
    (told,) = world.chat.posts
    await at(world, FIRST + timedelta(seconds=5))

    assert "I may not write the daily question any more." in said(told.panel)
    assert kept(world).next_at is None
    world.chat.refuse.clear()
    (button,) = told.panel.buttons
    reply = await world.desk.press(asking(world, by=world.ben, moderator=False), button.action)
    assert reply
    assert "Only a moderator" in said(reply.panel)
    reply = await world.desk.press(asking(world, moderator=False), button.action)
    assert reply
    assert "The first one comes on Friday, 6 March, 07:30." in said(reply.panel)
    await at(world, FIRST + DAY)
    assert len(world.chat.panels(Role.QUESTION)) == 1


async def test_a_room_that_goes_while_its_answer_is_shown_ends_the_daily(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    world.chat.refuse[Role.REVEAL] = Trouble.ROOM_GONE.value
    await daily(world, "set 07:00 WIB")
    await at(world, FIRST + DAY - timedelta(minutes=30))
    await at(world, FIRST + DAY - timedelta(minutes=29))

    assert len(world.chat.panels(Role.QUESTION)) == 1
    assert kept(world).next_at is None
    assert "The place of the daily question is gone." in said(world.chat.last.panel)


async def test_a_pack_that_is_gone_ends_the_daily_with_a_word(world: World):
    await daily(world, "set 07:30 WIB mixed")
    other = Pack(editions=(edition(CHOICE, pack="other"),))
    world.restart(other)
    await at(world, FIRST)

    (told,) = world.chat.panels()
    assert "The quiz that the daily question is from is gone." in said(told)
    assert kept(world).next_at is None
    assert "from mixed." not in await daily(world, "set 07:30 WIB mixed")
    reply = await world.desk.press(asking(world), told.buttons[0].action)
    assert reply
    assert "The quiz that the daily question is from is gone." in said(reply.panel)
    assert kept(world).next_at is None


async def test_one_answer_to_a_question_that_is_gone_does_not_end_the_daily(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    session = await today(world)
    await world.answer(session, Chosen(frozenset({1})))
    world.restart(Pack(editions=(edition(replace(CHOICE, id=ItemId("new"))),)))

    assert await world.answer(session, Chosen(frozenset({1})), by=world.ben) is Refusal.CLOSED
    assert (await world.stored(session)).phase is Phase.OPEN
    await at(world, FIRST + DAY)

    assert (await world.stored(session)).closed == 1
    assert kept(world).next_at


async def test_a_word_that_cannot_be_said_harms_nobody(world: World):
    await daily(world, "set 07:30 WIB mixed")
    world.restart(Pack(editions=(edition(CHOICE, pack="other"),)))
    world.chat.refuse[Role.NOTICE] = Trouble.ROOM_GONE.value

    await at(world, FIRST)

    assert kept(world).next_at is None


async def test_a_button_of_a_daily_that_never_was_is_refused(world: World):
    action = Action(verb=Verb.DAILY, session=SessionId("gone"), value="again")

    reply = await world.desk.press(asking(world), action)

    assert reply
    assert "This quiz is over" in said(reply.panel)


# ---------------------------------------------------------------- two at once, and crashes


class Contested(MemoryStore):
    """A store in which somebody else is a little faster, once."""

    faster: Daily | None = None

    async def change_daily(self, before: Daily | None, after: Daily) -> bool:
        self._overtake(after.room)
        return await super().change_daily(before, after)

    async def open_daily(self, before: Daily, after: Daily, session: Session) -> bool:
        self._overtake(after.room)
        return await super().open_daily(before, after, session)

    def _overtake(self, room: RoomId) -> None:
        if self.faster:
            self._dailies[room], self.faster = self.faster, None


async def test_who_is_overtaken_looks_again_before_changing_anything():
    store = Contested()
    world = await small_world(store)
    world.restart(Pack(editions=(edition(CHOICE),)))
    await daily(world, "set 07:30 WIB")
    known = kept(world)

    store.faster = replace(known, last=date(2026, 3, 6))
    await daily(world, "set 08:00 WIB")
    assert (kept(world).last, kept(world).schedule.minute) == (date(2026, 3, 6), 480)
    store.faster = known
    await daily(world, "off")
    assert kept(world) == replace(known, next_at=None)
    await daily(world, "set 07:30 WIB")
    store.faster = replace(kept(world), next_at=None)
    await at(world, FIRST)
    assert world.chat.posts == []
    await world.host.close()


async def test_a_command_that_nobody_knows_shows_the_help(world: World):
    reply = await world.desk.obey(asking(world), "dance", "")

    assert reply
    assert "/daily" in said(reply.panel)


async def test_a_feature_that_says_it_can_do_something_must_be_able_to(world: World):
    tools = Tools(host=world.host, store=world.store, library=Library(), clock=world.watch)
    bare = Feature(tools)

    await bare.tick(HERE)
    with pytest.raises(NotImplementedError):
        await bare.obey(asking(world), "dance", "")
    with pytest.raises(NotImplementedError):
        await bare.press(asking(world), Action(verb=Verb.DAILY))


async def test_switching_off_what_is_not_on_is_fine(world: World):
    assert "There is no daily question any more." in await daily(world, "off")


async def test_of_two_processes_that_look_at_once_one_posts(world: World):
    await daily(world, "set 07:30 WIB")
    other = Recorder()
    first, chat = world.desk, world.chat
    world.use(other)
    await world.watch.move_to(FIRST)

    await asyncio.gather(first.tick(HERE), world.desk.tick(HERE))
    await settle()

    assert len(chat.posts) + len(other.posts) == 1


async def test_a_day_whose_session_exists_is_not_asked_again(world: World):
    await daily(world, "set 07:30 WIB")
    before = kept(world)
    await at(world, FIRST)
    await world.host.steer(
        (await today(world)).id, Stopped(at=FIRST, by=world.ann.id, moderator=True)
    )
    world.store._dailies[world.room.id] = before  # noqa: SLF001 - as from a backup
    await at(world, FIRST + timedelta(seconds=5))

    assert len(world.chat.panels(Role.QUESTION)) == 1
    assert kept(world).last == date(2026, 3, 5)


async def test_a_place_that_is_taken_meanwhile_is_left_alone(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    before = kept(world)
    world.store._dailies[world.room.id] = replace(  # noqa: SLF001 - a session nobody knows of
        before, session=SessionId(""), next_at=FIRST + DAY - timedelta(hours=1)
    )
    await daily(world, "set 06:30 WIB")
    await at(world, FIRST + DAY - timedelta(hours=1))

    assert len(world.chat.panels(Role.QUESTION)) == 1


async def test_a_process_that_dies_after_the_claim_is_followed_by_one_that_posts(world: World):
    await daily(world, "set 07:30 WIB")
    begin = Host.begin

    async def die(*_: object) -> None:
        raise StoreError

    Host.begin = die  # type: ignore[assignment]
    try:
        await world.watch.move_to(FIRST)
        with pytest.raises(StoreError):
            await world.desk.tick(HERE)
    finally:
        Host.begin = begin  # type: ignore[method-assign]
    world.restart()
    await world.desk.tick(HERE)
    assert world.chat.posts == []
    await world.host.recover()
    await world.desk.tick(HERE)

    assert [panel.role for panel in world.chat.panels()] == [Role.QUESTION]


async def test_a_question_that_nobody_saw_in_time_is_not_shown_the_day_after(world: World):
    await daily(world, "set 07:30 WIB")
    world.chat.refuse[Role.QUESTION] = Trouble.UNREACHABLE.value
    await at(world, FIRST)
    session = await today(world)
    stuck = replace(session, phase=Phase.ASKING, paused_in=None, trouble=None)
    assert await world.store.save(session, stuck)
    world.restart()
    await world.watch.move_to(FIRST + timedelta(hours=17))  # past midnight
    await world.host.recover()
    await world.desk.tick(HERE)
    assert world.chat.posts == []
    await at(world, FIRST + DAY)

    assert [panel.progress for panel in world.chat.panels()] == ["Friday, 6 March"]


async def test_a_room_that_fails_for_a_reason_nobody_thought_of_harms_no_other(
    world: World, caplog: pytest.LogCaptureFixture
):
    await daily(world, "set 07:30 WIB")
    broken = replace(kept(world), room="nowhere")
    world.store._dailies["nowhere"] = broken  # type: ignore[index] # noqa: SLF001
    world.store._rooms["nowhere"] = replace(world.room, id="nowhere")  # type: ignore[index,arg-type] # noqa: SLF001
    good = world.store.daily_days

    async def days(room: str, since: date) -> object:
        if room == "nowhere":
            raise ZeroDivisionError
        return await good(room, since)  # type: ignore[arg-type]

    world.store.daily_days = days  # type: ignore[method-assign,assignment]
    await at(world, FIRST)

    assert len(world.chat.panels(Role.QUESTION)) == 1
    assert "daily question failed" in caplog.text


async def test_somebody_who_is_forgotten_leaves_the_daily_to_the_room(world: World):
    await daily(world, "set 07:30 WIB")
    await world.store.forget(world.ann.id)
    await at(world, FIRST)

    assert len(world.chat.panels(Role.QUESTION)) == 1
    assert kept(world).starter == ""


async def test_late_and_double_answers_are_told(world: World):
    await daily(world, "set 07:30 WIB")
    await at(world, FIRST)
    session = await today(world)
    await world.answer(session, Chosen(frozenset({1})))

    assert await world.answer(session, Chosen(frozenset({0}))) is Refusal.ALREADY
    await at(world, FIRST + DAY)
    assert await world.answer(session, Chosen(frozenset({0})), by=world.ben) is Refusal.CLOSED
    (response,) = await world.store.responses(session.id, world.ann.id)
    assert response.elapsed == 0
    assert session.pack == PackId("mixed")
