"""The session, driven by events alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.effects import Ask, Confirm, Refusal, Refuse, Report, Reveal, Summarise, Trouble, Wake
from bot.events import (
    Advanced,
    Delivered,
    Event,
    EveryoneAnswered,
    Failed,
    Paused,
    Responded,
    Restarted,
    Resumed,
    Revealed,
    Skipped,
    Started,
    Stopped,
    Summarised,
    TimeUp,
    Vanished,
)
from bot.ids import PackId
from bot.modes import Mode
from bot.session import Phase, Session, may_steer, refusal
from bot.stepping import RETURN_GRACE, step
from tests.helpers.samples import ANN, BEN, NOON, later, session


def play(start: Session, *events: Event) -> tuple[Session, tuple[object, ...]]:
    """Let events happen one after the other; give the end and the effects of the last one."""
    effects: tuple[object, ...] = ()
    for event in events:
        start, effects = step(start, event)
    return start, effects


def mixed(mode: Mode = Mode.SOLO) -> Session:
    """A session over items of several packs."""
    one = session(mode)
    return replace(one, draw=replace(one.draw, packs=tuple(map(PackId, "abc"))))


def delivered(turn: int = 0, seconds: float = 0) -> Delivered:
    return Delivered(turn=turn, at=later(seconds), message="m1")


def responded(turn: int = 0, by: str = ANN) -> Responded:
    return Responded(turn=turn, at=later(1), participant=by)


def revealed(turn: int = 0) -> Revealed:
    return Revealed(turn=turn, at=later(2))


def test_a_session_begins_by_asking_its_first_item():
    after, effects = step(session(), Started(at=NOON))

    assert after.phase is Phase.ASKING
    assert effects == (Ask(turn=0),)


def test_alone_an_answer_closes_the_turn_and_reveals_it():
    after, effects = play(session(), delivered(), responded())

    assert (after.phase, after.closed) == (Phase.REVEALING, 1)
    assert effects == (Reveal(turn=0),)


def test_an_answer_that_is_faster_than_the_delivery_report_counts():
    after, effects = play(session(), responded(), delivered())

    assert (after.phase, after.message) == (Phase.REVEALING, "m1")
    assert effects == ()


def test_alone_the_next_item_waits_until_it_is_asked_for():
    waiting, nothing = play(session(), delivered(), responded(), revealed())
    after, effects = step(waiting, Advanced(turn=0, by=ANN, at=later(3)))

    assert nothing == ()
    assert waiting.phase is Phase.REVEALED
    assert (after.phase, after.turn, after.message) == (Phase.ASKING, 1, "")
    assert effects == (Ask(turn=1),)


def test_who_asks_for_the_next_item_before_we_know_that_the_verdict_arrived_gets_it():
    revealing, _ = play(session(), delivered(), responded())
    after, effects = step(revealing, Advanced(turn=0, by=ANN, at=later(3)))
    told, nothing = step(after, revealed())

    assert revealing.phase is Phase.REVEALING
    assert (after.phase, after.turn, effects) == (Phase.ASKING, 1, (Ask(turn=1),))
    assert (told, nothing) == (after, ())


def test_after_the_last_item_the_session_sums_up_and_ends():
    start = session(items=1)

    summing, effects = play(
        start, delivered(), responded(), revealed(), Advanced(turn=0, by=ANN, at=later(3))
    )
    ended, nothing = step(summing, Summarised(at=later(4)))

    assert effects == (Summarise(),)
    assert (ended.phase, ended.finished, nothing) == (Phase.FINISHED, later(4), ())


def test_a_live_turn_gets_its_deadline_when_it_was_delivered():
    after, effects = step(session(Mode.LIVE), delivered(seconds=5))

    assert after.deadline == later(35)
    assert effects == (Wake(turn=0, at=later(36.5)),)


def test_an_item_may_have_its_own_time():
    start = session(Mode.LIVE, seconds=(60, 0, 0))

    first, _ = step(start, delivered())
    second, _ = step(replace(start, turn=1), delivered(turn=1))

    assert first.deadline == later(60)
    assert second.deadline == later(30)


def test_a_live_answer_is_confirmed_privately_and_closes_nothing():
    opened, _ = step(session(Mode.LIVE), delivered())

    after, effects = step(opened, responded(by=BEN))

    assert after == opened
    assert effects == (Confirm(turn=0, to=BEN),)


def test_a_live_turn_closes_at_its_deadline_with_grace_and_not_before():
    opened, _ = step(session(Mode.LIVE), delivered())

    early, nothing = step(opened, TimeUp(turn=0, at=later(31)))
    closed, effects = step(opened, TimeUp(turn=0, at=later(31.5)))

    assert (early, nothing) == (opened, ())
    assert (closed.phase, closed.closed, effects) == (Phase.REVEALING, 1, (Reveal(turn=0),))


def test_a_live_session_moves_on_by_itself_after_a_pause():
    waiting, effects = play(
        session(Mode.LIVE), delivered(), TimeUp(turn=0, at=later(40)), revealed()
    )

    early, _ = step(waiting, TimeUp(turn=0, at=later(9)))
    after, asked = step(waiting, TimeUp(turn=0, at=later(10)))

    assert effects == (Wake(turn=0, at=later(10)),)
    assert early == waiting
    assert (after.turn, asked) == (1, (Ask(turn=1),))


def test_a_live_session_ends_without_a_pause_after_its_last_item():
    after, effects = play(
        session(Mode.LIVE, items=1), delivered(), TimeUp(turn=0, at=later(40)), revealed()
    )

    assert (after.phase, effects) == (Phase.FINISHING, (Summarise(),))


def test_everyone_having_answered_closes_a_relaxed_turn_but_not_a_live_one():
    everyone = EveryoneAnswered(turn=0, at=later(3))

    relaxed, effects = play(session(Mode.RELAXED), delivered(), everyone)
    live, nothing = play(session(Mode.LIVE), delivered(), everyone)

    assert (relaxed.phase, effects) == (Phase.REVEALING, (Reveal(turn=0),))
    assert (live.phase, nothing) == (Phase.OPEN, ())


def test_the_starter_of_a_relaxed_session_shows_the_answer_and_then_goes_on():
    onward = Advanced(turn=0, by=ANN, at=later(3))

    closed, revealing = play(session(Mode.RELAXED), delivered(), onward)
    after, asking = play(closed, revealed(), onward)

    assert revealing == (Reveal(turn=0),)
    assert (after.turn, asking) == (1, (Ask(turn=1),))


def test_an_exam_reveals_nothing_until_its_end():
    start = session(Mode.EXAM, items=2)

    second, asked = play(start, delivered(), responded())
    ended, effects = play(second, delivered(turn=1), responded(turn=1))

    assert (second.turn, second.closed, asked) == (1, 0, (Ask(turn=1),))
    assert (ended.closed, effects) == (2, (Summarise(),))


@pytest.mark.parametrize(
    "stale",
    [
        delivered(turn=1),
        responded(turn=2),
        TimeUp(turn=1, at=later(99)),
        revealed(),
        EveryoneAnswered(turn=1, at=later(3)),
        Advanced(turn=1, by=ANN, at=later(3)),
        Advanced(turn=0, by=ANN, at=later(3)),
        Skipped(turn=1, by=ANN, at=later(3)),
        Summarised(at=later(3)),
        Failed(turn=1, at=later(3), trouble="blocked"),
    ],
)
def test_an_event_of_another_turn_or_phase_changes_nothing(stale: Event):
    opened, _ = step(session(), delivered())

    assert step(opened, stale) == (opened, ())


def test_a_report_of_the_clock_without_a_clock_changes_nothing():
    asking = session(Mode.LIVE)

    assert step(asking, TimeUp(turn=0, at=later(999))) == (asking, ())


def test_a_second_response_after_the_close_changes_nothing():
    closed, _ = play(session(), delivered(), responded())

    assert step(closed, responded()) == (closed, ())


def test_nothing_happens_to_a_finished_session():
    finished = session(phase=Phase.FINISHED)

    assert step(finished, delivered()) == (finished, ())
    assert step(finished, Stopped(by=ANN, at=NOON)) == (finished, ())


def test_skipping_shows_the_answer_and_skipping_again_goes_on():
    skip = Skipped(turn=0, by=ANN, at=later(3))

    skipped, effects = play(session(), delivered(), skip)
    after, _ = play(skipped, revealed(), skip)
    same, nothing = step(skipped, skip)

    assert (skipped.closed, effects) == (1, (Reveal(turn=0),))
    assert after.turn == 1
    assert (same, nothing) == (skipped, ())


def test_skipping_in_an_exam_goes_on_without_a_word():
    after, effects = play(session(Mode.EXAM), delivered(), Skipped(turn=0, by=ANN, at=later(3)))

    assert (after.turn, effects) == (1, (Ask(turn=1),))


@pytest.mark.parametrize(
    ("mode", "moderator", "why"),
    [
        (Mode.SOLO, False, Refusal.NOT_YOURS),
        (Mode.SOLO, True, Refusal.NOT_YOURS),
        (Mode.LIVE, False, Refusal.NOT_ALLOWED),
    ],
)
def test_who_may_not_steer_is_told_so(mode: Mode, moderator: bool, why: Refusal):  # noqa: FBT001
    opened, _ = step(session(mode), delivered())

    after, effects = step(opened, Stopped(by=BEN, moderator=moderator, at=later(3)))

    assert (after, effects) == (opened, (Refuse(to=BEN, why=why),))


def test_a_moderator_may_steer_what_others_have_started_in_a_room():
    assert may_steer(session(Mode.LIVE), BEN, moderator=True)
    assert not may_steer(session(Mode.LIVE), BEN, moderator=False)
    assert not may_steer(session(Mode.SOLO), BEN, moderator=True)
    assert may_steer(session(Mode.SOLO), ANN, moderator=False)


@pytest.mark.parametrize(
    ("mode", "events", "closed"),
    [
        (Mode.SOLO, [delivered()], 0),
        (Mode.SOLO, [delivered(), responded(), revealed()], 1),
        (Mode.EXAM, [delivered(), responded(), delivered(turn=1)], 1),
        (Mode.LIVE, [delivered()], 1),
        (Mode.LIVE, [delivered(), Paused(by=ANN, at=later(3))], 1),
    ],
)
def test_stopping_counts_what_was_answered(mode: Mode, events: list[Event], closed: int):
    stopped, effects = play(session(mode), *events, Stopped(by=ANN, at=later(5)))

    assert (stopped.phase, stopped.closed) == (Phase.FINISHING, closed)
    assert effects == (Summarise(),)


def test_a_failed_delivery_pauses_with_its_reason_and_frees_the_room():
    paused, effects = step(session(Mode.LIVE), Failed(turn=0, at=NOON, trouble="no permission"))

    assert (paused.phase, paused.trouble) == (Phase.PAUSED, Trouble.NO_PERMISSION)
    assert not paused.active
    assert effects == (Report(trouble=Trouble.NO_PERMISSION),)


def test_a_failed_summary_still_ends_the_session():
    summing = session(phase=Phase.FINISHING)

    after, effects = step(summing, Failed(turn=0, at=later(1), trouble="blocked"))

    assert (after.phase, after.finished, effects) == (Phase.FINISHED, later(1), ())


def test_a_live_turn_goes_on_with_the_time_that_was_left():
    paused, _ = play(session(Mode.LIVE), delivered(), Paused(by=ANN, at=later(20)))

    asking, effects = step(paused, Resumed(by=ANN, at=later(1000)))
    opened, timer = step(asking, delivered(seconds=1001))

    assert paused.remaining == 10
    assert effects == (Ask(turn=0),)
    assert opened.deadline == later(1011)
    assert timer == (Wake(turn=0, at=later(1012.5)),)


@pytest.mark.parametrize(
    ("phase", "effect", "after"),
    [
        (Phase.ASKING, Ask(turn=0), Phase.ASKING),
        (Phase.OPEN, Ask(turn=0), Phase.ASKING),
        (Phase.REVEALING, Reveal(turn=0), Phase.REVEALING),
        (Phase.REVEALED, Ask(turn=1), Phase.ASKING),
    ],
)
def test_a_pause_ends_where_it_began(phase: Phase, effect: object, after: Phase):
    paused, _ = step(session(phase=phase), Paused(by=ANN, at=later(3)))

    going, effects = step(paused, Resumed(by=ANN, at=later(4)))

    assert effects == (effect,)
    assert (going.phase, going.trouble, going.paused_in) == (after, None, None)


def test_resuming_an_open_session_shows_its_item_again():
    opened, _ = step(session(), delivered())

    assert step(opened, Resumed(by=ANN, at=later(9))) == (opened, (Ask(turn=0),))


def test_pausing_twice_or_at_the_very_end_changes_nothing():
    pause = Paused(by=ANN, at=later(3))
    paused, _ = step(session(), pause)

    assert step(paused, pause) == (paused, ())
    assert step(paused, Failed(turn=0, at=later(4), trouble="blocked")) == (paused, ())


def test_advancing_a_paused_session_changes_nothing():
    paused, _ = step(session(), Paused(by=ANN, at=later(3)))

    assert step(paused, Advanced(turn=0, by=ANN, at=later(4))) == (paused, ())
    assert step(paused, Skipped(turn=0, by=ANN, at=later(4))) == (paused, ())


@pytest.mark.parametrize(
    ("phase", "effects"),
    [
        (Phase.ASKING, (Ask(turn=0),)),
        (Phase.OPEN, ()),
        (Phase.REVEALING, (Reveal(turn=0),)),
        (Phase.REVEALED, ()),
        (Phase.PAUSED, ()),
        (Phase.FINISHING, (Summarise(),)),
    ],
)
def test_after_a_restart_what_was_due_is_done_again(phase: Phase, effects: tuple[object, ...]):
    stored = session(phase=phase)

    assert step(stored, Restarted(at=later(60))) == (stored, effects)


def test_after_a_restart_a_live_turn_keeps_its_deadline_or_gets_some_grace():
    opened, _ = step(session(Mode.LIVE), delivered())

    soon, timer = step(opened, Restarted(at=later(3)))
    late, grace = step(opened, Restarted(at=later(3600)))

    assert (soon, timer) == (opened, (Wake(turn=0, at=later(31.5)),))
    assert late.deadline == later(3600) + RETURN_GRACE
    assert grace == (Wake(turn=0, at=late.closes_at),)


def test_after_a_restart_a_revealed_live_turn_moves_on():
    waiting, _ = play(session(Mode.LIVE), delivered(), TimeUp(turn=0, at=later(40)), revealed())

    _, effects = step(waiting, Restarted(at=later(60)))

    assert effects == (Wake(turn=0, at=later(60)),)


def test_answers_are_refused_for_one_reason_each():
    opened, _ = step(session(Mode.LIVE), delivered())
    paused, _ = step(opened, Paused(by=ANN, at=later(3)))
    own, _ = step(session(), delivered())

    def why(state: Session, turn: int = 0, by: str = BEN, seconds: float = 5) -> Refusal | None:
        return refusal(state, turn=turn, participant=by, at=later(seconds))

    assert why(opened) is None
    assert why(opened, seconds=31.5) is None
    assert why(opened, seconds=31.6) is Refusal.LATE
    assert why(opened, turn=1) is Refusal.CLOSED
    assert why(paused) is Refusal.PAUSED
    assert why(own) is Refusal.NOT_YOURS
    assert why(own, by=ANN) is None


EVENTS = st.builds(
    lambda kind, turn, by, seconds: {
        "delivered": delivered(turn, seconds),
        "responded": responded(turn, by),
        "everyone": EveryoneAnswered(turn=turn, at=later(seconds)),
        "time": TimeUp(turn=turn, at=later(seconds)),
        "revealed": Revealed(turn=turn, at=later(seconds)),
        "summarised": Summarised(at=later(seconds)),
        "failed": Failed(turn=turn, at=later(seconds), trouble="blocked"),
        "vanished": Vanished(turn=turn, at=later(seconds)),
        "restarted": Restarted(at=later(seconds)),
        "advanced": Advanced(turn=turn, by=by, at=later(seconds)),
        "skipped": Skipped(turn=turn, by=by, at=later(seconds)),
        "paused": Paused(by=by, at=later(seconds)),
        "resumed": Resumed(by=by, at=later(seconds)),
        "stopped": Stopped(by=by, at=later(seconds)),
    }[kind],
    st.sampled_from(
        [
            "delivered",
            "responded",
            "everyone",
            "time",
            "revealed",
            "summarised",
            "failed",
            "vanished",
            "restarted",
            "advanced",
            "skipped",
            "paused",
            "resumed",
            "stopped",
        ]
    ),
    st.integers(0, 2),
    st.sampled_from([ANN, BEN]),
    st.floats(0, 1000),
)


@pytest.mark.parametrize(
    "before", [(), (delivered(),), (delivered(), responded())], ids=["asking", "open", "revealing"]
)
@pytest.mark.parametrize(("of_several", "alone"), [(True, True), (True, False), (False, True)])
def test_an_item_that_exists_no_more_is_passed_over_if_there_may_be_others(
    before: tuple[Event, ...],
    of_several: bool,  # noqa: FBT001
    alone: bool,  # noqa: FBT001
):
    start, _ = play(mixed() if of_several else session(), *before)

    after, effects = step(start, Vanished(turn=0, at=later(3), alone=alone))

    assert (after.phase, after.turn, effects) == (Phase.ASKING, 1, (Ask(turn=1),))


def test_the_last_item_that_exists_no_more_ends_the_session():
    one = session(items=1)
    start = replace(one, draw=replace(one.draw, packs=(PackId("a"),)))

    after, effects = step(start, Vanished(turn=0, at=NOON))

    assert (after.phase, effects) == (Phase.FINISHING, (Summarise(),))
    assert step(after, Vanished(turn=0, at=later(1)))[0].phase is Phase.FINISHED


@pytest.mark.parametrize(("mode", "alone"), [(Mode.SOLO, False), (Mode.DAILY, True)])
def test_a_session_is_paused_when_nothing_is_left_to_ask(
    mode: Mode,
    alone: bool,  # noqa: FBT001
):
    after, effects = step(session(mode), Vanished(turn=0, at=NOON, alone=alone))

    assert (after.phase, effects) == (Phase.PAUSED, (Report(trouble=Trouble.PACK_GONE),))


def test_a_paused_session_stays_paused_when_an_item_vanishes():
    paused, _ = step(mixed(), Paused(by=ANN, at=NOON))

    assert step(paused, Vanished(turn=0, at=later(1))) == (paused, ())


@given(
    st.sampled_from([session(mode) for mode in Mode] + [mixed(mode) for mode in Mode]),
    st.lists(EVENTS, max_size=40),
)
def test_whatever_happens_turns_only_go_forward_and_stop_always_works(
    state: Session, events: list[Event]
):

    for event in events:
        after, _ = step(state, event)
        assert after.turn in {state.turn, state.turn + 1}
        assert state.closed <= after.closed <= after.turn + 1
        assert after.turn < after.length
        state = after

    stopped, _ = play(state, Stopped(by=ANN, at=later(2000)), Summarised(at=later(2001)))
    assert stopped.phase is Phase.FINISHED
