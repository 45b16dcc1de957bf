"""Telegram when things go wrong, by accident or on purpose."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace

import pytest

from adapters.clock import SystemClock
from adapters.storage import MemoryStore
from adapters.telegram.pacing import Pace
from adapters.telegram.polling import Poller
from adapters.telegram.wire import make_bot
from bot.errors import KuisError
from bot.packs import Pack
from bot.people import Alias
from tests.fakes.bot_api import TOKEN, BotApi
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, MULTI, TRUE, pack
from tests.helpers.telegrams import Stage, asked, staged

GROUP = -1001234567890


async def test_a_poison_update_is_kept_aside_and_the_others_are_handled():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.api.emit_raw({"update_id": 500_000_001, "poll_answer": {"poll_id": 1}})
        stage.api.emit_raw({"update_id": 500_000_002, "message": {"text": "no chat"}})

        question = await asked(stage, ani)

        assert "poll" in question
        kept = json.loads(await stage.store.note("telegram.unreadable.500000002") or "")
        assert kept["message"] == {"text": "no chat"}
        await stage.until(lambda: stage.api.confirmed >= 500_000_002)


async def test_an_update_with_nothing_in_it_we_know_is_passed():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.api.emit_raw({"update_id": 500_000_001, "something_new": {"a": 1}})

        assert "poll" in await asked(stage, ani)


async def test_being_told_to_wait_silences_one_chat_and_no_other():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, ben = stage.world.person(1001, "Ani"), stage.world.person(1002, "Ben")
        stage.api.fail(
            "sendPoll",
            429,
            "Too Many Requests: retry after 20",
            parameters={"retry_after": 20},
            when=lambda params: params["chat_id"] == "1001",
        )
        stage.world.say(ani, "/quiz")
        await stage.until(lambda: [c for c in stage.api.calls if not c.ok])

        other = await asked(stage, ben)
        silent = await stage.none(ani)
        await stage.pass_time(21)
        (question,) = await stage.new(ani)

        assert silent
        assert "poll" in other
        session = await stage.session(ani, ani)
        assert session.opened == stage.clock.now()
        stage.world.vote(ani, question, "Jakarta")
        (verdict,) = await stage.new(ani)
        assert "Right!" in verdict["text"]


async def test_a_gateway_that_stumbles_is_asked_again():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.api.fail("sendPoll", 502, "Bad Gateway", times=2)
        stage.world.say(ani, "/quiz")
        await stage.until(lambda: len([c for c in stage.api.calls if not c.ok]) == 1)
        await stage.pass_time(1)
        await stage.until(lambda: len([c for c in stage.api.calls if not c.ok]) == 2)
        await stage.pass_time(2)

        (question,) = await stage.new(ani)

        assert "poll" in question


async def test_a_dropped_connection_is_perhaps_delivered_and_not_repeated_blindly():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.api.fail("sendPoll", kind="drop", after=True)

        stage.world.say(ani, "/quiz")
        _, told = await stage.new(ani, 2)

        assert "could not reach the chat" in told["text"]
        stage.world.press(ani, told, "Go on")
        (question,) = await stage.new(ani)
        stage.world.vote(ani, question, "Jakarta")
        (verdict,) = await stage.new(ani)
        assert "Right!" in verdict["text"]


async def test_a_verdict_that_is_perhaps_delivered_leaves_the_quiz_where_it_should_be():
    async with staged(pack(CHOICE, TRUE)) as stage:
        ani = stage.world.person(1001, "Ani")
        question = await asked(stage, ani)
        stage.api.fail("sendMessage", kind="drop", after=True)
        stage.world.vote(ani, question, 0)

        (verdict,) = await stage.new(ani)
        stage.world.press(ani, verdict, "Next")
        (second,) = await stage.new(ani)

        assert "2/2" in second["poll"]["question"]


async def test_updates_flow_again_after_dropped_hung_and_failed_requests():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        for kind in ("drop", "refuse"):
            stage.api.fail("getUpdates", kind=kind)
            stage.world.say(ani, "/help")
            await stage.new(ani)

        assert "poll" in await asked(stage, ani)


class SlowNotes(MemoryStore):
    """A store that takes its time to look something up."""

    async def note(self, key: str) -> str | None:
        found = await super().note(key)
        await asyncio.sleep(0.05)
        return found


async def test_a_vote_that_comes_while_its_poll_is_being_stored_is_taken():
    async with staged(pack(CHOICE), store=SlowNotes()) as stage:
        ani = stage.world.person(1001, "Ani")
        slow = stage.api.fail("sendPoll", kind="hold", after=True)
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        stage.world.vote(ani, question, "Jakarta")
        await stage.until(lambda: stage.api.updates)
        slow.release.set()

        (verdict,) = await stage.new(ani)

        assert "Right!" in verdict["text"]


class Listener:
    """Takes in updates for a test."""

    def __init__(self) -> None:
        self.heard: list[int] = []

    async def take(self, raw: list[dict[str, object]]) -> None:
        self.heard += [int(str(one["update_id"])) for one in raw]


async def test_a_connection_that_has_gone_deaf_is_opened_anew():
    async with BotApi() as api:
        listener, stopping = Listener(), asyncio.Event()
        poller = Poller(
            bot=make_bot(TOKEN, api.url),
            intake=listener,  # type: ignore[arg-type] # all that is called of it
            clock=SystemClock(),
            long_poll=0,
            answer_seconds=0.3,
        )
        hung = api.fail("getUpdates", kind="hang")
        running = asyncio.create_task(poller.run(stopping))
        await hung.met.wait()
        api.emit_raw({"update_id": 7})
        async with asyncio.timeout(10):
            while 7 not in listener.heard:  # noqa: ASYNC110 - it has no event for it
                await asyncio.sleep(0.01)
        stopping.set()
        await running

        assert api.confirmed == 7


async def test_a_formatting_that_is_refused_is_sent_plain():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        question = await asked(stage, ani)
        stage.api.fail("sendMessage", 400, "Bad Request: can't parse entities: Unsupported tag")

        stage.world.vote(ani, question, "Jakarta")

        (verdict,) = await stage.new(ani)
        assert "Right!" in verdict["text"]
        assert not verdict["entities"]


async def test_a_poll_that_is_refused_becomes_buttons():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.api.fail("sendPoll", 400, "Bad Request: POLL_OPTION_INVALID")

        question = await asked(stage, ani)

        assert {b["text"] for b in stage.world.buttons(question)} == {"A", "B", "C"}


async def test_a_press_that_is_too_old_to_answer_is_obeyed_all_the_same():
    async with staged(pack(CHOICE, TRUE)) as stage:
        ani = stage.world.person(1001, "Ani")
        question = await asked(stage, ani)
        stage.world.vote(ani, question, 0)
        (verdict,) = await stage.new(ani)
        stage.api.fail("answerCallbackQuery", 400, "Bad Request: query is too old and response")

        stage.world.press(ani, verdict, "Next")

        (second,) = await stage.new(ani)
        assert "2/2" in second["poll"]["question"]


@pytest.mark.parametrize(
    ("left", "said"),
    [((), "This quiz is over."), ([pack(TRUE)], "This question is closed.")],
    ids=["quiz", "question"],
)
async def test_a_press_on_what_exists_no_more_is_told_so(left: Sequence[Pack], said: str):
    async with staged(pack(MULTI)) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        room = await stage.store.room(Alias(platform="telegram", external=str(GROUP)))
        await stage.store.set_settings(room.id, replace(room.settings, style="buttons"))
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        (question,) = await stage.new(group)
        stage.library.__init__(left)  # type: ignore[misc] # files are read once, at the start

        query = stage.world.press(ani, question, "A")

        answer = await stage.until(lambda: stage.api.answer_to(query))
        assert said in answer["text"]


@pytest.mark.parametrize("language", ["en", "id"])
async def test_a_fault_of_our_own_becomes_one_polite_sentence(
    language: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def broken(*_: object) -> None:
        raise ZeroDivisionError

    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani", language)
        question = await asked(stage, ani)
        monkeypatch.setattr(MemoryStore, "leaderboard", broken)

        stage.world.say(ani, "/leaderboard")

        (told,) = await stage.new(ani)
        polite = {"en": "Something went wrong on my side.", "id": "Ada yang salah di pihakku."}
        assert polite[language] in told["text"]
        assert "ZeroDivisionError" in caplog.text
        stage.world.vote(ani, question, 0)
        assert await stage.new(ani)


async def test_a_group_is_never_spoken_to_more_often_than_it_takes():
    async with staged(pack(CHOICE), clock=Watch(), pace=Pace()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        for _ in range(40):
            stage.world.say(ani, "/packs", group)
        for _ in range(150):
            await stage.quiet(0.02)
            await stage.clock.move_to(later(stage, 1))
            if len(stage.world.by_bot(group)) == 40:
                break

        assert len(stage.world.by_bot(group)) == 40
        assert stage.api.busiest_minute(group) <= 20


def later(stage: Stage, seconds: float):
    from datetime import timedelta  # noqa: PLC0415

    return stage.clock.now() + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("code", "words"), [(401, "does not accept the token"), (404, "does not accept the token")]
)
async def test_a_token_that_is_not_accepted_is_one_clear_sentence(code: int, words: str):
    async with BotApi() as api:
        api.fail("getMe", code, "Unauthorized", times=9)
        with pytest.raises(KuisError, match=words):
            await Stage(api).open()


async def test_another_program_with_the_same_token_is_one_clear_sentence():
    async with BotApi() as api:
        api.fail("getUpdates", 409, "Conflict: terminated by other getUpdates request", times=99)
        stage = Stage(api)
        await stage.open()
        with pytest.raises(KuisError, match="Another program is running this Telegram bot"):
            await stage.serving
        await stage.chat.stop()
        await stage.host.close()


async def test_a_webhook_of_earlier_days_is_taken_back():
    async with BotApi() as api:
        api.webhook = {"url": "https://old.example"}
        stage = Stage(api, pack(CHOICE))
        await stage.open()
        ani = stage.world.person(1001, "Ani")
        await stage.until(lambda: not api.webhook)

        assert "poll" in await asked(stage, ani)
        await stage.close()


async def test_commands_are_registered_for_each_place_and_language_and_only_when_they_changed():
    async with staged(pack(CHOICE)) as stage:
        first = dict(stage.api.commands)
        await stage.close()
        stage.api.commands.clear()
        await stage.open()

        assert stage.api.commands == {}
        names = {key: {c["command"] for c in commands} for key, commands in first.items()}
        assert "quiz" in names["all_private_chats", ""]
        assert "kuis" in names["all_private_chats", "id"]
        assert "settings" not in names["all_group_chats", ""]
        assert "pengaturan" in names["all_chat_administrators", "id"]


async def test_what_happens_while_the_bot_stops_is_not_lost():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        question = await asked(stage, ani)
        slow = stage.api.fail("sendMessage", kind="hold")
        stage.world.vote(ani, question, "Jakarta")
        await slow.met.wait()
        closing = asyncio.create_task(stage.close())
        await asyncio.sleep(0.1)
        slow.release.set()
        await closing
        await stage.open()

        stage.world.say(ani, "/stats")

        verdict, stats = await stage.new(ani, 2)
        assert "Right!" in verdict["text"]
        assert "1 " in stats["text"]
