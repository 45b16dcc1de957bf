"""Confidence: asked where one option is chosen, kept, told, worth points, and first in reviews."""

from dataclasses import replace
from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.actions import Action, Verb
from bot.agenda import agenda, mistakes
from bot.answering import Given, respond, understood
from bot.codec import dump, load
from bot.commands import Place
from bot.confidence import MOST_OPTIONS, asks
from bot.desk import Request
from bot.effects import Refusal
from bot.ids import ItemId, PackId, SessionId
from bot.items import Item
from bot.memory import Card, Trace, cards
from bot.menus import KNOBS, turned
from bot.menus import settings as settings_panel
from bot.modes import Mode, Rules
from bot.packs import Library
from bot.panels import Panel
from bot.people import Alias, Participant, Settings, rules_for
from bot.ports import Response
from bot.progress import Sureness, progress
from bot.records import Taken
from bot.scoring import points
from bot.showing import hint, question, receipt, stage
from bot.submissions import Chosen, pressed
from bot.text import plain
from bot.wording import words
from tests.helpers.samples import (
    CHOICE,
    MULTI,
    NOON,
    NUMBER,
    SHORT,
    TRUE,
    later,
    option,
    pack,
    session,
)
from tests.helpers.worlds import World, small_world

ASKED = Rules(mode=Mode.SOLO, confidence=True)
MARKED = Rules(mode=Mode.SOLO, confidence=True, certainty_marks=True)
RIGHT, WRONG = Chosen(frozenset({1})), Chosen(frozenset({0}))
UTC = ZoneInfo("UTC")
ANN = Participant(id=session().starter, alias=Alias(platform="test", external="ann"), name="Ann")


# ------------------------------------------------------------ who is asked


@pytest.mark.parametrize(
    ("item", "asked"),
    [(CHOICE, True), (TRUE, True), (MULTI, False), (SHORT, False), (NUMBER, False)],
)
def test_only_items_with_one_option_to_choose_ask(item: Item, asked: bool):  # noqa: FBT001
    assert asks(ASKED, item) is asked
    assert not asks(Rules(mode=Mode.SOLO), item)


def test_with_too_many_options_there_is_no_room_for_two_buttons_each():
    many = replace(CHOICE, options=tuple(option(str(n)) for n in range(MOST_OPTIONS + 1)))

    assert asks(ASKED, replace(many, options=many.options[1:]))
    assert not asks(ASKED, many)


# ------------------------------------------------------------ buttons and texts


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("1", (RIGHT, True)),
        ("1?", (RIGHT, False)),
        ("0,2", (Chosen(frozenset({0, 2})), True)),
        ("0,2?", None),
        ("?", None),
        ("1??", None),
        ("?1", None),
        ("1 ?", None),
        ("²", None),
        ("", None),
        ("-1", None),
        ("1\n", None),
        ("99999", None),
    ],
)
def test_a_button_says_which_option_and_whether_it_is_a_sure_answer(value: str, read: object):
    assert pressed(value) == read


@given(st.text(alphabet="0123456789,?! -²", max_size=8) | st.text())
def test_whatever_is_pressed_is_read_strictly(value: str):
    found = pressed(value)

    if found:
        chosen, sure = found
        assert chosen.options
        assert sure is not value.endswith("?")
        assert set(value) <= set("0123456789,?")


def answered(rules: Rules, answer: Chosen | str, item: Item = CHOICE, **more: object) -> Response:
    state = session(rules=_chosen(rules) | {"keep_order": True}, opened=NOON)
    given_ = Given(session=state.id, turn=0, answer=answer, by=ANN, at=later(3), **more)  # type: ignore[arg-type]
    submission = understood(state, (item,), given_)
    assert submission, answer
    return respond(state, (item,), given_, submission, zone=UTC)


def _chosen(rules: Rules) -> dict[str, object]:
    return {"confidence": rules.confidence, "certainty_marks": rules.certainty_marks}


@pytest.mark.parametrize(
    ("text", "sure"),
    [("B", True), ("B?", False), ("b ? ", False), ("Jakarta?", False), ("2", True)],
)
def test_what_is_typed_says_it_too(text: str, sure: bool):  # noqa: FBT001
    response = answered(ASKED, text)

    assert (response.submission, response.sure) == (RIGHT, sure)


def test_true_and_false_can_be_doubted():
    assert answered(ASKED, "true?", TRUE).sure is False
    assert answered(ASKED, "true", TRUE).sure is True


def test_a_question_mark_that_belongs_to_an_option_is_no_doubt():
    what = replace(CHOICE, options=(option("What?"), option("Why?")))

    assert (answered(ASKED, "Why?", what).submission, answered(ASKED, "Why?", what).sure) == (
        RIGHT,
        True,
    )
    assert answered(ASKED, "Why??", what).sure is False


def test_where_nobody_asks_nothing_is_noted():
    plain_rules = Rules(mode=Mode.SOLO)
    state = session(opened=NOON)
    doubted = Given(session=state.id, turn=0, answer="B?", by=ANN, at=NOON)

    assert answered(plain_rules, RIGHT, sure=False).sure is None
    assert answered(plain_rules, "B").sure is None
    assert answered(ASKED, "3.14", NUMBER).sure is None
    assert answered(ASKED, Chosen(frozenset({0, 2})), MULTI, sure=True).sure is None
    assert answered(ASKED, RIGHT).sure is None  # a vote in a poll says nothing
    assert understood(state, (CHOICE,), doubted) is None


# ------------------------------------------------------------ points


@pytest.mark.parametrize(
    ("grade", "sure", "earned"),
    [
        (1.0, True, 100),
        (1.0, False, 50),
        (0.0, False, 0),
        (0.0, True, -100),
        (0.5, True, 0),
        (0.5, False, 25),
        (1.0, None, 100),
        (0.0, None, 0),
    ],
)
def test_certainty_decides_about_the_points_where_it_is_marked(
    grade: float,
    sure: bool | None,  # noqa: FBT001
    earned: int,
):
    assert points(grade, MARKED, elapsed=1, allowed=30, streak=0, sure=sure) == earned
    usual = round(100 * grade)
    assert points(grade, ASKED, elapsed=1, allowed=30, streak=0, sure=sure) == usual


def test_no_bonus_comes_on_top_of_certainty_marks():
    fast = Rules(
        mode=Mode.LIVE,
        confidence=True,
        certainty_marks=True,
        speed_bonus=True,
        streak_bonus=True,
    )

    assert points(1.0, fast, elapsed=0, allowed=30, streak=3, sure=True) == 100
    assert points(1.0, fast, elapsed=0, allowed=30, streak=3, sure=None) == 180


@given(st.floats(0, 1))
def test_saying_what_one_thinks_earns_most(chance: float):
    """Sure pays exactly for who is right more often than two times in three."""

    def expected(*, sure: bool) -> float:
        won, lost = (
            points(grade, MARKED, elapsed=0, allowed=0, streak=0, sure=sure) for grade in (1.0, 0.0)
        )
        return chance * won + (1 - chance) * lost

    better = expected(sure=True) - expected(sure=False)

    assert better == pytest.approx(150 * (chance - 2 / 3))


@given(st.floats(0, 1), st.floats(0, 1), st.sampled_from([True, False, None]))
def test_a_better_grade_never_earns_less(one: float, other: float, sure: bool | None):  # noqa: FBT001
    worse, better = sorted((one, other))
    earned = [
        points(grade, MARKED, elapsed=0, allowed=0, streak=0, sure=sure)
        for grade in (worse, better)
    ]

    assert earned[0] <= earned[1]


# ------------------------------------------------------------ settings


def test_points_by_sureness_bring_the_question_along_and_go_with_it():
    both = turned(Settings(), "certainty_marks=1")

    assert both == Settings(confidence=True, certainty_marks=True)
    assert turned(both, "confidence=0") == Settings()
    assert turned(both, "certainty_marks=0") == Settings(confidence=True)
    assert turned(Settings(), "confidence=1") == Settings(confidence=True)


def test_a_room_plays_by_what_it_has_chosen():
    both = Settings(confidence=True, certainty_marks=True)

    assert rules_for(both, Rules(mode=Mode.LIVE)) == replace(MARKED, mode=Mode.LIVE)
    marks_alone = rules_for(Settings(certainty_marks=True), Rules(mode=Mode.LIVE))
    assert marks_alone == Rules(mode=Mode.LIVE)


@pytest.mark.parametrize("language", ["en", "id"])
async def test_the_settings_name_both(language: str):
    world = await small_world()
    panel = settings_panel(replace(world.room, settings=Settings(confidence=True)), words(language))

    told = {
        "en": ("How sure people are: **asked with each answer**", "Points by sureness: **off**"),
        "id": ("Seberapa yakin: **ditanyakan di setiap jawaban**", "Poin menurut keyakinan"),
    }[language]
    assert all(line in panel.body[0] for line in told)
    assert len(panel.buttons) == len(KNOBS)


def test_a_session_keeps_its_rules_and_one_of_before_does_not_ask():
    marked = session(rules=_chosen(MARKED))

    assert load(dump(marked)).rules == MARKED
    assert "confidence" not in dump(session())
    assert load(dump(session())).rules == Rules(mode=Mode.SOLO)


# ------------------------------------------------------------ words


def shown(rules: Rules, item: Item = CHOICE, language: str = "en") -> Panel:
    state = session(rules=_chosen(rules) | {"keep_order": True, "style": "poll"})
    return question(state, stage(state, (item,), 0, words(language)))


@pytest.mark.parametrize(
    ("language", "line", "marks"),
    [
        (
            "en",
            "Sure: A. Not sure: A?",
            "Sure: A (right 100, wrong -100 points). Not sure: A? (right 50, wrong 0).",
        ),
        (
            "id",
            "Yakin: A. Belum yakin: A?",
            "Yakin: A (benar 100, salah -100 poin). Belum yakin: A? (benar 50, salah 0).",
        ),
    ],
)
def test_a_question_says_how_to_answer(language: str, line: str, marks: str):
    asked, marked = shown(ASKED, language=language), shown(MARKED, language=language)

    assert [plain(note) for note in asked.notes] == [line]
    assert [plain(note) for note in marked.notes] == [marks]
    assert asked.form
    assert (asked.form.confidence, asked.form.style) == (True, "buttons")


def test_a_question_that_does_not_ask_looks_as_ever():
    several, usual = shown(ASKED, MULTI), shown(Rules(mode=Mode.SOLO))

    assert several.form
    assert usual.form
    assert (several.form.confidence, several.form.style) == (False, "poll")
    assert (usual.form.confidence, usual.form.style, usual.notes) == (False, "poll", ())


def test_how_to_type_an_answer_is_told_with_the_mark():
    state = session(rules=_chosen(ASKED))

    told = hint(stage(state, (CHOICE,), 0, words("en")))

    assert told == "Answer with a letter from A to C; if you are not sure, like “A?”."


@pytest.mark.parametrize(
    ("answer", "english", "indonesian"),
    [
        ("B", "Right, and you were sure!", "Benar, dan kamu yakin!"),
        ("B?", "Right! You can be surer of this.", "Benar! Kamu boleh lebih yakin soal ini."),
        (
            "A",
            "Not quite, and you were sure: worth a second look",
            "Belum tepat, padahal kamu yakin: layak dilihat lagi",
        ),
        ("A?", "Not quite, and you had your doubts", "Belum tepat, dan kamu memang ragu"),
    ],
)
def test_the_verdict_speaks_of_it(answer: str, english: str, indonesian: str):
    state = session(Mode.LIVE, rules=_chosen(ASKED) | {"keep_order": True})
    response = answered(ASKED, answer)
    told = [
        receipt(state, stage(state, (CHOICE,), 0, words(language)), response)
        for language in ("en", "id")
    ]

    assert [panel.heading for panel in told] == [english, indonesian]
    assert f"**{answer}**" in told[0].notes[0]


def test_a_part_of_the_credit_is_told_as_ever():
    half = replace(CHOICE, options=(replace(option("Half"), weight=0.5), *CHOICE.options[1:]))
    state = session(Mode.LIVE, rules=_chosen(ASKED) | {"keep_order": True})
    response = answered(ASKED, "A", half)

    assert receipt(state, stage(state, (half,), 0, words("en")), response).heading == "Partly right"


# ------------------------------------------------------------ from the button to the room


@pytest.fixture
async def world() -> World:
    return await small_world()


async def press(world: World, started: SessionId, value: str, who: Participant) -> None:
    request = Request(room=world.room, person=who, place=Place.ROOM, at=world.watch.now())
    action = Action(verb=Verb.ANSWER, session=started, value=value)
    assert await world.desk.answer(request, action) is None


async def test_a_room_hears_only_how_many_were_sure_and_wrong(world: World):
    cid = await world.store.participant(Alias(platform="test", external="cid"), name="Cid")
    started = await world.start(Mode.RELAXED, confidence=True, certainty_marks=True)
    await press(world, started.id, "0", world.ann)
    await press(world, started.id, "0?", world.ben)
    await press(world, started.id, "1?", cid)
    await world.onward(started, 0)

    told = [note for panel in world.chat.panels() for note in panel.notes]
    standings = await world.host.narrator.standings(started)

    assert "1 of 3 answers were right. 1 was sure and wrong." in told
    assert not any("Ann" in note and "sure" in note for note in told)
    assert [(row.name, row.points) for row in standings] == [("Cid", 50), ("Ben", 0), ("Ann", -100)]
    assert any("Ann -100" in note for note in told)


async def test_who_answers_the_same_but_is_less_sure_is_told_their_own_verdict(world: World):
    started = await world.start(Mode.RELAXED, confidence=True)
    await press(world, started.id, "1", world.ann)
    await press(world, started.id, "1?", world.ben)
    await press(world, started.id, "1", world.ben)

    told = [panel.heading or panel.body[0] for panel in world.chat.panels()][-3:]

    assert told == [
        "Right, and you were sure!",
        "Right! You can be surer of this.",
        "You have already answered **B?**.",
    ]


async def test_a_typed_doubt_is_kept_and_a_forged_button_is_not(world: World):
    started = await world.start(confidence=True)
    await press(world, started.id, "1??", world.ann)
    assert await world.store.response(started.id, 0, world.ann.id) is None

    assert await world.answer(started, "B?") is None

    kept = await world.store.response(started.id, 0, world.ann.id)
    assert kept
    assert (kept.submission, kept.sure, kept.points) == (RIGHT, False, 100)


async def test_a_doubt_is_not_understood_where_nobody_asks(world: World):
    started = await world.start()

    assert await world.answer(started, "B?") is Refusal.UNREADABLE


# ------------------------------------------------------------ reviews


def card(name: str, *, misled: bool = False, stability: float = 1.0, grade: float = 0.0) -> Card:
    return Card(
        pack=PackId("p"),
        item=ItemId(name),
        stability=stability,
        grade=grade,
        at=NOON,
        last=NOON.date(),
        due=NOON.date(),
        misled=misled,
    )


def test_what_somebody_was_sure_of_and_wrong_about_comes_first():
    found = [card("old", stability=0.1), card("misled", misled=True, stability=99), card("new")]

    due = agenda(found, now=NOON, zone=UTC).due
    missed = mistakes(
        [*found[:2], replace(found[2], at=NOON + timedelta(hours=1))], now=later(7200)
    )

    assert [one.item for one in due] == ["misled", "old", "new"]
    assert [one.item for one in missed] == ["misled", "new", "old"]


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([None, True, False])),
        min_size=1,
        max_size=6,
    )
)
def test_a_card_is_misled_by_its_latest_answer_alone(answers: list[tuple[float, bool | None]]):
    traces = [
        Trace(
            pack=PackId("p"),
            item=ItemId("i"),
            grade=grade,
            unsure=unsure,
            at=NOON + timedelta(days=day),
        )
        for day, (grade, unsure) in enumerate(answers)
    ]

    (found,) = cards(traces, lambda *_: "Choice", UTC).values()

    assert found.misled is (answers[-1] == (0.0, False) and answers[-1][1] is False)


# ------------------------------------------------------------ progress


def taken(item: str, grade: float, *, sure: bool | None = None) -> Taken:
    return Taken(
        session=SessionId("s"),
        room=session().room,
        pack=PackId("mixed"),
        item=ItemId(item),
        grade=grade,
        points=0,
        at=NOON,
        week=NOON.date(),
        sure=sure,
    )


def calibrated(*found: Taken) -> object:
    library = Library([pack()])
    return progress(found, library=library, today=NOON.date(), zone=UTC, language="en").calibration


def test_calibration_is_how_often_somebody_is_right_when_sure_and_when_not():
    found = calibrated(
        taken("a", 1.0, sure=True),
        taken("b", 0.0, sure=True),
        taken("c", 1.0, sure=False),
        taken("a", 0.0, sure=True),  # practice: it is the second in a week
        taken("d", 1.0),
    )

    assert found == (
        Sureness(sure=True, answered=2, right=1.0),
        Sureness(sure=False, answered=1, right=1.0),
    )


def test_who_was_never_asked_has_no_calibration_and_who_was_always_sure_one_half():
    assert calibrated(taken("a", 1.0)) is None
    assert calibrated(taken("a", 1.0, sure=True)) == (Sureness(sure=True, answered=1, right=1.0),)
