"""Rooms, participants and their calendars."""

from dataclasses import replace
from datetime import UTC, date, datetime

from bot.ids import ParticipantId, RoomId
from bot.modes import Mode, Rules
from bot.people import Alias, Participant, Room, Settings, rules_for, week_of

HERE = Alias(platform="terminal", external="here")


def test_a_week_begins_on_monday_by_the_calendar_of_the_room():
    room = Room(id=RoomId("r"), alias=HERE, settings=Settings(time_zone="Asia/Jakarta"))
    sunday_evening = datetime(2026, 3, 8, 18, 0, tzinfo=UTC)

    assert week_of(sunday_evening, room.zone) == date(2026, 3, 9)
    assert week_of(sunday_evening, Room(id=RoomId("r"), alias=HERE).zone) == date(2026, 3, 2)


def test_a_nickname_goes_before_a_name():
    ann = Participant(id=ParticipantId("p"), alias=HERE, name="Ann Smith")

    assert ann.shown == "Ann Smith"
    assert replace(ann, nickname="Owl").shown == "Owl"


def test_a_room_decides_about_scoring():
    chosen = Settings(speed_bonus=True, streak_bonus=True, verdict_at_once=False, may_change=True)

    rules = rules_for(chosen, Rules(mode=Mode.LIVE, seconds=20))

    assert rules == Rules(
        mode=Mode.LIVE,
        seconds=20,
        speed_bonus=True,
        streak_bonus=True,
        verdict_at_once=False,
        may_change=True,
    )
