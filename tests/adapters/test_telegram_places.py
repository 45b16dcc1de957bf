"""Telegram beyond the ordinary group: channels, topics, anonymous admins, migration, doors shut."""

from adapters.telegram.naming import parse
from bot.effects import Trouble
from bot.people import Alias
from bot.session import Phase
from tests.helpers.doubles import Watch
from tests.helpers.samples import CHOICE, NUMBER, TRUE, pack
from tests.helpers.telegrams import staged

GROUP = -1001234567890
CHANNEL = -1009876543210


async def test_a_channel_of_twenty_tapping_people():
    async with staged(pack(CHOICE, TRUE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        readers = [stage.world.person(2000 + n, f"Reader {n}") for n in range(20)]
        channel = stage.world.group(CHANNEL, "Facts", "channel", admins={ani.id})

        stage.world.say(ani, "/quiz mixed", channel)
        for _ in range(2):
            (question,) = await stage.new(channel)
            assert "poll" not in question
            choice = "capital" in question["text"]
            letter = next(
                line[0] for line in question["text"].splitlines() if line[3:] in {"Jakarta", "True"}
            )
            wrong = "A" if letter != "A" else "B"
            queries = [
                stage.world.press(reader, question, letter if n % 4 else wrong)
                for n, reader in enumerate(readers)
            ]
            await stage.until(lambda: all(map(stage.api.answer_to, queries)))  # noqa: B023
            verdicts = [stage.api.answer_to(query) for query in queries]
            assert sum("Right!" in v["text"] for v in verdicts) == 15
            assert all(v["alert"] and len(v["text"]) <= 200 for v in verdicts)
            await stage.pass_time(32)
            message = stage.world.messages[CHANNEL, question["message_id"]]
            await stage.until(lambda: "The answer" in message["text"])  # noqa: B023
            assert "15 of 20 answers were right" in message["text"]
            assert not choice or "Jakarta has been the capital" in message["text"]
            assert not stage.world.buttons(message)
            await stage.pass_time(9)

        (summary,) = await stage.new(channel)
        assert "Reader 1" in summary["text"]
        stage.world.say(ani, "/leaderboard all", channel)
        (board,) = await stage.new(channel)
        assert "Reader" in board["text"]


async def test_a_second_tap_in_a_channel_names_what_was_recorded():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        channel = stage.world.group(CHANNEL, "Facts", "channel", admins={ani.id})
        stage.world.say(ani, "/quiz mixed", channel)
        (question,) = await stage.new(channel)
        first = stage.world.press(ani, question, "B")
        await stage.until(lambda: stage.api.answer_to(first))

        second = stage.world.press(ani, question, "C")

        await stage.until(lambda: stage.api.answer_to(second))
        assert "already answered B" in stage.api.answer_to(second)["text"]


async def test_readers_of_a_channel_cannot_start_a_quiz():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        eve = stage.world.person(666, "Eve")
        channel = stage.world.group(CHANNEL, "Facts", "channel", admins={ani.id})
        stage.world.say(ani, "/packs", channel)
        (shelf,) = await stage.new(channel)

        query = stage.world.press(eve, shelf, "mixed")

        await stage.until(lambda: stage.api.answer_to(query))
        assert "Only a moderator" in stage.api.answer_to(query)["text"]
        assert await stage.none(channel)


async def test_two_topics_of_a_forum_play_at_once():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        forum = stage.world.group(GROUP, "Forum", forum=True, admins={ani.id})
        for thread in (11, 12):
            stage.world.say(ani, "/quiz", forum, thread=thread)
            (card,) = await stage.new(forum)
            assert card["message_thread_id"] == thread
            stage.world.press(ani, card, "Start")
        questions = await stage.new(forum, 2)
        assert {q["message_thread_id"] for q in questions} == {11, 12}

        stage.world.vote(ani, questions[0], "Jakarta")
        stage.world.vote(ani, questions[1], "Medan")
        await stage.pass_time(32)

        reveals = await stage.new(forum, 4)
        told = {
            (r["message_thread_id"], "1 of 1" in r["text"])
            for r in reveals
            if "answer was" in r["text"]
        }
        assert told == {
            (questions[0]["message_thread_id"], True),
            (questions[1]["message_thread_id"], False),
        }


async def test_the_general_topic_has_no_thread():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        forum = stage.world.group(GROUP, "Forum", forum=True, admins={ani.id})
        message = stage.world.keep(forum, text="/quiz", message_thread_id=1)
        message["from"] = ani.json()
        stage.api.emit("message", message)

        (card,) = await stage.new(forum)

        assert "message_thread_id" not in card


async def test_an_anonymous_admin_plays_and_steers_as_the_group():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        channel = stage.world.group(CHANNEL, "Facts", "channel")
        stage.world.say(ani, "/quiz", group, as_chat=group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        (question,) = await stage.new(group)

        stage.world.vote(group, question, "Jakarta")
        stage.world.vote(channel, question, "Medan")
        await stage.pass_time(32)

        _, summary = await stage.new(group, 2)
        assert "Study group · 100 points" in summary["text"].replace("\u2068", "").replace(
            "\u2069", ""
        )
        assert "Facts" in summary["text"]


async def test_a_group_that_becomes_a_supergroup_in_mid_question_keeps_everything():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(-4321, "Small group", "group", admins={ani.id})
        stage.world.say(ani, "/settings", group)
        (settings,) = await stage.new(group)
        stage.world.press(ani, settings, "Bonus for streaks")
        await stage.quiet()
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        (question,) = await stage.new(group)
        stage.world.vote(ani, question, "Jakarta")

        bigger = stage.world.migrate(group, GROUP)
        await stage.pass_time(32)

        reveal, summary = await stage.new(bigger, 2)
        assert "1 of 1" in reveal["text"]
        assert "Ani" in summary["text"]
        room = await stage.store.room(Alias(platform="telegram", external=str(GROUP)))
        assert room.settings.streak_bonus
        stage.world.say(ani, "/leaderboard all", bigger)
        (board,) = await stage.new(bigger)
        assert "Ani" in board["text"]


async def test_a_migration_that_is_noticed_only_when_sending_fails():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(-4321, "Small group", "group", admins={ani.id})
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        await stage.new(group)
        stage.api.allowed = {"poll_answer"}

        bigger = stage.world.migrate(group, GROUP)
        await stage.pass_time(32)

        reveal, _ = await stage.new(bigger, 2)
        assert "The answer" in reveal["text"]


async def test_a_bot_that_is_kicked_pauses_the_quiz_frees_the_room_and_tells_the_starter():
    async with staged(pack(CHOICE, TRUE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        group = stage.world.group(GROUP, "Study group", admins={ani.id})
        stage.world.say(ani, "/quiz", group)
        (card,) = await stage.new(group)
        stage.world.press(ani, card, "Start")
        await stage.new(group)

        stage.world.bot_is(group, "kicked", ani)

        (told,) = await stage.new(ani)
        session = await stage.session(group)
        assert "Paused" in told["text"]
        assert (session.phase, session.trouble) == (Phase.PAUSED, Trouble.ROOM_GONE)
        stage.world.bot_is(group, "member", ani, before="left")
        stage.world.say(ani, "/resume", group)
        (again,) = await stage.new(group)
        assert "poll" in again


async def test_sends_that_are_refused_pause_with_a_reason_that_says_what_to_do():
    doors = {
        "may_write": (Trouble.NO_PERMISSION, False),
        "may_poll": (Trouble.NO_POLLS, True),
    }
    for door, (trouble, told_there) in doors.items():
        async with staged(pack(CHOICE, TRUE), clock=Watch()) as stage:
            ani = stage.world.person(1001, "Ani")
            group = stage.world.group(GROUP, "Study group", admins={ani.id})
            stage.world.say(ani, "/quiz", group)
            (card,) = await stage.new(group)
            setattr(group, door, False)

            stage.world.press(ani, card, "Start")

            (told,) = await stage.new(group if told_there else ani)
            assert "Paused" in told["text"]
            assert (await stage.session(group)).trouble is trouble
            setattr(group, door, True)
            stage.world.say(ani, "/resume", group)
            (question,) = await stage.new(group)
            assert "poll" in question


async def test_a_topic_that_is_closed_or_deleted_pauses_its_quiz():
    for closed in ("closed_topics", "gone_topics"):
        async with staged(pack(CHOICE, TRUE), clock=Watch()) as stage:
            ani = stage.world.person(1001, "Ani")
            forum = stage.world.group(GROUP, "Forum", forum=True, admins={ani.id})
            stage.world.say(ani, "/quiz", forum, thread=11)
            (card,) = await stage.new(forum)
            getattr(forum, closed).add(11)

            stage.world.press(ani, card, "Start")

            (told,) = await stage.new(ani)
            assert "closed" in told["text"]
            assert (await stage.session(forum, thread=11)).trouble is Trouble.ROOM_CLOSED


async def test_a_person_who_blocks_the_bot_comes_back_to_their_quiz():
    async with staged(pack(CHOICE, TRUE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        stage.world.say(ani, "/quiz")
        (question,) = await stage.new(ani)
        stage.world.chats[ani.id].person.blocked = True

        stage.world.vote(ani, question, 0)

        await stage.until(lambda: [c for c in stage.api.calls if not c.ok])
        await stage.quiet()
        session = await stage.session(ani, ani)
        assert (session.phase, session.trouble) == (Phase.PAUSED, Trouble.BLOCKED)
        ani.blocked = False
        stage.world.say(ani, "/resume")
        (verdict,) = await stage.new(ani)
        assert "1/2" in verdict["text"]


async def test_a_message_that_is_gone_is_not_missed():
    async with staged(pack(CHOICE), clock=Watch()) as stage:
        ani = stage.world.person(1001, "Ani")
        channel = stage.world.group(CHANNEL, "Facts", "channel", admins={ani.id})
        stage.world.say(ani, "/quiz mixed", channel)
        (question,) = await stage.new(channel)
        assert parse(f"{CHANNEL}:{question['message_id']}:b")
        del stage.world.messages[CHANNEL, question["message_id"]]
        stage._seen[CHANNEL] -= 1  # noqa: SLF001 - one of them is gone

        await stage.pass_time(32)

        reveal, _ = await stage.new(channel, 2)
        assert "The answer" in reveal["text"]


async def test_a_typed_answer_to_a_channel_is_given_in_ones_own_chat():
    async with staged(pack(NUMBER), clock=Watch()) as stage:
        ani, ben = stage.world.person(1001, "Ani"), stage.world.person(1002, "Ben")
        channel = stage.world.group(CHANNEL, "Facts", "channel", admins={ani.id})
        stage.world.say(ani, "/quiz mixed", channel)
        (question,) = await stage.new(channel)
        (button,) = stage.world.buttons(question)
        stage.world.say(ben, f"/start {button['url'].partition('start=')[2]}")
        (asked,) = await stage.new(ben)

        stage.world.say(ben, "3.14")

        (receipt,) = await stage.new(ben)
        assert "How much is pi?" in asked["text"]
        assert "Right!" in receipt["text"]
        stage.world.say(ben, "/start a--nonsense-7")
        (gone,) = await stage.new(ben)
        assert "over" in gone["text"]
        await stage.pass_time(32)
        reveal, _ = await stage.new(channel, 2)
        assert "Ben" in reveal["text"]
