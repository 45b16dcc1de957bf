"""Telegram in a private chat: the real library over HTTP against the fake Bot API."""

import json

import pytest

from adapters.storage import MemoryStore
from bot.items import Choice, Option
from bot.modes import Mode
from bot.session import Phase
from bot.text import Markdown
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, MULTI, NUMBER, SHORT, TRUE, option, pack
from tests.helpers.telegrams import Stage, staged


async def answer(stage: Stage, person, *, right: bool = True):
    """Wait for a question with options, answer it, and give it and the verdict."""
    (question,) = await stage.new(person)
    keys = stage.poll_of(question).keys
    others = [n for n in range(len(stage.poll_of(question).options)) if n not in keys]
    stage.world.vote(person, question, *(keys if right else others[:1]))
    (verdict,) = await stage.new(person)
    return question, verdict


@pytest.mark.parametrize("language", ["en", "id"])
async def test_the_seed_quiz_runs_from_start_to_summary(language: str):
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani", language)
        stage.world.say(ani, "/start")
        (hello,) = await stage.new(ani)
        stage.world.press(ani, hello, "Gradient" if language == "en" else "radien")
        for turn in range(8):
            question, verdict = await answer(stage, ani, right=turn != 4)
            shown = json.dumps(stage.poll_of(question).options)
            assert "…" not in shown
            assert verdict["reply_to_message"]["message_id"] == question["message_id"]
            session = await stage.session(ani, ani)
            item = stage.host.narrator.versions(session, turn, language)[0]
            assert plain_words(item.rationale)[-40:] in plain_words(verdict["text"])
            button, doubt = stage.world.buttons(verdict)
            assert doubt["text"] == ("Challenge" if language == "en" else "Sanggah")
            stage.world.press(ani, verdict, button["text"])

        (summary,) = await stage.new(ani)

        assert "7/8" in summary["text"]
        for command, expected in (("/leaderboard all", "700"), ("/stats", "7 ")):
            stage.world.say(ani, command)
            (told,) = await stage.new(ani)
            assert expected in told["text"]
        stage.world.press(ani, summary, "missed" if language == "en" else "salah")
        question, verdict = await answer(stage, ani)
        assert "1/1" in verdict["text"]


def plain_words(text: str) -> str:
    return " ".join(text.replace("`", "").split())


async def test_an_option_of_a_hundred_and_one_characters_is_shown_whole():
    async with staged() as stage:
        budi = stage.world.person(1002, "Budi", "id")
        stage.world.say(budi, "/start gradient-accumulation")
        longest = ""
        for _ in range(8):
            question, verdict = await answer(stage, budi)
            poll = question["poll"]
            if poll["options"][0]["text"] == "A":
                longest = poll["description"]
            button = stage.world.buttons(verdict)[0]["text"]
            stage.world.press(budi, verdict, button)

        assert (
            "Call optimizer.step() after N micro-batches, then clear gradients before the next "
            "accumulation window"
        ) in longest


async def test_a_greeting_speaks_the_persons_language_and_another_can_be_chosen():
    async with staged() as stage:
        budi = stage.world.person(1002, "Budi", "id-ID")
        stage.world.say(budi, "/start")
        (hello,) = await stage.new(budi)
        stage.world.say(budi, "/bahasa")
        (menu,) = await stage.new(budi)

        stage.world.press(budi, menu, "English")
        await stage.until(lambda: "Hello" in stage.world.messages[1002, menu["message_id"]]["text"])
        stage.world.say(budi, "/help")
        (help_,) = await stage.new(budi)

        assert "Halo Budi" in hello["text"]
        assert "How this works" in help_["text"]


async def test_a_quiz_left_yesterday_goes_on_today_after_a_restart():
    store = MemoryStore()
    async with staged(store=store) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz gradient 3")
        _, verdict = await answer(stage, ani)
        await stage.close()
        await stage.open()

        stage.world.press(ani, verdict, "Next")
        question, second = await answer(stage, ani)
        stage.world.say(ani, "/resume")
        (third,) = await stage.new(ani)

        assert "2/3" in question["poll"]["question"]
        assert "2/3" in second["text"]
        assert "3/3" in third["poll"]["question"]


async def test_skip_and_stop_work_at_any_time():
    async with staged() as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz gradient")
        (question,) = await stage.new(ani)
        stage.world.say(ani, "/skip")
        (skipped,) = await stage.new(ani)
        await stage.until(lambda: stage.poll_of(question).closed)
        stage.world.say(ani, "/stop")
        (summary,) = await stage.new(ani)
        stage.world.say(ani, "/stop")
        (nothing,) = await stage.new(ani)

        assert "Skipped" in skipped["text"]
        assert "Stopped" in summary["text"]
        assert "There is no quiz here" in nothing["text"]


async def test_words_and_numbers_are_typed():
    async with staged(pack(SHORT, NUMBER)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        for _ in range(2):
            (question,) = await stage.new(ani)
            number = "pi" in question["text"]
            if number:
                stage.world.say(ani, "about three")
                (hint,) = await stage.new(ani)
                assert "Answer with a number" in hint["text"]
            stage.world.say(ani, "3.14" if number else "Learning rate")
            (verdict,) = await stage.new(ani)
            assert "Right!" in verdict["text"]
            stage.world.press(ani, verdict, stage.world.buttons(verdict)[0]["text"])
        (summary,) = await stage.new(ani)
        assert "2/2" in summary["text"]


async def test_a_letter_may_be_typed_instead_of_voted():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        letter = "ABC"[stage.poll_of(question).keys[0]]

        stage.world.say(ani, letter.lower())

        (verdict,) = await stage.new(ani)
        assert "Right!" in verdict["text"]


async def test_code_and_formulas_stand_in_the_description_with_a_poll_of_letters():
    stem = "What does this print?\n\n```python\nprint(1 < 2)\n```\n\nMind $x^2$ & <b>."
    item = Choice(
        id=CHOICE.id,
        stem=Markdown(stem),
        options=(option("`True`"), option("$\\frac{1}{2}$"), option("x < y && z")),
        key=0,
    )
    async with staged(pack(item)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")

        question, verdict = await answer(stage, ani)

        poll = question["poll"]
        assert [o["text"] for o in poll["options"]] == ["A", "B", "C"]
        assert "print(1 < 2)" in poll["description"]
        assert "x < y && z" in poll["description"]
        assert "pre" in {entity["type"] for entity in poll["description_entities"]}
        sent = stage.api.made("sendPoll")[-1].params["description"]
        assert '<pre><code class="language-python">print(1 &lt; 2)</code></pre>' in sent
        assert "Right!" in verdict["text"]


async def test_what_is_too_long_for_a_description_is_a_message_before_the_poll():
    item = Choice(
        id=CHOICE.id, stem=Markdown("Long. " * 400), options=CHOICE.options, key=CHOICE.key
    )
    async with staged(pack(item)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")

        text, question = await stage.new(ani, 2)

        assert text["text"].count("Long.") == 400
        assert question["reply_to_message"]["message_id"] == text["message_id"]
        stage.world.vote(ani, question, 0)
        (verdict,) = await stage.new(ani)
        assert "1/1" in verdict["text"]


async def test_more_than_twelve_options_are_buttons():
    options = tuple(Option(text=Markdown(f"Number {n}")) for n in range(15))
    item = Choice(id=CHOICE.id, stem=CHOICE.stem, options=options, key=7)
    async with staged(pack(item)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        letter = next(x[0] for x in question["text"].splitlines() if x.endswith("Number 7"))

        stage.world.press(ani, question, letter)

        (verdict,) = await stage.new(ani)
        assert "Right!" in verdict["text"]
        assert verdict["reply_to_message"]["message_id"] == question["message_id"]


async def test_several_keys_and_true_or_false_are_polls_too():
    async with staged(pack(MULTI, TRUE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        for _ in range(2):
            question, verdict = await answer(stage, ani)
            assert question["poll"]["type"] == "quiz"
            assert "Right!" in verdict["text"]
            stage.world.press(ani, verdict, stage.world.buttons(verdict)[0]["text"])


async def test_an_exam_gives_nothing_away_before_its_end():
    async with staged(pack(CHOICE, TRUE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz exam")
        for _ in range(2):
            (question,) = await stage.new(ani)
            poll = stage.poll_of(question)
            assert (poll.kind, poll.keys, poll.explanation) == ("regular", [], "")
            stage.world.vote(ani, question, 0)

        (summary,) = await stage.new(ani)

        assert "Your answers" in summary["text"]
        sessions = await stage.store.history((await stage.store.participants([])).get("") or "")
        assert sessions == []


async def test_a_vote_that_overtakes_the_answer_to_send_poll_is_taken():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        slow = stage.api.fail("sendPoll", kind="hold", after=True)
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        stage.world.vote(ani, question, "Jakarta")

        slow.release.set()

        (verdict,) = await stage.new(ani)
        assert "Right!" in verdict["text"]


async def test_a_forwarded_poll_answered_by_somebody_else_changes_nothing():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        eve = stage.world.person(666, "Eve")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)

        stage.world.vote(eve, question, 0)

        assert await stage.none(ani)
        assert not stage.world.by_bot(eve)
        assert (await stage.session(ani, ani)).phase is Phase.OPEN


async def test_a_redelivered_batch_changes_nothing_and_says_nothing():
    async with staged(clock=Watch()) as stage:
        heard = []
        stage.api.emit_raw, emit = (
            lambda update: (heard.append(update), emit(update)),
            stage.api.emit_raw,
        )
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz gradient 2")
        _, verdict = await answer(stage, ani)
        stage.world.press(ani, verdict, "Next")
        await answer(stage, ani)
        await stage.quiet()
        before = len(stage.api.calls)

        stage.api.again(*heard)

        assert await stage.none(ani)
        assert len(stage.api.calls) == before


async def test_everything_about_a_person_can_be_seen_and_deleted():
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        await answer(stage, ani)
        stage.world.say(ani, "/privacy name Bee")
        (named,) = await stage.new(ani)
        stage.world.say(ani, "/privacy")
        (menu,) = await stage.new(ani)
        stage.world.press(ani, menu, "See it")
        (file,) = await stage.new(ani)
        stage.world.press(ani, menu, "Delete it")
        message = stage.world.messages[1001, menu["message_id"]]
        await stage.until(lambda: "cannot be undone" in message["text"])
        stage.world.press(ani, message, "Delete everything")
        await stage.until(lambda: "Nothing about you" in message["text"])
        stage.world.say(ani, "/stats")
        (stats,) = await stage.new(ani)

        assert "Bee" in named["text"]
        content = stage.world.messages[1001, file["message_id"]]["_content"]
        assert "Ani" in content.decode()
        assert "Nothing yet" in stats["text"]


async def test_names_with_signs_and_directions_look_right():
    name = "<b>&\u202e" + "👩‍🔬" * 30
    async with staged(pack(CHOICE)) as stage:
        ani = stage.world.person(1001, name)
        stage.world.say(ani, "/quiz")
        await answer(stage, ani)
        stage.world.say(ani, "/leaderboard all")
        (board,) = await stage.new(ani)

        assert "<b>&" in board["text"]
        assert "\u202e" not in board["text"]


async def test_modes_can_be_typed_and_what_is_shared_works_alone():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz live 10s")
        (question,) = await stage.new(ani)
        assert stage.poll_of(question).open_period == 10
        stage.world.vote(ani, question, 0)
        await stage.pass_time(12)

        reveal, _ = await stage.new(ani, 2)

        assert "The answer" in reveal["text"]
        assert Mode.LIVE.value == "live"
