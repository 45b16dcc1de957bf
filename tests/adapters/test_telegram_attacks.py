"""Telegram when somebody means ill: forged buttons, rubbish, and a webhook without its secret."""

import json
from io import BytesIO

from aiohttp import ClientSession

from bot.session import Phase
from tests.fakes.bot_api import BotApi
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, NUMBER, SHORT, TRUE, pack
from tests.helpers.telegrams import Stage, asked, staged

GROUP = -1001234567890


async def test_a_forged_button_for_another_persons_quiz_moves_nothing():
    async with staged(pack(CHOICE, TRUE)) as stage:
        ani, eve = stage.world.person(1001, "Ani"), stage.world.person(666, "Eve")
        question = await asked(stage, ani)
        await stage.quiet()
        session = await stage.session(ani, ani)
        stage.world.say(eve, "/help")
        (help_,) = await stage.new(eve)

        for data in (
            f"1:x:{session.id}:0:",
            f"1:n:{session.id}:0:",
            f"1:s:{session.id}:0:",
            f"1:a:{session.id}:0:1",
            f"1:m:{session.id}:0:",
            f"1:h:{session.id}:0:",
            "1:g::0:language=99",
            "1:u::1:mixed,10,30,live,extra",
            "1:p::0:no-such-pack",
            "2:n:x:0:",
            "garbage",
            "1:a:nothing:0:" + "9" * 40,
        ):
            query = stage.world.press(eve, help_, data=data)
            await stage.until(lambda: stage.api.answer_to(query) is not None)  # noqa: B023

        assert (await stage.session(ani, ani)) == session
        stage.world.vote(ani, question, 0)
        (verdict,) = await stage.new(ani)
        assert "1/2" in verdict["text"]


async def test_an_admin_of_one_group_cannot_stop_the_quiz_of_another():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, eve = stage.world.person(1001, "Ani"), stage.world.person(666, "Eve")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        other = stage.world.group(GROUP - 1, "Evil group", admins={eve.id})
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        await stage.new(group)
        session = await stage.session(group)
        stage.world.say(eve, "/packs", other)
        (shelf,) = await stage.new(other)

        query = stage.world.press(eve, shelf, data=f"1:x:{session.id}:0:")
        await stage.until(lambda: stage.api.answer_to(query))

        assert (await stage.session(group)).phase is Phase.OPEN


async def test_an_answer_of_ten_thousand_characters_is_taken_in_stride():
    async with staged(pack(SHORT, NUMBER)) as stage:
        ani = stage.world.person(1001, "Ani")
        for _ in range(2):
            stage.world.say(ani, "/quiz")
            (question,) = await stage.new(ani)
            stage.world.say(ani, "<b>@everyone " * 800)
            (told,) = await stage.new(ani)
            assert len(told["text"]) < 2000
            assert question


async def test_deep_links_with_rubbish_are_answered_kindly():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        for rubbish in ("__0123", "..%2F", "<script>", "q" * 64, "'; drop table"):
            stage.world.say(ani, f"/start {rubbish}")
            (told,) = await stage.new(ani)
            assert told["text"]


async def test_a_webhook_takes_updates_with_the_secret_and_refuses_the_others(unused_tcp_port):
    async with BotApi() as api:
        stage = Stage(
            api,
            pack(CHOICE),
            webhook_url=f"http://127.0.0.1:{unused_tcp_port}",
            port=unused_tcp_port,
        )
        await stage.open()
        await stage.until(lambda: api.webhook)
        ani = stage.world.person(1001, "Ani")

        question = await asked(stage, ani)
        stage.world.vote(ani, question, "Jakarta")
        (verdict,) = await stage.new(ani)
        url, secret = api.webhook["url"], api.webhook["secret_token"]
        name = "X-Telegram-Bot-Api-Secret-Token"
        codes = []
        async with ClientSession() as client:
            for path, header, body in (
                (url, {}, "{}"),
                (url, {name: "x" + secret[1:]}, "{}"),
                (url, {name: secret}, "no json"),
                (url, {name: secret}, "[]"),
                (url, {name: secret}, json.dumps({"update_id": 1})),
                (url, {name: secret}, BytesIO(b"[" + b" " * 2_000_000 + b"]")),
                (f"http://127.0.0.1:{unused_tcp_port}/", {name: secret}, "{}"),
            ):
                async with client.post(path, data=body, headers=header) as answer:
                    codes.append(answer.status)

        assert "Right!" in verdict["text"]
        assert codes == [403, 403, 400, 400, 200, 413, 404]
        assert api.webhook["drop_pending_updates"] == "false"
        assert api.webhook["url"].count(stage.chat._token) == 0  # noqa: SLF001
        await stage.close()
