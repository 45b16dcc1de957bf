"""Joining accounts on Telegram: in one's own chat, with buttons, in both languages."""

import re

import pytest

from bot.links import Outcome, digest
from bot.people import Alias
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, pack
from tests.helpers.telegrams import Stage, asked, staged

GROUP = -1001


async def code_for(stage: Stage, person, command: str = "/link") -> str:
    stage.world.say(person, command)
    (shown,) = await stage.new(person)
    found = re.search(r"/(?:link|tautkan) ([A-Z2-9]{4}-[A-Z2-9]{4})\n", shown["text"] + "\n")
    assert found, shown["text"]
    return found[1]


def text(stage: Stage, message) -> str:
    return stage.world.messages[message["chat"]["id"], message["message_id"]]["text"]


async def identities(stage: Stage, person) -> list[str]:
    who = await stage.store.participant(Alias(platform="telegram", external=str(person.id)))
    return list(await stage.store.identities(who.id))


SAID = {
    "en": ("/link", "/unlink", "Join with Bee on Telegram?", "Yes", "one person", "on its own"),
    "id": (
        "/tautkan",
        "/pisahkan",
        "Gabungkan dengan Bee di Telegram?",
        "Ya",
        "satu orang",
        "terpisah lagi",
    ),
}


@pytest.mark.parametrize("language", ["en", "id"])
async def test_two_accounts_are_joined_and_separated(language: str):
    link, unlink, question, yes, done, apart = SAID[language]
    async with staged(pack(CHOICE)) as stage:
        bee = stage.world.person(1001, "Bee", language)
        ani = stage.world.person(1002, "Ani", language)
        code = await code_for(stage, bee, link)
        stage.world.say(ani, f"{link} {code.lower()}")
        (confirm,) = await stage.new(ani)
        assert question in confirm["text"]

        stage.world.press(ani, confirm, yes)
        await stage.until(lambda: done in text(stage, confirm))
        await stage.desk.tick({"telegram"})
        (told,) = await stage.new(bee)

        assert f"Ani {'on' if language == 'en' else 'di'} Telegram" in told["text"]
        assert len(await identities(stage, bee)) == 2
        stage.world.say(ani, unlink)
        (ask,) = await stage.new(ani)
        stage.world.press(ani, ask, stage.world.buttons(ask)[0]["text"])
        await stage.until(lambda: apart in text(stage, ask))
        assert len(await identities(stage, bee)) == 1


async def test_who_is_told_of_a_stranger_separates_with_one_press():
    async with staged(pack(CHOICE)) as stage:
        bee, eve = stage.world.person(1001, "Bee"), stage.world.person(666, "Eve")
        stage.world.say(eve, f"/link {await code_for(stage, bee)}")
        (confirm,) = await stage.new(eve)
        stage.world.press(eve, confirm, "Yes")
        await stage.until(lambda: "one person" in text(stage, confirm))
        await stage.desk.tick({"telegram"})
        (told,) = await stage.new(bee)

        stage.world.press(bee, told, "Separate")

        await stage.until(lambda: "on its own" in text(stage, told))
        assert len(await identities(stage, eve)) == 1


async def test_in_a_group_no_code_is_shown_and_one_that_is_typed_is_void():
    async with staged(pack(CHOICE)) as stage:
        bee, ani = stage.world.person(1001, "Bee"), stage.world.person(1002, "Ani")
        group = stage.world.group(GROUP, "Kelompok", admins={ani.id})
        stage.world.say(ani, "/link", group)
        (shown,) = await stage.new(group)
        code = await code_for(stage, bee)
        stage.world.say(ani, f"/link {code}", group)
        (typed,) = await stage.new(group)
        stage.world.say(ani, "/unlink", group)
        (elsewhere,) = await stage.new(group)

        for message in (shown, typed, elsewhere):
            assert "own chat" in message["text"]
            assert not stage.world.buttons(message)
        assert "void" in typed["text"]
        links = [e.get("url") for e in shown["entities"]]
        assert any(url and url.endswith("?start=link") for url in links)
        stage.world.say(ani, f"/link {code}")
        (refused,) = await stage.new(ani)
        assert "not good" in refused["text"]


async def test_the_link_from_a_group_shows_a_code_in_ones_own_chat():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")

        assert await code_for(stage, ani, "/start link")


async def test_somebody_elses_button_does_nothing_for_who_forges_it():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        bee, ani = stage.world.person(1001, "Bee"), stage.world.person(1002, "Ani")
        eve = stage.world.person(666, "Eve")
        code = await code_for(stage, bee)
        stage.world.say(ani, f"/link {code}")
        (confirm,) = await stage.new(ani)
        stage.world.say(eve, "/unlink")
        (hers,) = await stage.new(eve)
        stolen = f"1:k::0:join.{digest(code)}"

        stage.world.press(eve, hers, data=stolen)

        (refused,) = await stage.new(eve)
        assert "not good" in refused["text"]
        await stage.pass_time(600)
        stage.world.press(ani, confirm, "Yes")
        (late,) = await stage.new(ani)
        assert "not good" in late["text"]
        assert len(await identities(stage, bee)) == 1


async def test_a_crowd_of_guesses_is_stopped():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1002, "Ani")
        for _ in range(5):
            stage.world.say(ani, "/link AAAA-AAAA")
            (wrong,) = await stage.new(ani)
            assert "not good" in wrong["text"]

        stage.world.say(ani, "/link BBBB-BBBB")

        (refused,) = await stage.new(ani)
        assert "Too many wrong codes" in refused["text"]
        who = await stage.store.participant(Alias(platform="telegram", external="1002"))
        entered = await stage.store.enter_code("x", who.id, stage.clock.now())
        assert entered.outcome is Outcome.TOO_MANY


async def test_who_hides_their_name_is_a_learner_on_boards():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani", "id")
        question = await asked(stage, ani, "/kuis")
        stage.world.vote(ani, question, 0)
        await stage.new(ani)
        stage.world.say(ani, "/privasi")
        (menu,) = await stage.new(ani)

        stage.world.press(ani, menu, "Sembunyikan namaku")

        await stage.until(lambda: "Seorang pelajar" in text(stage, menu))
        stage.world.say(ani, "/peringkat semua")
        (board,) = await stage.new(ani)
        assert "Seorang pelajar" in board["text"]
        assert "Ani" not in board["text"]


async def test_deleting_everything_leaves_not_even_a_note_of_the_chat():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(7391846, "Ani")
        await asked(stage, ani)
        stage.world.say(ani, "/privacy")
        (menu,) = await stage.new(ani)
        stage.world.press(ani, menu, "Delete it")
        await stage.until(lambda: "cannot be undone" in text(stage, menu))
        stage.world.press(ani, menu, "Delete everything")
        await stage.until(lambda: "Nothing about you" in text(stage, menu))
        await stage.quiet()

        kept = vars(stage.store)

        left = [name for name, value in kept.items() if "7391846" in repr(value)]
        assert left == []
