"""What people type after /daily, and which packs a question is from."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.appointments import (
    WEEKDAYS,
    Wanted,
    choose_pack,
    read,
    source_of,
    sources,
    zone_label,
    zone_of,
)
from bot.dailies import EVERY_DAY
from bot.errors import UnknownPack
from bot.ids import ItemId, PackId
from bot.items import Choice
from bot.packs import Library, Pack
from bot.text import Markdown
from tests.helpers.samples import CHOICE, MULTI, NUMBER, SHORT, TRUE, edition, option


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("", Wanted(what="show")),
        ("show", Wanted(what="show")),
        ("off", Wanted(what="off")),
        ("mati", Wanted(what="off")),
        ("set", Wanted(what="set")),
        ("set 07:30", Wanted(what="set", minute=450)),
        ("7.30", Wanted(what="set", minute=450)),
        ("set 7am", Wanted(what="set", minute=420)),
        ("set 12am", Wanted(what="set", minute=0)),
        ("set 12:15pm", Wanted(what="set", minute=735)),
        ("set 19:05pm", Wanted(what="set", minute=1145)),
        ("set 07:30 WIB", Wanted(what="set", minute=450, zone="Asia/Jakarta")),
        ("set Asia/Tokyo 07:30", Wanted(what="set", minute=450, zone="Asia/Tokyo")),
        ("set 07:30 UTC+7", Wanted(what="set", minute=450, zone="Etc/GMT-7")),
        ("set 07:30 UTC-8", Wanted(what="set", minute=450, zone="Etc/GMT+8")),
        ("set 07:30 weekdays", Wanted(what="set", minute=450, days=WEEKDAYS)),
        ("atur 07:30 hari kerja", Wanted(what="set", minute=450, days=WEEKDAYS)),
        ("set 07:30 every day", Wanted(what="set", minute=450, days=EVERY_DAY)),
        ("set 07:30 setiap hari", Wanted(what="set", minute=450, days=EVERY_DAY)),
        ("set 07:30 weekends", Wanted(what="set", minute=450, days=EVERY_DAY - WEEKDAYS)),
        ("set 07:30 mon,wed,fri", Wanted(what="set", minute=450, days=frozenset({0, 2, 4}))),
        ("set 07:30 sen rab", Wanted(what="set", minute=450, days=frozenset({0, 2}))),
        ("set 07:30 fri-mon", Wanted(what="set", minute=450, days=frozenset({4, 5, 6, 0}))),
        ("set 07:30 mon-fri", Wanted(what="set", minute=450, days=WEEKDAYS)),
        ("set 07:30 A mixed pack", Wanted(what="set", minute=450, words="A mixed pack")),
        ("set 07:30 mon-noon", Wanted(what="set", minute=450, words="mon-noon")),
        ("set , 25:00", Wanted(what="set", words=", 25:00")),
        ("whatever", Wanted(what="", words="whatever")),
    ],
)
def test_what_is_typed_is_read_in_any_order_and_both_languages(typed: str, expected: Wanted):
    assert read(typed) == expected


@given(st.text(max_size=60))
def test_whatever_is_typed_is_read_as_something(text: str):
    assert read(text).what in {"", "show", "set", "off"}
    assert read(f"set {text}").what == "set"


def test_time_zones_that_do_not_exist_are_none():
    for name in ("Asia/Atlantis", "UTC+99", "America/Argentina", "../etc/passwd", "A/..", "07:30"):
        assert zone_of(name) is None
    assert zone_of("los_angeles") == "America/Los_Angeles"
    assert zone_label("America/Argentina/Buenos_Aires") == "America/Argentina/Buenos Aires"
    assert zone_label("Asia/Jakarta") == "WIB · Jakarta"


def shelf() -> tuple[Library, Pack, Pack]:
    tagged = Choice(
        id=ItemId("tagged"),
        stem=Markdown("?"),
        options=(option("a"), option("b")),
        key=0,
        tags=("Old times",),
    )
    first = Pack(editions=(edition(CHOICE, MULTI, pack="first", title="First"),))
    second = Pack(
        editions=(edition(NUMBER, tagged, pack="second", title="Second", tags=("maths",)),)
    )
    return Library([first, second]), first, second


def test_a_pack_or_tags_or_nothing_say_what_a_question_is_from():
    library, first, second = shelf()
    everything = [(pack, frozenset(pack.item_ids)) for pack in (first, second)]

    assert source_of("", library) == ""
    assert source_of("first", library) == "first"
    assert source_of("#maths", library) == "#maths"
    assert source_of("#Old-Times, nothing", library) == "#old-times #nothing"
    with pytest.raises(UnknownPack):
        source_of("#nothing", library)
    assert list(sources("", library)) == everything
    assert list(sources("first", library)) == everything[:1]
    assert list(sources("#maths", library)) == everything[1:]
    assert list(sources("#old-times", library)) == [(second, frozenset({"tagged"}))]


def test_nothing_repeats_until_everything_was_asked_and_packs_take_turns():
    short = Pack(editions=(edition(CHOICE, pack="a"),))
    long = Pack(editions=(edition(MULTI, TRUE, SHORT, NUMBER, pack="b"),))
    candidates = [(pack, frozenset(pack.item_ids)) for pack in (long, short)]
    asked: dict[PackId, dict[ItemId, int]] = {PackId("a"): {}, PackId("b"): {}}
    used: dict[PackId, date] = {}
    order = []

    for number in range(10):
        pack, items = choose_pack(candidates, asked, used)
        item = min(items, key=lambda one: (asked[pack.id].get(one, 0), one))
        asked[pack.id][item] = asked[pack.id].get(item, 0) + 1
        used[pack.id] = date(2026, 12, 1 + number)
        order.append(item)

    assert len(set(order[:5])) == len(set(order[5:])) == 5
    assert order.index(CHOICE.id) < 2
