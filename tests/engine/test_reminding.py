"""Reminders: asked for, sent once a day at the right hour, and gone when nobody minds them."""

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import Action, Verb
from bot.commands import Place
from bot.effects import Trouble
from bot.errors import StoreError
from bot.ids import ParticipantId, RoomId
from bot.packs import Pack
from bot.panels import Panel, Role
from bot.people import Alias, Settings
from bot.reminders import (
    PATIENCE,
    Reminder,
    following,
    quiet,
    read_time,
    read_zone,
    shown_time,
    timely,
)
from tests.engine.test_desk import asks, said
from tests.engine.test_reviewing import WRONG, command, item, labels, press, study, through
from tests.helpers.samples import edition
from tests.helpers.worlds import World

__all__ = ["study"]

JAKARTA, BERLIN = "Asia/Jakarta", "Europe/Berlin"
HOURS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001
MINUTES = st.integers(0, 24 * 60 - 1)
ZONES = st.sampled_from([JAKARTA, BERLIN, "America/New_York", "UTC", "Australia/Lord_Howe"])


# ------------------------------------------------------------ rules


@given(MINUTES, ZONES, HOURS)
def test_the_next_reminder_is_within_a_day_and_at_that_minute(
    minute: int, zone: str, now: datetime
):
    at = following(minute, zone, now)

    assert now < at <= now + timedelta(hours=26)
    reminder = Reminder(
        participant=ParticipantId("p"), room=RoomId("r"), minute=minute, zone=zone, due=at
    )
    assert timely(reminder, at) is not quiet(at.astimezone(ZoneInfo(zone)).time())


@given(st.integers(7 * 60, 22 * 60 - 1), ZONES, HOURS)
def test_there_is_one_reminder_a_day_also_when_clocks_change(minute: int, zone: str, now: datetime):
    days = set()
    for _ in range(20):
        now = following(minute, zone, now)
        shown = now.astimezone(ZoneInfo(zone))
        assert (shown.hour, shown.minute) == divmod(minute, 60)
        days.add(shown.date())

    assert len(days) == 20
    assert max(days) - min(days) == timedelta(days=19)


@pytest.mark.parametrize(
    ("word", "minute"),
    [
        ("19:00", 1140),
        ("7.30", 450),
        ("19", 1140),
        ("24:00", None),
        ("7:60", None),
        ("soon", None),
        ("٧:٣٠", None),
        ("", None),
    ],
)
def test_times_are_read_as_people_write_them(word: str, minute: int | None):
    assert read_time(word) == minute


@pytest.mark.parametrize(
    ("word", "zone"),
    [
        ("Asia/Jakarta", JAKARTA),
        ("asia/jakarta", JAKARTA),
        ("america/new_york", "America/New_York"),
        ("WIB", JAKARTA),
        ("Mars/Base", None),
        ("../etc/passwd", None),
        ("", None),
    ],
)
def test_zones_are_read_as_people_write_them(word: str, zone: str | None):
    assert read_zone(word) == zone


def test_nights_are_quiet():
    assert [quiet(time(hour)) for hour in (6, 7, 21, 22, 0)] == [True, False, False, True, True]
    assert shown_time(425) == "07:05"


# ------------------------------------------------------------ asking for one


async def stored(world: World) -> Reminder | None:
    return await world.store.reminder(world.ann.id)


async def test_a_reminder_is_set_with_time_and_zone(study: World):
    told = await command(study, "review", "remind 19:00 Asia/Jakarta")

    found = await stored(study)
    assert "19:00 (WIB, Jakarta)" in said(told)
    assert found
    assert (found.room, found.minute, found.zone) == (study.room.id, 1140, JAKARTA)
    assert found.due == study.watch.now().replace(minute=0, second=0, microsecond=0) + timedelta(
        hours=24
    )


async def test_without_a_zone_the_rooms_is_taken_or_it_is_asked_for(study: World):
    asked = await command(study, "review", "ingatkan 19.00")
    assert "Which clock" in said(asked)
    assert asked
    assert await stored(study) is None

    told = await press(study, asked.panel, "Berlin")

    assert told
    assert told.replaces
    assert "19:00 (Berlin)" in said(told)
    await command(study, "review", "remind 20:00")
    found = await stored(study)
    assert found
    assert (found.minute, found.zone) == (1200, BERLIN)


async def test_a_room_with_a_zone_needs_no_other(study: World):
    await study.store.set_settings(study.room.id, Settings(time_zone="Asia/Makassar"))
    room = await study.store.room_by_id(study.room.id)

    await command(study, "review", "remind 8:15", room=room)

    found = await stored(study)
    assert found
    assert found.zone == "Asia/Makassar"


async def test_it_is_offered_step_by_step_at_the_end_of_a_review(study: World):
    await command(study, "missed")
    summary = await through(study)

    times = await press(study, summary, "Remind me daily")
    assert times
    assert labels(times.panel) == ["07:00", "12:00", "17:00", "19:00", "21:00"]
    zones = await press(study, times.panel, "21:00")
    assert zones
    await press(study, zones.panel, "Jakarta")

    found = await stored(study)
    assert found
    assert (found.minute, found.zone) == (21 * 60, JAKARTA)
    told = await command(study, "review")
    assert told
    assert labels(told.panel) == ["Review the next ones now"]
    assert "At what time" in said(await command(study, "review", "remind"))


async def test_it_can_be_switched_off_by_word_and_by_button(study: World):
    set_ = await command(study, "review", "remind 19:00 UTC")
    assert set_
    await press(study, set_.panel, "Stop")
    assert await stored(study) is None

    await command(study, "review", "remind 19:00 UTC")
    told = await command(study, "review", "remind off")

    assert "not remind" in said(told)
    assert await stored(study) is None


@pytest.mark.parametrize("rest", ["remind 23:00 UTC", "remind 06:59 UTC"])
async def test_nobody_is_reminded_at_night(study: World, rest: str):
    assert "leave people alone" in said(await command(study, "review", rest))
    assert await stored(study) is None


@pytest.mark.parametrize("rest", ["remind soon", "remind 19:00 Mars/Base", "remind 19:00 UTC now"])
async def test_what_cannot_be_read_is_explained(study: World, rest: str):
    assert "/review remind 19:00" in said(await command(study, "review", rest))


@pytest.mark.parametrize("rest", ["remind", "remind 19:00 UTC"])
async def test_a_room_is_no_place_for_reminders(study: World, rest: str):
    told = await command(study, "review", rest, place=Place.ROOM)

    assert "our own chat" in said(told)
    assert await stored(study) is None


# ------------------------------------------------------------ sending


async def at(world: World, moment: datetime) -> list[Panel]:
    """Let time pass, and give what was said by itself then."""
    before = len(world.chat.posts)
    await world.watch.move_to(moment)
    await world.desk.tick({"test"})
    return [post.panel for post in world.chat.posts[before:] if post.panel.role is Role.NOTICE]


async def ready(world: World, zone: str = "UTC", minute: int = 1140) -> datetime:
    """Ask for a reminder, and give the next one's time."""
    await command(world, "review", f"remind {shown_time(minute)} {zone}")
    found = await stored(world)
    assert found
    return found.due


async def test_it_comes_once_at_its_time_and_only_if_something_is_due(study: World):
    due = await ready(study)
    assert await at(study, due - timedelta(seconds=1)) == []
    assert await at(study, due) == []  # nothing is due on the day of the quiz
    tomorrow = due + timedelta(days=1)

    first = await at(study, tomorrow)
    again = await at(study, tomorrow + timedelta(minutes=5))

    assert [panel.heading for panel in first] == ["Time to review"]
    assert first[0].body == ("2 questions are waiting for you today.",)
    assert labels(first[0]) == ["Review", "Stop reminding me"]
    assert study.chat.last.room.id == study.room.id
    assert study.chat.last.to is None
    assert again == []
    assert await press(study, first[0], "Review") is None


async def test_who_has_two_accounts_is_told_under_one_of_them(study: World):
    due = await ready(study) + timedelta(days=1)
    mine = await stored(study)
    assert mine
    await study.store.set_reminder(replace(mine, participant=study.ben.id))
    await study.store.link(study.ann.id, study.ben.id)

    said_today = await at(study, due)
    said_tomorrow = await at(study, due + timedelta(days=1))

    assert len(said_today) == len(said_tomorrow) == 1


async def test_one_that_fails_does_not_keep_others_from_theirs(study: World):
    due = await ready(study) + timedelta(days=1)
    mine = await stored(study)
    assert mine
    broken = replace(mine, participant=study.ben.id, zone="Nowhere/Else", due=due)
    await study.store.set_reminder(broken)

    assert len(await at(study, due)) == 1


async def test_a_store_out_of_reach_is_for_the_next_time(study: World, monkeypatch):
    due = await ready(study) + timedelta(days=1)

    async def fail(*_: object) -> None:
        raise StoreError

    monkeypatch.setattr(study.store, "claim_reminder", fail)

    with pytest.raises(StoreError):
        await at(study, due)


async def test_it_comes_at_the_same_local_time_across_a_clock_change(study: World):
    """Berlin's clocks go forward on 29 March 2026, in the night."""
    await study.watch.move_to(datetime(2026, 3, 27, 12, tzinfo=UTC))
    await ready(study, BERLIN, 8 * 60)
    sent = []
    now = study.watch.now()
    while now < datetime(2026, 3, 31, 12, tzinfo=UTC):
        now += timedelta(minutes=30)
        if await at(study, now):
            sent.append(now.isoformat()[5:16])

    assert sent == ["03-28T07:00", "03-29T06:00", "03-30T06:00", "03-31T06:00"]


async def test_a_reminder_that_was_slept_through_is_not_made_up_for_at_night_or_later(
    study: World,
):
    due = await ready(study)
    late = due.replace(hour=22, minute=30) + timedelta(days=1)
    assert await at(study, late) == []
    assert await at(study, due + timedelta(days=2, hours=2)) != []
    assert await at(study, due + timedelta(days=4, hours=-2)) == []
    assert await at(study, due + timedelta(days=4)) != []


async def test_it_stops_by_itself_after_seven_that_nobody_answered(study: World):
    due = await ready(study) + timedelta(days=1)

    sent = [await at(study, due + timedelta(days=n)) for n in range(10)]

    assert [len(panels) for panels in sent] == [1] * (PATIENCE + 1) + [0, 0]
    assert all(panels[0].heading == "Time to review" for panels in sent[:PATIENCE])
    assert "my last reminder" in sent[PATIENCE][0].body[0]
    assert await stored(study) is None


async def test_one_answer_is_enough_to_be_reminded_on(study: World):
    due = await ready(study) + timedelta(days=1)
    for n in range(5):
        assert await at(study, due + timedelta(days=n))
    await study.watch.move_to(study.watch.now() + timedelta(minutes=1))
    await command(study, "review")
    await through(study, WRONG)

    sent = [await at(study, due + timedelta(days=5 + n)) for n in range(PATIENCE + 1)]

    assert [panels[0].heading for panels in sent[:PATIENCE]] == ["Time to review"] * PATIENCE
    assert "my last reminder" in sent[PATIENCE][0].body[0]


async def test_days_with_nothing_due_are_silent_and_count_for_nothing(study: World):
    due = await ready(study) + timedelta(days=1)
    counted = []
    for n in range(4):
        heard = await at(study, due + timedelta(days=n))
        found = await stored(study)
        assert found
        counted.append((len(heard), found.ignored))
        if n == 1:
            await study.watch.move_to(study.watch.now() + timedelta(minutes=1))
            await command(study, "review")
            await through(study)

    assert counted == [(1, 0), (1, 1), (0, 0), (1, 0)]


async def test_a_silent_day_does_not_excuse_the_ones_before(study: World):
    due = await ready(study) + timedelta(days=1)
    await at(study, due)
    await at(study, due + timedelta(days=1))
    study.restart(Pack(editions=(edition(item("z"), pack="other"),)))

    assert await at(study, due + timedelta(days=2)) == []

    found = await stored(study)
    assert found
    assert found.ignored == 1


async def test_setting_it_anew_on_the_same_day_brings_no_second_message(study: World):
    due = await ready(study) + timedelta(days=1)
    await at(study, due)

    again = await ready(study, minute=21 * 60)
    later = await at(study, due.replace(hour=21, minute=1))
    following_day = await ready(study, minute=20 * 60)

    assert again.date() == due.date() + timedelta(days=1)
    assert later == []
    assert following_day.date() == due.date() + timedelta(days=1)
    await study.watch.move_to(due + timedelta(days=5))
    assert (await ready(study)).date() == due.date() + timedelta(days=6)


@pytest.mark.parametrize(
    ("trouble", "kept"), [(Trouble.BLOCKED, False), (Trouble.UNREACHABLE, True)]
)
async def test_who_cannot_be_reached_for_good_is_reminded_no_more(
    study: World, *, trouble: Trouble, kept: bool
):
    due = await ready(study) + timedelta(days=1)
    study.chat.refuse[Role.NOTICE] = trouble.value

    assert await at(study, due) == []

    assert (await stored(study) is not None) is kept


async def test_it_speaks_the_persons_language_and_the_rooms_before_that(study: World):
    due = await ready(study) + timedelta(days=1)
    await study.store.set_participant(study.ann.id, language="id")
    (panel,) = await at(study, due)
    assert panel.heading == "Waktunya mengulang"

    study.store._participants.pop(study.ann.id)  # noqa: SLF001 - somebody forgotten meanwhile
    (panel,) = await at(study, due + timedelta(days=1))

    assert panel.heading == "Time to review"


async def test_only_chats_of_this_process_are_served(study: World):
    due = await ready(study) + timedelta(days=1)
    await study.watch.move_to(due)

    await study.desk.tick({"elsewhere"})

    assert study.chat.panels(Role.NOTICE)[-1:] == []


async def test_of_two_processes_one_reminds(study: World):
    """The other one has taken it between our looking and our claiming."""
    due = await ready(study) + timedelta(days=1)
    await study.watch.move_to(due)
    (seen,) = await study.store.due_reminders({"test"}, due)
    await study.desk.tick({"test"})

    async def stale(*_: object, **__: object) -> list[Reminder]:
        return [seen]

    study.store.due_reminders = stale  # type: ignore[method-assign, assignment]
    await study.desk.tick({"test"})

    assert len([p for p in study.chat.panels() if p.heading == "Time to review"]) == 1


async def test_a_button_for_reminders_needs_a_sensible_time(study: World):
    action = Action(verb=Verb.REVIEW, value="at", turn=24 * 60)

    assert "over" in said(await study.desk.press(asks(study), action))


async def test_a_host_posts_what_belongs_to_no_session(study: World):
    room = await study.store.room(Alias(platform="test", external="there"))

    name = await study.host.post(room, Panel(role=Role.NOTICE, heading="Hello"))

    assert name == f"m{len(study.chat.posts)}"
    assert (study.chat.last.room, study.chat.last.panel.heading) == (room, "Hello")
