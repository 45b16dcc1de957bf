from dataclasses import replace

import pytest

from bot.ids import ItemId
from bot.items import Choice, MultiChoice, Option
from bot.limits import DISCORD, TELEGRAM, look
from bot.text import Markdown
from tests.helpers.samples import CHOICE, MULTI, NUMBER, SHORT, TRUE

SEED = (
    "Call optimizer.step() after N micro-batches, then clear gradients before the next "
    "accumulation window"
)


def choice(stem: str, *texts: str) -> Choice:
    options = tuple(Option(text=Markdown(text)) for text in texts)
    return Choice(id=ItemId("one"), stem=Markdown(stem), options=options, key=0)


@pytest.mark.parametrize("limits", [TELEGRAM, DISCORD])
def test_short_plain_texts_fit_a_poll(limits):
    assert look(CHOICE, limits) == "poll"
    assert look(TRUE, limits) == "poll"


@pytest.mark.parametrize("limits", [TELEGRAM, DISCORD])
@pytest.mark.parametrize("item", [SHORT, NUMBER])
def test_a_typed_answer_is_text_everywhere(item, limits):
    assert look(item, limits) == "text"


def test_several_keys_are_a_poll_on_telegram_and_a_menu_on_discord():
    assert look(MULTI, TELEGRAM) == "poll"
    assert look(MULTI, DISCORD) == "select"


@pytest.mark.parametrize("limits", [TELEGRAM, DISCORD])
def test_the_long_option_of_the_seed_is_shown_beside_letters(limits):
    item = choice("When?", SEED, "Never")

    assert len(SEED) == 101
    assert look(item, limits) == "letters"


@pytest.mark.parametrize(("limits", "most"), [(TELEGRAM, 100), (DISCORD, 55)])
def test_an_option_fits_up_to_the_last_character(limits, most):
    assert look(choice("When?", "x" * most, "b"), limits) == "poll"
    assert look(choice("When?", "x" * (most + 1), "b"), limits) == "letters"


@pytest.mark.parametrize("limits", [TELEGRAM, DISCORD])
def test_a_stem_fits_up_to_300_characters(limits):
    assert look(choice("x" * 300, "a", "b"), limits) == "poll"
    assert look(choice("x" * 301, "a", "b"), limits) == "letters"
    assert look(replace(TRUE, stem=Markdown("x" * 301)), limits) == "letters"


@pytest.mark.parametrize("text", ["`x`", "**x**", "$x$", "![x](y)", "a\\\nb", "a\n\nb"])
def test_formatting_asks_for_letters(text):
    assert look(choice(text, "a", "b"), TELEGRAM) == "letters"
    assert look(choice("When?", text, "b"), TELEGRAM) == "letters"


def test_characters_are_counted_as_the_server_does():
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"

    assert look(choice("When?", family * 20, "b"), TELEGRAM) == "poll"
    assert look(choice("When?", family * 20 + "x", "b"), TELEGRAM) == "letters"
    assert look(choice("When?", "e\u0301" * 100, "b"), TELEGRAM) == "poll"


@pytest.mark.parametrize(("limits", "most"), [(TELEGRAM, 12), (DISCORD, 10)])
def test_more_options_than_a_poll_takes_are_buttons(limits, most):
    many = choice("When?", *map(str, range(most + 1)))

    assert look(many, limits) == "buttons"
    assert look(replace(many, options=many.options[:-1]), limits) == "poll"


def test_many_options_with_several_keys_are_buttons_on_telegram():
    options = choice("", *map(str, range(13))).options
    item = MultiChoice(id=ItemId("m"), stem=Markdown("?"), options=options, keys=frozenset({1, 2}))

    assert look(item, TELEGRAM) == "buttons"
