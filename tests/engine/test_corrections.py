"""Corrections as values: which key holds where, and what responses are worth by it."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.corrections import Correction, allowed, corrected, in_force, overlaid
from bot.grading import grade, worth
from bot.ids import ItemId, PackId, RoomId, SessionId
from bot.items import Choice, MultiChoice, keys
from bot.keying import Keys
from bot.modes import Mode
from bot.packs import Library, Pack, problems
from bot.ports import Response
from bot.rescoring import counted, regraded, rekeyed
from bot.scoring import points
from bot.submissions import Chosen
from tests.helpers.samples import (
    ANN,
    BEN,
    CHOICE,
    MULTI,
    NOON,
    NUMBER,
    SHORT,
    TRUE,
    edition,
    option,
    session,
)

MIXED = PackId("mixed")
HALL = RoomId("hall")


def correction(item: object, *right: int, **more: object) -> Correction:
    fields = {
        "pack": MIXED,
        "item": item.id,  # type: ignore[attr-defined]
        "was": keys(item),  # type: ignore[arg-type]
        "at": NOON,
        **more,
    }
    return Correction(keys=frozenset(right), **fields)  # type: ignore[arg-type]


def chosen(*places: int) -> Chosen:
    return Chosen(frozenset(places))


@pytest.mark.parametrize(
    ("item", "right"), [(CHOICE, {0}), (CHOICE, {0, 2}), (MULTI, {1, 2}), (TRUE, {1})]
)
def test_the_keys_of_every_kind_with_options_can_be_corrected(item, right):
    now = corrected(item, correction(item, *right), "en")

    assert keys(now) == right
    assert "was corrected" in now.rationale
    assert grade(now, chosen(min(right))) == (0.5 if isinstance(item, MultiChoice) else 1)


def test_several_keys_of_a_choice_are_worth_as_much_each():
    now = corrected(CHOICE, correction(CHOICE, 0, 2), "id")

    assert isinstance(now, Choice)
    assert [worth(now, place) for place in range(3)] == [1, 0, 1]
    assert "sudah dikoreksi" in now.rationale
    with pytest.raises(ValueError, match="not one of 3 options"):
        replace(CHOICE, also=frozenset({3}))


def test_weights_that_an_author_gave_to_the_old_key_go():
    weighted = replace(CHOICE, options=tuple(replace(o, weight=0.3) for o in CHOICE.options))

    now = corrected(weighted, correction(weighted, 2), "en")

    assert [grade(now, chosen(place)) for place in range(3)] == [0, 0, 1]


@pytest.mark.parametrize("right", [(), (3,), (0, 7)])
def test_what_cannot_be_a_key_corrects_nothing(right):
    assert not allowed(CHOICE, frozenset(right))
    assert corrected(CHOICE, correction(CHOICE, *right), "en") is CHOICE


def test_items_that_are_typed_and_two_truths_cannot_be_corrected():
    assert not allowed(TRUE, frozenset({0, 1}))
    for item in (SHORT, NUMBER):
        assert corrected(item, correction(item, 0), "en") is item


def test_a_correction_lapses_when_the_file_says_something_else():
    mended = replace(CHOICE, key=2)

    assert corrected(mended, correction(CHOICE, 0), "en") is mended
    assert corrected(CHOICE, None, "en") is CHOICE


def test_the_last_word_that_reaches_a_room_holds():
    log = [
        correction(CHOICE, 0, id=1, room=HALL),
        correction(CHOICE, 2, id=2),
        correction(CHOICE, 0, 2, id=3, room=RoomId("other")),
        correction(MULTI, 1, id=4, undone=True),
    ]

    here = in_force(log, HALL)

    assert {item: one.id for (_, item), one in here.items()} == {CHOICE.id: 2}


def test_all_editions_of_a_pack_are_corrected_alike():
    pack = Pack(editions=(edition(CHOICE, MULTI), edition(CHOICE, MULTI, language="id")))

    now = overlaid(pack, in_force([correction(CHOICE, 2)], HALL))

    assert problems(now) == ()
    assert [keys(one) for one in now.versions(CHOICE.id)] == [{2}, {2}]
    assert [keys(one) for one in now.versions(MULTI.id)] == [{0, 2}, {0, 2}]
    assert overlaid(pack, in_force([correction(CHOICE, 2, pack=PackId("x"))], HALL)) is pack


class Shelf:
    """Corrections, kept in a list."""

    def __init__(self) -> None:
        self.log: list[Correction] = []
        self.reads = 0

    async def stamp(self) -> int:
        return len(self.log)

    async def corrections(self) -> tuple[int, list[Correction]]:
        self.reads += 1
        return len(self.log), list(self.log)


async def test_a_process_reads_what_was_corrected_and_only_then():
    shelf, pack = Shelf(), Pack(editions=(edition(CHOICE),))
    held = Keys(store=shelf, library=Library([pack]))  # type: ignore[arg-type]
    await held.refresh()
    assert held.pack(MIXED, HALL) is pack
    assert held.pack(PackId("none")) is None

    shelf.log += [correction(CHOICE, 0, id=1, room=HALL), correction(MULTI, 1, id=2)]
    await held.refresh()
    await held.refresh()

    here, there = held.pack(MIXED, HALL), held.pack(MIXED, RoomId("there"))
    assert here
    assert there
    assert (shelf.reads, held.stamp) == (1, 2)
    assert keys(here.versions(CHOICE.id)[0]) == {0}
    assert keys(there.versions(CHOICE.id)[0]) == {1}
    assert held.pack(MIXED, HALL) is here
    assert held.original(MIXED) is pack
    assert held.latest(MIXED, CHOICE.id, HALL) == shelf.log[0]
    assert held.latest(MIXED, CHOICE.id) is None
    assert held.find(2) == shelf.log[1]
    assert held.find(3) is None


# ------------------------------------------------------------ rescoring


ITEMS = tuple(
    Choice(id=ItemId(f"i{n}"), stem=CHOICE.stem, options=tuple(map(option, "ABC")), key=0)
    for n in range(5)
)
PLACES = st.lists(st.one_of(st.none(), st.integers(0, 2)), min_size=5, max_size=5)
RULES = st.fixed_dictionaries({"streak_bonus": st.booleans(), "speed_bonus": st.booleans()})


def played(places, rules, right, who=ANN):
    """Play five items by the keys that `right` names; None leaves one out."""
    going = session(Mode.LIVE, items=5, rules=rules, id=SessionId("s"), seconds=(0, 12, 0, 40, 0))
    streak = 0
    for turn, place in enumerate(places):
        if place is None:
            streak = 0
            continue
        earned = float(place == right[turn])
        allowed_ = replace(going, turn=turn).allowed
        yield Response(
            session=going.id,
            turn=turn,
            participant=who,
            room=going.room,
            pack=going.pack,
            item=ITEMS[turn].id,
            submission=chosen(place),
            grade=earned,
            points=points(
                earned, going.rules, elapsed=turn * 2.345, allowed=allowed_, streak=streak
            ),
            at=NOON,
            elapsed=turn * 2.345,
            week=NOON.date(),
        )
        streak = streak + 1 if earned else 0


@given(anns=PLACES, bens=PLACES, rules=RULES, turn=st.integers(0, 4), key=st.integers(0, 2))
def test_rescoring_gives_what_would_have_been_earned_by_the_right_key(anns, bens, rules, turn, key):
    before = [0] * 5
    after = [*before[:turn], key, *before[turn + 1 :]]
    item = ITEMS[turn]
    log = [correction(item, key)] if key else []
    going = session(Mode.LIVE, items=5, rules=rules, id=SessionId("s"), seconds=(0, 12, 0, 40, 0))
    was = [*played(anns, rules, before), *played(bens, rules, before, BEN)]
    wanted = [*played(anns, rules, after), *played(bens, rules, after, BEN)]

    now = rekeyed([item], going.pack, log, going.room)
    changed = {(one.participant, one.turn): one for one in regraded(going, reversed(was), now)}

    result = [changed.get((one.participant, one.turn), one) for one in was]
    assert result == wanted
    differing = [one for one, other in zip(was, wanted, strict=True) if one != other]
    assert len(changed) == len(differing)
    back = rekeyed([item], going.pack, [], going.room)
    undone = {(one.participant, one.turn): one for one in regraded(going, result, back)}
    assert [undone.get((one.participant, one.turn), one) for one in result] == was


def test_everybody_is_counted_once_in_each_room():
    one, two = list(played([1, 2, None, None, None], {}, [0] * 5))[:2]
    elsewhere = replace(one, room=RoomId("other"))
    made = correction(CHOICE, 0)

    result = counted(made, [one, two, elsewhere, replace(one, participant=BEN)])

    assert (result.people, result.responses) == (2, 4)
    assert Counter(result.rooms) == {one.room: 2, "other": 1}
