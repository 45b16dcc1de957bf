"""Reviews at the desk: what is due and what was missed come back, over several packs."""

import io
import zipfile
from dataclasses import replace
from datetime import timedelta

import pytest

from adapters.storage.memory import MemoryStore
from bot.actions import Action, Verb, encode
from bot.commands import Place
from bot.desk import Reply
from bot.ids import ItemId, PackId
from bot.items import Choice
from bot.memory import Trace
from bot.modes import Mode
from bot.packs import Library, Pack
from bot.panels import Panel, Role
from bot.ports import Conflict
from bot.recollecting import FEW, Recollection
from bot.review_panels import MISSED, REVIEW
from bot.session import Phase, Session
from bot.shelving import Shelves
from bot.submissions import Chosen
from bot.text import Markdown
from bot.wishes import Mixture
from tests.engine.test_desk import asks, running, said
from tests.helpers.samples import edition, option
from tests.helpers.worlds import World

DAY = timedelta(days=1)
RIGHT, WRONG = Chosen(frozenset({0})), Chosen(frozenset({1}))


def item(name: str, language: str = "en") -> Choice:
    return Choice(
        id=ItemId(name),
        stem=Markdown(f"{language} {name}?"),
        options=(option("yes"), option("no")),
        key=0,
    )


CAPITALS = Pack(editions=(edition(item("a"), item("b"), pack="capitals"),))
KIMIA = Pack(
    editions=(
        edition(item("b"), item("c"), pack="kimia"),
        edition(item("b", "id"), pack="kimia", language="id"),
    )
)


@pytest.fixture
async def study(world: World) -> World:
    """Two packs, both played today: `b` of each was missed."""
    world.restart(CAPITALS, KIMIA)
    for pack in (CAPITALS, KIMIA):
        await world.desk.play(asks(world), pack.id)
        for _ in range(2):
            session = await running(world, world.ann.id)
            await reply(world, session, WRONG if session.item == "b" else RIGHT)
            await world.watch.move_to(world.watch.now() + timedelta(seconds=5))
    return world


async def reply(world: World, session: Session, answer: Chosen) -> None:
    """Answer the current turn and go on."""
    await world.answer(session, answer, session.turn)
    await world.onward(session, session.turn)


async def through(world: World, answer: Chosen = RIGHT) -> Panel:
    """Answer everything that is asked, and give the summary."""
    session = await running(world, world.ann.id)
    while session.phase is not Phase.FINISHED:
        await reply(world, session, answer)
        session = await world.stored(session)
    return world.chat.panels(Role.SUMMARY)[-1]


async def command(world: World, name: str, rest: str = "", **more: object) -> Reply | None:
    return await world.desk.obey(asks(world, **more), name, rest)  # type: ignore[arg-type]


async def press(world: World, panel: Panel, label: str, **more: object) -> Reply | None:
    action = next(button.action for button in panel.buttons if label in button.label)
    encode(action)
    return await world.desk.press(asks(world, **more), action)  # type: ignore[arg-type]


def labels(panel: Panel) -> list[str]:
    return [button.label for button in panel.buttons]


def pairs(session: Session) -> set[tuple[str, str]]:
    return {(session.pack_at(turn), session.draw.items[turn]) for turn in range(session.length)}


async def next_day(world: World, days: int = 1) -> None:
    await world.watch.move_to(world.watch.now() + days * DAY)


# ------------------------------------------------------------ /review


async def test_who_has_answered_nothing_is_told_how_to_begin(study: World):
    stranger = asks(study, person=study.ben)

    for name in ("review", "missed"):
        told = await study.desk.obey(stranger, name, "")

        assert "nothing to review yet" in said(told)
        assert told
        assert not told.panel.buttons


async def test_on_the_same_day_nothing_is_due_and_the_next_ones_are_offered(study: World):
    told = await command(study, "review")

    assert "Nothing is due today. Due tomorrow: **2**." in said(told)
    assert told
    assert labels(told.panel) == ["Review the next ones now", "Remind me daily"]
    assert await press(study, told.panel, "next ones") is None
    session = await running(study, study.ann.id)
    assert session.length == 4
    assert {session.draw.items[0], session.draw.items[1]} == {"b"}


async def test_what_was_missed_is_due_the_next_day_from_both_packs(study: World):
    await next_day(study)

    assert await command(study, "review") is None

    session = await running(study, study.ann.id)
    assert session.pack == REVIEW
    assert session.mixed
    assert pairs(session) == {("capitals", "b"), ("kimia", "b")}
    assert (session.rules.policy.shared, session.owner) == (False, study.ann.id)


async def test_a_review_ends_with_what_is_due_and_its_answers_feed_the_same_memory(study: World):
    await next_day(study)
    await command(study, "review")

    summary = await through(study)

    assert summary.body[0] == "**Review**"
    assert "**2 of 2** right" in summary.body[1]
    assert summary.body[-1] == "Due today **0**, tomorrow **2**."
    assert labels(summary) == ["Remind me daily"]
    responses = await study.store.history(study.ann.id)
    assert {one.pack for one in responses[0][1]} == {"capitals", "kimia"}
    again = await command(study, "review")
    assert "Nothing is due" in said(again)


async def test_what_is_missed_in_a_review_can_be_gone_over_and_taken_to_anki(study: World):
    await next_day(study, 3)
    await command(study, "review")
    assert (await running(study, study.ann.id)).length == 4
    summary = await through(study, WRONG)

    assert labels(summary) == ["Go over the missed ones", "Take to Anki", "Remind me daily"]
    assert await press(study, summary, "missed ones") is None
    session = await running(study, study.ann.id)
    assert (session.pack, session.length) == (MISSED, 4)
    summary = await through(study)
    assert summary.body[0] == "**What you missed**"
    assert "Take to Anki" in labels(summary)


async def test_a_review_takes_as_long_as_one_likes(study: World):
    await next_day(study, 3)

    assert await command(study, "review", "1") is None
    first = (await running(study, study.ann.id)).length
    told = await through(study)

    assert first == 4
    assert "Review more" not in labels(told)
    for wrong in ("0", "10 bananas", "soon", "-3", "٣"):
        assert "/review 10" in said(await command(study, "review", wrong))
    assert await command(study, "review", "10 minutes") is not None


async def test_what_does_not_fit_is_offered_afterwards(study: World):
    many = Pack(editions=(edition(*(item(f"n{n}") for n in range(30)), pack="many"),))
    study.restart(many)
    await study.desk.play(asks(study), many.id)
    await through(study)
    await next_day(study, 2)

    await command(study, "review")
    length = (await running(study, study.ann.id)).length
    summary = await through(study)

    assert 5 <= length <= 20
    assert f"Due today **{30 - length}**" in summary.body[-1]
    assert await press(study, summary, "Review more") is None
    assert (await running(study, study.ann.id)).length == min(length, 30 - length)


async def test_each_item_speaks_the_persons_language_where_its_pack_has_it(study: World):
    await next_day(study)
    indonesian = replace(study.ann, language="id")

    await command(study, "review", person=indonesian)

    session = await running(study, study.ann.id)
    shown = {
        session.pack_at(turn): study.host.narrator.staged(session, turn, indonesian).item.stem
        for turn in range(2)
    }
    assert shown == {"capitals": "en b?", "kimia": "id b?"}


async def test_answers_given_in_a_group_come_back_too(study: World):
    study.restart(CAPITALS)
    study.pack = CAPITALS
    live = await study.start(Mode.RELAXED, by=study.ben)
    await study.answer(live, WRONG, by=study.ben)
    await next_day(study)

    await study.desk.obey(asks(study, person=study.ben), "review", "")

    assert pairs(await running(study, study.ben.id)) == {("capitals", live.item)}


async def test_a_review_goes_on_after_a_restart(study: World):
    await next_day(study)
    await command(study, "review")
    session = await running(study, study.ann.id)
    await reply(study, session, RIGHT)
    study.restart(CAPITALS, KIMIA)

    await study.host.recover()
    summary = await through(study)

    assert "**2 of 2** right" in summary.body[1]


# ------------------------------------------------------------ items that exist no more


async def test_deleted_items_leave_no_orphan(study: World):
    await next_day(study)
    study.restart(Pack(editions=(edition(item("a"), item("new"), pack="capitals"),)))

    told = await command(study, "review")

    assert "Nothing is due" in said(told)
    assert told
    await press(study, told.panel, "next ones")
    assert pairs(await running(study, study.ann.id)) == {("capitals", "a")}


async def test_an_item_that_vanishes_during_a_review_is_passed_over(study: World):
    await next_day(study, 3)
    await command(study, "review")
    session = await running(study, study.ann.id)
    gone = session.pack_at(1)
    study.restart(KIMIA if gone == "capitals" else CAPITALS)
    left = sum(session.pack_at(turn) != gone for turn in range(4))
    await study.host.recover()
    if session.pack_at(0) == gone:
        await study.answer(session, RIGHT, 0)

    summary = await through(study)

    assert summary.heading == "Done!"
    assert f"**{left} of {left}** right" in summary.body[1]


async def test_an_answer_to_an_item_that_vanished_leads_to_the_next(study: World):
    await next_day(study, 3)
    await command(study, "review")
    session = await running(study, study.ann.id)
    study.restart(KIMIA if session.pack_at(0) == "capitals" else CAPITALS)

    refused = await study.answer(session, RIGHT, 0)

    assert refused is None
    assert (await study.stored(session)).turn > 0


async def test_a_review_whose_items_are_all_gone_ends(study: World):
    await next_day(study)
    await command(study, "review")
    session = await running(study, study.ann.id)
    study.restart(Pack(editions=(edition(item("z"), pack="other"),)))

    await study.answer(session, RIGHT, 0)

    assert (await study.stored(session)).phase is Phase.FINISHED
    assert study.chat.panels(Role.SUMMARY)[-1].heading == "Done!"


async def test_an_answer_to_a_quiz_whose_only_pack_is_gone_is_refused(study: World):
    await study.desk.play(asks(study), CAPITALS.id)
    session = await running(study, study.ann.id)
    study.restart(KIMIA)

    refused = await study.answer(session, RIGHT, 0)

    assert refused is not None
    assert refused.value == "gone"


# ------------------------------------------------------------ /missed


async def test_recent_mistakes_are_replayed_at_once_latest_first(study: World):
    assert await command(study, "missed") is None

    session = await running(study, study.ann.id)
    assert session.pack == MISSED
    assert list(zip(session.draw.packs, session.draw.items, strict=True)) == [
        ("kimia", "b"),
        ("capitals", "b"),
    ]
    await through(study)
    assert "missed nothing" in said(await command(study, "missed"))


async def test_a_busy_room_is_said_to_be_busy(study: World):
    async def full(_: Session) -> None:
        raise Conflict

    study.store.start = full  # type: ignore[method-assign]

    told = await command(study, "missed")

    assert "already running" in said(told)


# ------------------------------------------------------------ Anki


def notes(reply_: Reply | None) -> bytes:
    assert reply_
    assert reply_.file
    name, content = reply_.file
    assert name == "kuis-missed.apkg"
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return package.read("collection.anki2")


async def test_what_was_missed_goes_to_anki_from_a_review(study: World):
    await next_day(study, 3)
    await command(study, "review")
    summary = await through(study, WRONG)

    deck = notes(await press(study, summary, "Anki"))

    assert deck.count(b"en b?") >= 2
    assert b"en c?" in deck


async def test_what_was_missed_goes_to_anki_though_it_was_right_the_second_time(study: World):
    await command(study, "missed")
    summary = await through(study)

    assert b"en b?" in notes(await press(study, summary, "Anki"))


async def test_anki_gets_recent_mistakes_where_no_session_is_named(study: World):
    lately = Action(verb=Verb.REVIEW, value="anki")

    assert b"en b?" in notes(await study.desk.press(asks(study), lately))
    none = await study.desk.press(asks(study, person=study.ben), lately)
    assert "missed nothing" in said(none)


async def test_nobody_takes_what_others_missed(study: World):
    await command(study, "missed")
    summary = await through(study)

    told = await press(study, summary, "Anki", person=study.ben)

    assert "somebody else's" in said(told)


async def test_a_deck_leaves_out_what_exists_no_more(study: World):
    await command(study, "missed")
    summary = await through(study)
    study.restart(KIMIA)

    deck = notes(await press(study, summary, "Anki"))

    assert deck.count(b"en b?") >= 1


async def test_a_forged_button_does_nothing(study: World):
    for value in ("nonsense", "zone=Nowhere/Else", "at", "zone"):
        action = Action(verb=Verb.REVIEW, value=value, turn=99999)

        assert "over" in said(await study.desk.press(asks(study), action))


async def test_a_mixture_names_what_it_goes_by():
    wish = Mixture(pack_id=PackId("~x"), items=((PackId("p"), ItemId("i")),), rules=None)  # type: ignore[arg-type]

    assert wish.pack_id == "~x"


async def test_the_missed_button_of_a_gone_pack_is_refused(study: World):
    await study.desk.play(asks(study), CAPITALS.id)
    summary = await through(study, WRONG)
    study.restart(KIMIA)

    told = await press(study, summary, "missed ones")

    assert "over" in said(told)


async def test_reviews_are_for_ones_own_chat_also_in_rooms_where_only_one_sees_them(study: World):
    await next_day(study)

    assert await command(study, "review", place=Place.ROOM) is None

    assert (await running(study, study.ann.id)).owner == study.ann.id


@pytest.mark.parametrize(
    ("left", "shown"), [(KIMIA, 0), (Pack(editions=(edition(item("z"), pack="capitals"),)), 1)]
)
async def test_a_result_is_shown_as_long_as_its_only_pack_is_there(
    study: World, left: Pack, shown: int
):
    await study.desk.play(asks(study), CAPITALS.id)
    session = await running(study, study.ann.id)
    await reply(study, session, RIGHT)
    study.restart(left)

    await study.desk.stop(asks(study))

    assert (await study.stored(session)).phase is Phase.FINISHED
    assert len(study.chat.panels(Role.SUMMARY)) == shown


async def test_who_has_answered_a_great_deal_is_recollected_beside_the_loop(study: World):
    first = next(iter(await study.store.memories([study.ann.id])))
    many = [replace(first, at=first.at + n * DAY) for n in range(FEW + 1)]

    class Store(MemoryStore):
        async def memories(self, participants: object) -> list[Trace]:  # noqa: ARG002
            return many

    library = Library((CAPITALS, KIMIA))

    store = Store()
    shelves = Shelves(store=store, library=library)
    recollection = Recollection(store=store, library=library, shelves=shelves)
    known = await recollection.of(study.ann.id, study.room.zone)

    assert list(known.cards) == [(first.pack, first.item)]
    assert known.answered == many[-1].at


async def test_a_review_knows_what_was_missed_with_ones_other_account(study: World):
    await study.store.link(study.ann.id, study.ben.id)
    study.ann, study.ben = study.ben, study.ann
    await next_day(study)

    await command(study, "review")

    assert pairs(await running(study, study.ann.id)) == {("capitals", "b"), ("kimia", "b")}


async def test_what_no_feature_knows_is_answered_with_help(study: World):
    assert "How this works" in said(await command(study, "nonsense"))


async def test_a_corrected_item_keeps_its_one_card_and_is_graded_by_its_new_key(study: World):
    corrected = replace(item("b"), key=1)
    study.restart(Pack(editions=(edition(item("a"), corrected, pack="capitals"),)))
    await next_day(study)

    await command(study, "review")
    session = await running(study, study.ann.id)
    assert pairs(session) == {("capitals", "b")}
    await reply(study, session, WRONG)

    (response,) = await study.store.responses(session.id, study.ann.id)
    assert response.grade == 1
    assert "Nothing is due" in said(await command(study, "review"))


async def test_an_answer_that_is_deleted_takes_its_card_along(study: World):
    await study.store.forget(study.ann.id)
    await next_day(study, 30)

    assert "nothing to review yet" in said(await command(study, "review"))


async def test_what_was_missed_in_a_review_is_told_apart_where_packs_name_items_alike(study: World):
    await next_day(study)
    await command(study, "review")
    session = await running(study, study.ann.id)
    assert pairs(session) == {("capitals", "b"), ("kimia", "b")}
    missed = session.pack_at(0)
    await reply(study, session, WRONG)
    summary = await through(study)

    await press(study, summary, "missed ones")

    assert pairs(await running(study, study.ann.id)) == {(missed, "b")}


async def test_a_review_is_shown_to_all_without_an_invitation_to_it(study: World):
    await next_day(study)
    await command(study, "review")
    session = await running(study, study.ann.id)
    await through(study)

    shown = await study.desk.press(asks(study), Action(verb=Verb.SHARE, session=session.id))

    assert shown
    assert shown.public
    assert shown.panel.buttons == ()


OTHERS = Pack(editions=(edition(item("z"), pack="capitals"),))


@pytest.mark.parametrize(
    ("left", "verb", "expected"),
    [
        *((KIMIA, verb, "over") for verb in (Verb.NEXT, Verb.SHARE, Verb.MISSED)),
        *((OTHERS, verb, "over") for verb in (Verb.SHARE, Verb.MISSED)),
        (OTHERS, Verb.NEXT, "Done!"),
    ],
)
async def test_old_buttons_of_a_quiz_whose_items_are_gone_say_so(
    study: World, left: Pack, verb: Verb, expected: str
):
    await study.desk.play(asks(study), CAPITALS.id)
    session = await running(study, study.ann.id)
    await through(study, WRONG)
    study.restart(left)

    told = await study.desk.press(asks(study), Action(verb=verb, session=session.id, turn=1))

    assert expected in said(told)
