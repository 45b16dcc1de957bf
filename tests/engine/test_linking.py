"""One person, everywhere: codes join accounts, nobody takes over anybody's, and back again.

Ann is asked for on two platforms; whoever attacks has their own account and what they overhear.
"""

import json
import re
from datetime import timedelta

import pytest

from bot import own_data
from bot.actions import Action, Verb, decode, encode
from bot.commands import Place
from bot.desk import Reply, Request
from bot.links import ALPHABET, LENGTH, TRIES, digest, draw_code, written
from bot.panels import Role
from bot.people import ANONYMOUS, Alias, Participant, called
from bot.wording import words
from tests.helpers.worlds import World

GUESS = "AAAA-AAAA"


def asks(world: World, person: Participant, place: Place = Place.PRIVATE) -> Request:
    return Request(room=world.room, person=person, place=place)


def said(reply: Reply | None) -> str:
    assert reply
    return "\n".join([reply.panel.heading, *reply.panel.body, *reply.panel.notes])


def code_in(reply: Reply | None) -> str:
    found = re.search(r"/(?:link|tautkan) (\S+)`", said(reply))
    assert found, said(reply)
    return found[1]


async def code_of(world: World, person: Participant) -> str:
    return code_in(await world.desk.obey(asks(world, person), "link", ""))


async def enters(world: World, person: Participant, code: str) -> Reply:
    reply = await world.desk.obey(asks(world, person), "link", code)
    assert reply
    return reply


async def presses(world: World, person: Participant, reply: Reply, number: int = 0) -> Reply:
    action = decode(encode(reply.panel.buttons[number].action))
    assert action
    answer = await world.desk.press(asks(world, person), action)
    assert answer
    return answer


async def joined(world: World, owner: Participant, guest: Participant) -> None:
    asked = await enters(world, guest, await code_of(world, owner))
    assert "one person now" in said(await presses(world, guest, asked))


async def bee(world: World) -> Participant:
    alias = Alias(platform="telegram", external="77")
    return await world.store.participant(alias, name="Bee *")


# ------------------------------------------------------------ codes


def test_codes_have_no_signs_that_look_alike_and_every_seed_gives_one():
    codes = {draw_code(seed) for seed in range(0, 2**53, 2**53 // 999)}

    assert len(codes) >= 999
    assert {len(code) for code in codes} == {LENGTH}
    assert set("".join(codes)) <= set(ALPHABET)
    assert not set("01ILOU") & set(ALPHABET)


def test_a_code_may_be_typed_in_any_way():
    code = draw_code(123_456_789_012)

    assert {digest(code), digest(written(code)), digest(f" {written(code).lower()} ")} == {
        digest(code)
    }
    assert digest("\ud800 -") == digest("")
    assert len(encode(Action(verb=Verb.LINK, value=f"join.{digest(code)}"))) <= 64


# ------------------------------------------------------------ joining and separating


async def test_a_code_that_is_entered_and_agreed_to_joins_two_accounts(world: World):
    other = await bee(world)

    asked = await enters(world, world.ann, await code_of(world, other))
    done = await presses(world, world.ann, asked)

    assert r"Join with **Bee \* on Telegram**?" in said(asked)
    assert r"you and Bee \* on Telegram are one person now" in said(done)
    assert done.replaces
    assert set(await world.store.identities(other.id)) == {world.ann.id, other.id}
    again = await world.desk.obey(asks(world, world.ann), "link", "")
    assert "You are joined with Bee" in said(again)


async def test_nothing_is_joined_before_it_is_agreed_to_and_no_voids_the_code(world: World):
    code = await code_of(world, world.ben)
    asked = await enters(world, world.ann, code)

    declined = await presses(world, world.ann, asked, 1)

    assert "Nothing was changed" in said(declined)
    assert "not good" in said(await enters(world, world.ann, code))
    assert await world.store.identities(world.ann.id) == [world.ann.id]


async def test_who_made_the_code_is_told_once_and_can_separate_again(world: World):
    await joined(world, world.ben, world.ann)

    await world.desk.tick({"other"})
    before = len(world.chat.posts)
    await world.desk.tick({"test"})
    await world.desk.tick({"test"})

    post = world.chat.last
    assert len(world.chat.posts) == before + 1
    assert post.to
    assert post.to.id == world.ben.id
    assert "Your code was used: you and Ann on Test are one person now" in post.panel.body[0]
    told = Reply(panel=post.panel)
    assert "on its own again" in said(await presses(world, world.ben, told))
    assert await world.store.identities(world.ben.id) == [world.ben.id]


async def test_who_cannot_be_told_is_joined_all_the_same(world: World):
    await joined(world, world.ben, world.ann)

    world.chat.refuse[Role.NOTICE] = "blocked"

    await world.desk.tick({"test"})

    assert len(await world.store.identities(world.ben.id)) == 2


async def test_nobody_is_told_by_a_chat_that_runs_elsewhere(world: World):
    far = await world.store.room(Alias(platform="far", external="1"))

    assert not await world.host.tell(far.id, world.ann, own_data.deleted(words("en")))


async def test_nobody_is_told_who_has_deleted_everything_since(world: World):
    await joined(world, world.ben, world.ann)
    owner, guest = world.ben.id, world.ann.id
    people = world.store._participants  # noqa: SLF001 - gone between two steps of a tick
    del people[guest]

    await world.desk.tick({"test"})

    assert owner in people
    assert not world.chat.posts


async def test_a_third_account_joins_the_same_person(world: World):
    third = await bee(world)
    await joined(world, world.ann, world.ben)
    await joined(world, third, world.ben)

    everybody = {world.ann.id, world.ben.id, third.id}
    assert set(await world.store.identities(world.ann.id)) == everybody
    asked = await world.desk.obey(asks(world, world.ann), "unlink", "")
    assert "Separate this account from" in said(asked)
    assert asked
    assert "on its own again" in said(await presses(world, world.ann, asked))
    assert set(await world.store.identities(third.id)) == everybody - {world.ann.id}


async def test_what_makes_no_sense_is_said_kindly(world: World):
    own = await code_of(world, world.ann)
    alone = await world.desk.obey(asks(world, world.ann), "unlink", "")

    assert "this very account" in said(await enters(world, world.ann, own))
    assert "joined with no other" in said(alone)
    await joined(world, world.ann, world.ben)
    code = await code_of(world, world.ann)
    assert "joined already" in said(await enters(world, world.ben, code))


async def test_separating_twice_changes_nothing_more(world: World):
    await joined(world, world.ann, world.ben)
    asked = await world.desk.obey(asks(world, world.ann), "unlink", "")
    assert asked
    await presses(world, world.ann, asked)

    again = await presses(world, world.ann, asked)

    assert "joined with no other" in said(again)


async def test_in_indonesian(world: World):
    await world.store.set_participant(world.ann.id, language="id")
    ann = (await world.store.participants([world.ann.id]))[world.ann.id]

    shown = await world.desk.obey(asks(world, ann), "link", "")

    assert "Gabungkan akun-akunmu" in said(shown)
    assert "`/tautkan " in said(shown)


# ------------------------------------------------------------ attacks


async def test_guessing_ends_after_five_wrong_codes_even_with_the_right_one(world: World):
    code = await code_of(world, world.ben)
    for _ in range(TRIES):
        assert "not good" in said(await enters(world, world.ann, GUESS))

    assert "Too many wrong codes" in said(await enters(world, world.ann, GUESS))
    assert "Too many wrong codes" in said(await enters(world, world.ann, code))
    world.restart()
    assert "Too many wrong codes" in said(await enters(world, world.ann, code))
    await world.watch.move_to(world.watch.now() + timedelta(minutes=10))
    assert "Join with" in said(await enters(world, world.ann, await code_of(world, world.ben)))


async def test_right_codes_are_no_tries(world: World):
    for _ in range(2 * TRIES):
        asked = await enters(world, world.ann, await code_of(world, world.ben))
        assert "Join with" in said(asked)


async def test_wrong_used_expired_and_replaced_codes_are_answered_alike(world: World):
    cid = await bee(world)
    used = await code_of(world, world.ben)
    await presses(world, world.ann, await enters(world, world.ann, used))
    replaced = await code_of(world, cid)
    expired = await code_of(world, cid)
    await world.watch.move_to(world.watch.now() + timedelta(minutes=10))

    answers = {said(await enters(world, cid, code)) for code in (GUESS, used, replaced)}
    answers |= {said(await enters(world, world.ann, expired))}

    assert len(answers) == 1


async def test_a_code_is_void_once_it_has_been_used(world: World):
    eve = await bee(world)
    code = await code_of(world, world.ben)
    asked = await enters(world, world.ann, code)
    await presses(world, world.ann, asked)

    replayed = [await enters(world, eve, code), await presses(world, world.ann, asked)]

    assert all("not good" in said(reply) for reply in replayed)
    assert await world.store.identities(eve.id) == [eve.id]


async def test_the_confirmation_is_good_for_who_entered_the_code_alone(world: World):
    eve = await bee(world)
    code = await code_of(world, world.ben)
    asked = await enters(world, world.ann, code)

    stolen = await presses(world, eve, asked)
    entered = await enters(world, eve, code)

    assert "not good" in said(stolen)
    assert "not good" in said(entered)
    assert "one person now" in said(await presses(world, world.ann, asked))


async def test_the_confirmation_is_good_only_as_long_as_the_code(world: World):
    asked = await enters(world, world.ann, await code_of(world, world.ben))
    await world.watch.move_to(world.watch.now() + timedelta(minutes=10))

    late = await presses(world, world.ann, asked)

    assert "not good" in said(late)
    assert await world.store.identities(world.ann.id) == [world.ann.id]


@pytest.mark.parametrize("value", ["join.", "join", f"join.{'0' * 32}", "what.ever", "part.x", ""])
async def test_forged_buttons_change_nothing(world: World, value: str):
    await joined(world, world.ann, world.ben)

    reply = await world.desk.press(asks(world, world.ann), Action(verb=Verb.LINK, value=value))

    assert "not" in said(reply)
    assert len(await world.store.identities(world.ann.id)) == 2


async def test_nobody_separates_somebody_else(world: World):
    await joined(world, world.ann, world.ben)
    asked = await world.desk.obey(asks(world, world.ann), "unlink", "")
    assert asked

    reply = await presses(world, world.ben, asked)

    assert "not for you" in said(reply)
    assert len(await world.store.identities(world.ann.id)) == 2


async def test_where_others_read_along_no_code_is_shown_and_a_typed_one_is_void(world: World):
    code = await code_of(world, world.ben)
    here = asks(world, world.ann, Place.ROOM)

    shown = await world.desk.obey(here, "link", "")
    typed = await world.desk.obey(here, "link", code)

    assert "in our own chat" in said(shown)
    assert "it is void now" in said(typed)
    assert "not good" in said(await enters(world, world.ann, code))


async def test_who_deletes_everything_cannot_be_joined_by_an_open_code(world: World):
    code = await code_of(world, world.ben)
    asked = await enters(world, world.ann, code)
    await world.store.forget(world.ben.id)

    assert "not good" in said(await presses(world, world.ann, asked))
    assert "not good" in said(await enters(world, world.ann, code))


async def test_a_code_whose_maker_is_unknown_is_not_good(world: World):
    code = await code_of(world, world.ben)
    del world.store._participants[world.ben.id]  # noqa: SLF001 - deleted at this very instant

    assert "not good" in said(await enters(world, world.ann, code))


# ------------------------------------------------------------ what is kept of all together


async def played(world: World, person: Participant) -> None:
    session = await world.start(by=person)
    await world.answer(session, "A", by=person)
    await world.onward(session, 0, by=person)


async def own(world: World, person: Participant, value: str) -> Reply:
    return await world.desk.turn(asks(world, person), f"me:{value}")


async def test_stats_and_privacy_show_all_together_until_they_are_separated(world: World):
    await played(world, world.ann)
    await played(world, world.ben)
    before = [
        said(await world.desk.obey(asks(world, who), "stats", "")) for who in (world.ann, world.ben)
    ]
    await joined(world, world.ann, world.ben)

    stats = said(await world.desk.obey(asks(world, world.ann), "stats", ""))
    privacy = said(await world.desk.privacy(asks(world, world.ann)))

    assert "of 1** right" in stats  # both answered the same item
    assert "2 quizzes taken" in stats
    assert "2 answers" in privacy
    assert "You are joined with Ben on Test." in privacy
    await world.store.unlink(world.ann.id)
    after = [
        said(await world.desk.obey(asks(world, who), "stats", "")) for who in (world.ann, world.ben)
    ]
    assert after == before


async def test_the_export_holds_the_rows_of_all_accounts_each_once(world: World):
    await played(world, world.ann)
    await played(world, world.ben)
    await joined(world, world.ann, world.ben)

    reply = await own(world, world.ann, "export")

    assert reply.file
    rows = json.loads(reply.file[1])
    assert {row["name"] for row in rows["participants"]} == {"Ann", "Ben"}
    assert (len(rows["responses"]), len(rows["links"]), len(rows["codes"])) == (2, 2, 1)


@pytest.mark.parametrize(("button", "left"), [(0, {"Ben"}), (1, set())])
async def test_one_account_is_deleted_or_all_of_them(world: World, button: int, left: set[str]):
    await joined(world, world.ann, world.ben)
    asked = await own(world, world.ann, "delete")

    done = await presses(world, world.ann, asked, button)

    assert "You are joined with Ben on Test. Shall that be deleted too?" in said(asked)
    assert "Nothing about you" in said(done)
    known = await world.store.participants([world.ann.id, world.ben.id])
    assert {person.name for person in known.values()} == left
    assert await world.store.identities(world.ben.id) == [world.ben.id]


async def test_who_wants_to_be_nobody_is_nobody_on_every_board(world: World):
    await played(world, world.ann)
    await joined(world, world.ann, world.ben)

    hidden = await own(world, world.ben, "hide")

    board = await world.desk.leaderboard(asks(world, world.ben))
    assert "A learner" in said(hidden)
    assert [button.action.value for button in hidden.panel.buttons][1] == "me:show"
    assert [row.name for row in board.panel.standings] == ["A learner"]
    people = await world.store.participants([world.ann.id, world.ben.id])
    assert {person.nickname for person in people.values()} == {ANONYMOUS}
    shown = await own(world, world.ben, "show")
    assert "you are called Ben" in said(shown)


def test_nobody_is_called_so_in_the_language_of_the_reader():
    assert called(ANONYMOUS, words("id")) == "Seorang pelajar"
    assert called("Bee", words("id")) == "Bee"


def test_privacy_says_what_is_kept_and_asks_twice():
    ann = Participant(id="p", alias=Alias(platform="test", external="x"), name="Ann_B")  # type: ignore[arg-type]
    en = words("en")

    panel = own_data.privacy(ann, [], 1, en)

    assert "1 answer" in panel.body[0]
    assert r"Ann\_B" in panel.body[1]
    values = [button.action.value for button in panel.buttons]
    assert values == ["me:export", "me:hide", "me:delete"]
    assert own_data.really_delete([], en).buttons[0].action.value == "me:delete!"
    assert "Nothing about you" in own_data.deleted(en).body[0]
