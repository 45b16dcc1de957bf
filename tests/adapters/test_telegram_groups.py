"""Telegram in groups: live and relaxed quizzes, typed answers, buttons instead of polls."""

from adapters.telegram.pacing import Pace
from bot.session import Phase
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, MULTI, NUMBER, SHORT, TRUE, pack
from tests.helpers.telegrams import Stage, staged

GROUP = -1001234567890


async def begin(stage: Stage, wish: str = "/quiz gradient", changes: tuple[str, ...] = ()):
    """Have an admin of a group set up a quiz and press Start."""
    ani = stage.world.person(1001, "Ani")
    group = stage.world.group(GROUP, "Study group", admins={ani.id})
    stage.world.say(ani, wish, group)
    (card,) = await stage.new(group)
    for label in changes:
        stage.world.press(ani, card, label)
        await stage.quiet()
    card = stage.world.messages[GROUP, card["message_id"]]
    stage.world.press(ani, card, "Start")
    return ani, group, card


async def test_a_live_quiz_of_fifty_counts_everyone_once_and_stays_within_its_budget():
    async with staged(clock=Watch(), pace=Pace()) as stage:
        _, group, _ = await begin(stage)
        voters = [stage.world.person(2000 + n, f"Voter {n}") for n in range(50)]
        right = dict.fromkeys(range(50), 0)
        for turn in range(8):
            (question,) = await stage.new(group)
            poll = stage.poll_of(question)
            assert poll.open_period == 30
            assert question["has_protected_content"]
            await stage.pass_time(2)
            for n, voter in enumerate(voters):
                correct = (n + turn) % 3 == 0
                right[n] += correct
                pick = poll.keys[0] if correct else (poll.keys[0] + 1) % 4
                assert stage.world.vote(voter, question, pick)
            await stage.pass_time(28)
            await stage.pass_time(1.6)
            (reveal,) = await stage.new(group)
            assert f"{sum((n + turn) % 3 == 0 for n in range(50))} of 50" in reveal["text"]
            assert reveal["reply_to_message"]["message_id"] == question["message_id"]
            await stage.pass_time(9)

        (summary,) = await stage.new(group)

        best = max(right.values())
        assert f"{best * 100} points" in summary["text"]
        assert "and 30 more" in summary["text"]
        assert len(stage.api.public(group)) <= 2 * 8 + 4
        assert stage.api.busiest_minute(group) <= 20


async def test_a_relaxed_quiz_goes_on_when_everyone_who_joined_has_answered():
    async with staged(clock=Watch()) as stage:
        ani, group, _ = await begin(stage, changes=("live",))
        ben = stage.world.person(1002, "Ben")
        (first,) = await stage.new(group)
        assert stage.poll_of(first).open_period is None
        for person in (ani, ben):
            stage.world.vote(person, first, 0)
        await stage.quiet()
        stage.world.press(ani, first, "Show the answer")
        (reveal,) = await stage.new(group)
        await stage.until(lambda: stage.poll_of(first).closed)
        stage.world.press(ani, reveal, "Next")
        (second,) = await stage.new(group)

        stage.world.vote(ani, second, 0)
        assert await stage.none(group)
        stage.world.vote(ben, second, 1)

        (revealed,) = await stage.new(group)
        assert "2 answers" in revealed["text"]
        ops = [c for c in stage.api.public(group) if c.method != "editMessageText"]
        assert len(ops) <= 1 + 3 * 2


async def test_only_the_starter_and_admins_move_a_quiz_on():
    async with staged(clock=Watch()) as stage:
        _, group, _ = await begin(stage, changes=("live",))
        eve = stage.world.person(666, "Eve")
        (question,) = await stage.new(group)

        query = stage.world.press(eve, question, "Show the answer")
        await stage.until(lambda: stage.api.answer_to(query))
        stage.world.say(eve, "/stop", group)
        (refusal,) = await stage.new(group)

        assert "Only who started" in stage.api.answer_to(query)["text"]
        assert "Only who started" in refusal["text"]
        assert (await stage.session(group)).phase is Phase.OPEN


async def test_a_second_quiz_in_a_group_is_refused_with_a_pop_up():
    async with staged(clock=Watch()) as stage:
        ani, group, card = await begin(stage)
        await stage.new(group)

        query = stage.world.press(ani, card, "Start")

        await stage.until(lambda: stage.api.answer_to(query))
        assert "already running" in stage.api.answer_to(query)["text"]
        assert await stage.none(group)


async def test_free_text_and_numbers_are_answered_by_replying_to_the_question():
    async with staged(pack(SHORT, NUMBER), clock=Watch()) as stage:
        ani, group, _ = await begin(stage, "/quiz")
        (question,) = await stage.new(group)
        assert stage.world.messages[GROUP, question["message_id"]]["_markup"]["force_reply"]
        answers = {"What is": "step size", "How much": "3,14"}
        right = next(answer for stem, answer in answers.items() if stem in question["text"])
        ben = stage.world.person(1002, "Ben")

        stage.world.say(ani, "just chatting", group)
        mine = stage.world.say(ani, right, group, reply_to=question)
        other = stage.world.say(ben, "7 or so", group, reply_to=question)
        await stage.until(lambda: "_reaction" in mine)
        await stage.quiet()
        await stage.pass_time(32)

        (reveal,) = await stage.new(group)
        assert mine["_reaction"] == ["👌"]
        assert other["_reaction"]
        assert "Ani" in reveal["text"]
        assert "1 of" in reveal["text"]


async def test_what_is_typed_in_a_group_without_a_reply_is_left_alone():
    async with staged(clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group")

        stage.world.say(ani, "/nonsense", group)
        stage.world.say(ani, "/quiz@AnotherBot", group)

        assert await stage.none(group)


async def test_more_than_one_key_is_a_poll_with_several_answers():
    async with staged(pack(MULTI), clock=Watch()) as stage:
        ani, group, _ = await begin(stage, "/quiz")
        (question,) = await stage.new(group)
        poll = stage.poll_of(question)
        assert poll.several
        assert len(poll.keys) == 2

        stage.world.vote(ani, question, *poll.keys)
        await stage.pass_time(32)

        (reveal,) = await stage.new(group)
        assert "1 of 1" in reveal["text"]


async def test_buttons_take_the_place_of_polls_where_a_group_likes_them_better():
    async with staged(pack(MULTI, TRUE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ani, "/settings", group)
        (settings,) = await stage.new(group)
        query = stage.world.press(ani, settings, "Shown as")
        await stage.until(lambda: stage.api.answer_to(query) is not None)
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        (question,) = await stage.new(group)
        if "prime" not in question["text"]:
            await stage.pass_time(32)
            await stage.new(group)
            await stage.pass_time(9)
            (question,) = await stage.new(group)

        early = stage.world.press(ani, question, "Submit")
        await stage.until(lambda: stage.api.answer_to(early))
        letters = [line[0] for line in question["text"].splitlines() if line[3:] in {"2", "11"}]
        for letter in letters:
            query = stage.world.press(ani, question, letter)
            await stage.until(lambda: stage.api.answer_to(query))  # noqa: B023
        done = stage.world.press(ani, question, "Submit")
        await stage.until(lambda: stage.api.answer_to(done))

        assert "Choose something" in stage.api.answer_to(early)["text"]
        assert "Right!" in stage.api.answer_to(done)["text"]
        assert stage.api.answer_to(done)["alert"]


async def test_verdicts_at_the_end_make_polls_that_do_not_know_the_key():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ani, "/settings", group)
        (settings,) = await stage.new(group)
        for label in ("Right or wrong", "Answers"):
            query = stage.world.press(ani, settings, label)
            await stage.until(lambda: stage.api.answer_to(query) is not None)  # noqa: B023
            await stage.quiet()
            settings = stage.world.messages[GROUP, settings["message_id"]]
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        (question,) = await stage.new(group)
        poll = stage.poll_of(question)
        assert (poll.kind, poll.revoting, poll.keys) == ("regular", True, [])

        stage.world.vote(ani, question, "Medan")
        stage.world.vote(ani, question)
        stage.world.vote(ani, question, "Bandung")
        stage.world.vote(ani, question, "Jakarta")
        await stage.pass_time(32)

        (reveal,) = await stage.new(group)
        assert "1 of 1 answer was right" in reveal["text"]


async def test_a_retracted_vote_does_not_count():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ani, "/settings", group)
        (settings,) = await stage.new(group)
        stage.world.press(ani, settings, "Answers")
        await stage.quiet()
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        (question,) = await stage.new(group)

        stage.world.vote(ani, question, "Jakarta")
        stage.world.vote(ani, question)
        await stage.pass_time(32)

        (reveal,) = await stage.new(group)
        assert "Nobody answered" in reveal["text"]


async def test_a_leaderboard_in_a_group_tells_each_who_taps_their_own_place():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani, group, _ = await begin(stage, "/quiz")
        ben = stage.world.person(1002, "Ben")
        (question,) = await stage.new(group)
        stage.world.vote(ani, question, "Jakarta")
        stage.world.vote(ben, question, "Medan")
        await stage.pass_time(32)
        await stage.new(group, 2)

        stage.world.say(ben, "/leaderboard all", group)
        (board,) = await stage.new(group)
        query = stage.world.press(ben, board, "My place")
        await stage.until(lambda: stage.api.answer_to(query))

        assert "Ani" in board["text"]
        assert "place 2 of 2" in stage.api.answer_to(query)["text"]


async def test_private_matters_are_answered_in_ones_own_chat():
    async with staged(clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        eve = stage.world.person(666, "Eve")
        eve.started = False
        group = stage.world.group(GROUP, "Study group")

        stage.world.say(ani, "/privacy", group)
        (mine,) = await stage.new(ani)
        (told,) = await stage.new(group)
        stage.world.say(eve, "/privacy", group)
        (way,) = await stage.new(group)

        assert "Your data" in mine["text"]
        assert "our own chat" in told["text"]
        assert "t.me/KuisTestBot" in way["text"]
