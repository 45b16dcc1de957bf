"""Greetings, pickers, settings and help."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot import menus
from bot.actions import LONGEST, Verb, encode
from bot.commands import COMMANDS, Place, find
from bot.ids import PackId, ParticipantId, RoomId
from bot.menus import KNOBS, Setup, read_setup, turned
from bot.modes import Mode
from bot.packs import Library, Pack, short
from bot.people import Alias, Participant, Room, Settings
from bot.wording import words
from tests.helpers.samples import edition, pack

EN, ID = words("en"), words("id")
HERE = Alias(platform="test", external="here")
ROOM = Room(id=RoomId("r"), alias=HERE)
ANN = Participant(id=ParticipantId("p"), alias=HERE, name="Ann_B")
LIBRARY = Library(Pack(editions=(edition(pack=f"pack-{n:02}"),)) for n in range(20))


def test_every_command_is_found_by_its_name_in_either_language():
    assert find("quiz") is find("KUIS") is COMMANDS[0]
    assert find("nothing") is None
    assert len({command.indonesian for command in COMMANDS}) == len(COMMANDS)


def test_help_lists_what_makes_sense_in_a_place():
    private = menus.help_(Place.PRIVATE, EN)
    room = menus.help_(Place.ROOM, ID)

    assert "/settings" not in "".join(private.body)
    assert "/pengaturan — " in room.body[3]


def test_help_goes_by_what_people_want():
    _, *groups = menus.help_(Place.ROOM, EN).body

    headings = [group.partition("  \n")[0] for group in groups]
    assert headings == ["**Play**", "**Learn**", "**Teach**", "**About you**"]
    assert "/daily — " in groups[0]
    assert "/help" not in "".join(groups)


def test_a_greeting_offers_packs():
    panel = menus.greeting("Ann_B", LIBRARY, EN)

    assert r"Hello Ann\_B!" in panel.body[0]
    assert panel.buttons[0].action.verb is Verb.PLAY


def test_packs_come_in_pages():
    first, middle, beyond = (menus.packs(LIBRARY, page, EN) for page in (0, 1, 99))

    assert (first.progress, middle.progress, beyond.progress) == ("1/3", "2/3", "3/3")
    assert [b.label for b in first.buttons][-1] == "More ›"
    assert [b.label for b in middle.buttons][-2:] == ["‹ Back", "More ›"]
    assert [b.label for b in beyond.buttons][-1] == "‹ Back"


def test_an_empty_shelf_says_so():
    panel = menus.packs(Library(), 0, EN)

    assert panel.body == ("There are no quizzes yet.",)
    assert (panel.progress, panel.buttons) == ("", ())


def test_a_setup_travels_in_its_own_buttons():
    long = PackId("a-pack-with-a-name-that-is-longer-than-any-button")
    setup = Setup(pack=short(long), count=10, seconds=30, mode=Mode.RELAXED)
    shelf = Library([Pack(editions=(edition(pack=long),))])

    panel = menus.setup_card(setup, Pack(editions=(edition(pack=long),)), EN)

    assert all(len(encode(button.action).encode()) <= LONGEST for button in panel.buttons)
    assert read_setup(panel.buttons[-1].action.value) == setup
    assert shelf.get(setup.pack) is shelf.get(long)


def test_each_button_of_a_setup_changes_one_thing():
    described = Pack(editions=(edition(description="What it is *about*."),))
    setup = Setup(pack="mixed", count=0, seconds=90, mode=Mode.LIVE)

    panel = menus.setup_card(setup, described, EN)

    changes = [read_setup(button.action.value) for button in panel.buttons]
    assert [button.label for button in panel.buttons] == [
        "5 questions",
        "90 seconds each",
        "live, by the clock",
        "Start",
    ]
    assert changes[1] == replace(setup, seconds=10)
    assert changes[2] == replace(setup, mode=Mode.RELAXED)
    assert panel.body == (r"What it is \*about\*\.",)


@given(st.text())
def test_a_forged_setup_is_refused(value: str):
    setup = read_setup(value)

    assert setup is None or setup.value() == value


@pytest.mark.parametrize("value", ["", "p,1,30,live", "p,5,31,live", "p,5,30,party", "p,x,30,live"])
def test_a_setup_with_values_nobody_offered_is_refused(value: str):
    assert read_setup(value) is None


def test_settings_show_every_knob_and_turn_each():
    panel = menus.settings(ROOM, ID)

    assert len(panel.buttons) == len(KNOBS)
    assert "Zona waktu: **UTC**" in panel.body[0]
    for button in panel.buttons:
        after = turned(Settings(), button.action.value)
        assert after is not None
        assert after != Settings()


def test_turning_a_knob_all_the_way_round_comes_back():
    settings = Settings()
    for knob in KNOBS:
        for place in [*range(1, len(knob.values)), 0]:
            settings = turned(settings, f"{knob.name}={place}") or settings

    assert settings.confidence  # what points by sureness cannot do without
    assert replace(settings, seconds=30, language="", mode="", confidence=False) == Settings()


def test_a_setting_nobody_offered_is_still_shown():
    odd = replace(ROOM, settings=Settings(time_zone="Asia/Tokyo"))

    assert "Asia/Tokyo" in menus.settings(odd, EN).body[0]


@pytest.mark.parametrize(
    "value", ["", "seconds=99", "seconds=-1", "seconds=x", "root=1", "seconds=²"]
)
def test_a_forged_setting_is_refused(value: str):
    assert turned(Settings(), value) is None


def test_languages_are_offered_in_their_own_names():
    assert [b.label for b in menus.languages(EN).buttons] == ["English", "Bahasa Indonesia"]


@pytest.mark.parametrize("mode", list(Mode))
def test_every_mode_has_a_name(mode: Mode):
    assert menus.mode_name(mode, EN) != menus.mode_name(mode, ID)


def test_a_pack_of_few_items_offers_no_more_than_it_has():
    setup = Setup(pack="mixed", count=20, seconds=30, mode=Mode.RELAXED)

    panel = menus.setup_card(setup, pack(), EN)

    assert panel.buttons[0].label == "5 questions"
    assert read_setup(panel.buttons[0].action.value) == replace(setup, count=0)
