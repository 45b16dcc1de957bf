"""Items that are not answered with a letter: menus, forms, numbers; and how their texts look."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.packs import Library, Pack
from tests.helpers.discord_looks import buttons, shown, walk
from tests.helpers.discord_stage import Stage, performance
from tests.helpers.samples import MULTI, NUMBER, SHORT, edition

SHELF = [
    Pack(editions=(edition(item, pack=str(item.id), title=str(item.id)),))
    for item in (MULTI, NUMBER, SHORT)
]


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async for stage in performance(Library(SHELF)):
        yield stage


@pytest.fixture(autouse=True)
def env(stage: Stage) -> Any:
    return stage.env


async def reach(stage: Stage, person: Any, kind: str) -> Any:
    """Start the quiz that consists of one item."""
    return (await person.slash(stage.channel, "quiz", pack=kind)).response


async def test_several_keys_are_chosen_from_a_menu(stage: Stage) -> None:
    ann = stage.member("ann")
    message = await reach(stage, ann, "primes")
    (menu,) = [part for part in walk(message.components) if part["type"] == 3]

    await ann.select(message, ["0", "2"])

    assert menu["max_values"] == 4
    assert menu["custom_id"].startswith("menu:")
    assert "✅ Right!" in shown(message)


async def test_a_part_of_the_keys_is_partly_right(stage: Stage) -> None:
    ann = stage.member("ann")
    message = await reach(stage, ann, "primes")

    await ann.select(message, ["0"])

    assert "🟡 Partly right" in shown(message)


@pytest.mark.parametrize(
    ("kind", "typed", "verdict"),
    [("pi", "3,14", "Right!"), ("pi", "4", "Not quite"), ("rate", "Learning Rate", "Right!")],
)
async def test_numbers_and_words_are_typed_into_a_form(
    stage: Stage, kind: str, typed: str, verdict: str
) -> None:
    ann = stage.member("ann")
    message = await reach(stage, ann, kind)

    form = await ann.click(message, label="✏️ Answer")
    await ann.submit_modal(form, {"typed": typed})

    assert form.modal["title"] == "Your answer"
    assert verdict in shown(message)


async def test_a_form_that_was_open_during_a_restart_still_counts(stage: Stage) -> None:
    ann = stage.member("ann")
    message = await reach(stage, ann, "rate")
    form = await ann.click(message, label="✏️ Answer")

    await stage.restart()
    await ann.submit_modal(form, {"typed": "step size"})

    assert "Right!" in shown(message)


async def test_what_is_no_number_is_asked_for_again(stage: Stage) -> None:
    ann = stage.member("ann")
    message = await reach(stage, ann, "pi")

    form = await ann.click(message, label="✏️ Answer")
    told = await ann.submit_modal(form, {"typed": "about three"})

    assert "I could not read that as an answer. Answer with a number" in shown(told.response)
    assert "✏️ Answer" in buttons(message)


async def test_a_form_with_4000_characters_is_refused_politely(stage: Stage) -> None:
    ann = stage.member("ann")
    message = await reach(stage, ann, "rate")
    action = buttons(message)["✏️ Answer"]["custom_id"]

    record, payload = stage.press(ann, message, action)
    field = {"type": 4, "custom_id": "typed", "value": "@everyone " * 400}
    payload |= {
        "type": 5,
        "data": {"custom_id": action, "components": [{"type": 18, "component": field}]},
    }
    await stage.at_once([payload])

    assert "I could not read that" in shown(stage.told(record))
    session = await stage.session(ann)
    assert session
    assert session.phase.value == "open"


async def test_formulas_are_readable(stage: Stage) -> None:
    ann = stage.member("ann")

    message = await reach(stage, ann, "rate")

    assert "What is η?" in shown(message)
