"""Linking: `/link` joins the accounts of one person, `/unlink` separates them again.

A code shows that both accounts are in the same hands: one shows it, the other enters it, sees
whose it is and agrees. It is never said where others can read it, and never whether a wrong one
is expired, used or made up.
"""

from collections.abc import Collection, Sequence
from typing import ClassVar

from bot.actions import Action, Verb
from bot.commands import COMMANDS, Place
from bot.features import Feature
from bot.ids import ParticipantId
from bot.links import Joining, Outcome, digest, draw_code, written
from bot.own_data import account, accounts
from bot.panels import Button, Panel, Role, Tone
from bot.people import Participant
from bot.requests import Reply, Request
from bot.text import Markdown
from bot.wording import Words, choose, words

LINK = next(command for command in COMMANDS if command.name == "link")


class Linking(Feature):
    """Joins and separates the identities of a person."""

    commands: ClassVar[frozenset[str]] = frozenset({"link", "unlink"})
    verbs: ClassVar[frozenset[Verb]] = frozenset({Verb.LINK})

    async def obey(self, request: Request, name: str, rest: str) -> Reply | None:
        """Show a code, take one, or ask whether to separate."""
        spoken = self.tools.words(request)
        if request.place is Place.ROOM:
            return await self._not_here(rest, spoken)
        if name == "unlink":
            return await self._ask_to_part(request.person, spoken)
        if rest.strip():
            return await self._enter(request, rest, spoken)
        return await self._offer(request, spoken)

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Join, decline or separate, as agreed by who the button was made for."""
        spoken = self.tools.words(request)
        what, _, about = action.value.partition(".")
        match what:
            case "join":
                return await self._join(request.person, about, spoken)
            case "no":
                await self.tools.store.void_code(about)
                return _said(spoken.say("Nothing was changed, and the code is void."))
            case "part" if about == request.person.id:
                return await self._part(request.person, spoken)
            case _:
                return _refused(spoken.say("This button is not for you. Type /link."))

    async def tick(self, platforms: Collection[str]) -> None:
        """Tell who made a code that somebody has joined them with it."""
        for joining in await self.tools.store.joined_by_code(platforms):
            await self._tell(joining)

    # ------------------------------------------------------------ joining

    async def _offer(self, request: Request, spoken: Words) -> Reply:
        code = draw_code(self.tools.host.fresh())
        person, now = request.person, self.tools.clock.now()
        await self.tools.store.offer_code(person.id, request.room.id, digest(code), now)
        command = LINK.localised(spoken.language)
        body = [
            spoken.say("On your other account, write this within ten minutes:"),
            f"`/{command} {written(code)}`",
            spoken.say(
                "Then your answers, cards and streaks count as one person's. Give the code to "
                "nobody: whoever enters it shares all that with you."
            ),
        ]
        others = await self._others(person.id)
        if others:
            body.append(
                spoken.say("You are joined with {accounts}.", accounts=accounts(others, spoken))
            )
        heading = spoken.say("Join your accounts")
        return Reply(panel=Panel(role=Role.NOTICE, heading=heading, body=_texts(body)))

    async def _enter(self, request: Request, typed: str, spoken: Words) -> Reply:
        code = digest(typed)
        now = self.tools.clock.now()
        entered = await self.tools.store.enter_code(code, request.person.id, now)
        match entered.outcome:
            case Outcome.OWN:
                sentence = spoken.say(
                    "That is the code of this very account. Enter it on your other one."
                )
                return _refused(sentence)
            case Outcome.TOO_MANY:
                return _refused(spoken.say("Too many wrong codes. Try again in ten minutes."))
            case Outcome.JOINED:
                return _said(spoken.say("You are joined already."), replaces=False)
            case Outcome.WRONG:
                return _refused(_not_good(spoken))
            case Outcome.FOUND:
                return await self._ask_to_join(entered.owner, code, spoken)

    async def _ask_to_join(self, owner: ParticipantId | None, code: str, spoken: Words) -> Reply:
        other = await self._person(owner)
        if other is None:
            return _refused(_not_good(spoken))
        question = spoken.say("Join with **{account}**?", account=account(other, spoken))
        warning = spoken.say(
            "Agree only if that is you: both accounts will see and can delete what is kept "
            "about you."
        )
        buttons = (
            _button(spoken.say("Yes, that is me"), f"join.{code}", primary=True),
            _button(spoken.say("No"), f"no.{code}"),
        )
        return Reply(
            panel=Panel(role=Role.NOTICE, body=_texts([question, warning]), buttons=buttons)
        )

    async def _join(self, person: Participant, code: str, spoken: Words) -> Reply:
        now = self.tools.clock.now()
        owner = await self.tools.store.redeem_code(code, person.id, now)
        other = await self._person(owner)
        if other is None:
            return _refused(_not_good(spoken))
        sentence = spoken.say(
            "Done: you and {account} are one person now. /unlink separates you again.",
            account=account(other, spoken),
        )
        return _said(sentence)

    async def _tell(self, joining: Joining) -> None:
        people = await self.tools.store.participants([joining.owner, joining.guest])
        owner, guest = people.get(joining.owner), people.get(joining.guest)
        if owner is None or guest is None:
            return
        spoken = words(choose(owner.language, self.tools.language))
        sentence = spoken.say(
            "Your code was used: you and {account} are one person now.",
            account=account(guest, spoken),
        )
        doubt = spoken.say("Was that not you? Then separate them.")
        part = _button(spoken.say("Separate"), f"part.{owner.id}")
        panel = Panel(role=Role.NOTICE, body=_texts([sentence, doubt]), buttons=(part,))
        await self.tools.host.tell(joining.room, owner, panel)

    # ------------------------------------------------------------ separating

    async def _ask_to_part(self, person: Participant, spoken: Words) -> Reply:
        others = await self._others(person.id)
        if not others:
            return _refused(_alone(spoken))
        question = spoken.say(
            "Separate this account from {accounts}?", accounts=accounts(others, spoken)
        )
        promise = spoken.say("Nothing is lost: each keeps what was answered with it.")
        part = _button(spoken.say("Separate"), f"part.{person.id}")
        panel = Panel(role=Role.NOTICE, body=_texts([question, promise]), buttons=(part,))
        return Reply(panel=panel)

    async def _part(self, person: Participant, spoken: Words) -> Reply:
        if not await self.tools.store.unlink(person.id):
            return _refused(_alone(spoken))
        return _said(spoken.say("Done. This account is on its own again."))

    # ------------------------------------------------------------ helpers

    async def _not_here(self, rest: str, spoken: Words) -> Reply:
        """Send somebody to their own chat; a code that others could read is void."""
        sentence = spoken.say("Codes are for your eyes only: write to me in our own chat.")
        if rest.strip():
            await self.tools.store.void_code(digest(rest))
            sentence += " " + spoken.say("Others could read that one, so it is void now.")
        return _refused(sentence)

    async def _others(self, person: ParticipantId) -> Sequence[Participant]:
        ids = (await self.tools.store.identities(person))[1:]
        known = await self.tools.store.participants(ids)
        return [known[one] for one in ids if one in known]

    async def _person(self, participant: ParticipantId | None) -> Participant | None:
        if participant is None:
            return None
        return (await self.tools.store.participants([participant])).get(participant)


def _not_good(spoken: Words) -> str:
    return spoken.say(
        "That code is not good, or no longer. A code works once, for ten minutes; /link shows a "
        "new one."
    )


def _alone(spoken: Words) -> str:
    return spoken.say("This account is joined with no other. /link does that.")


def _button(label: str, value: str, *, primary: bool = False) -> Button:
    return Button(label=label, action=Action(verb=Verb.LINK, value=value), primary=primary)


def _texts(body: Sequence[str]) -> tuple[Markdown, ...]:
    return tuple(map(Markdown, body))


def _said(sentence: str, *, replaces: bool = True) -> Reply:
    panel = Panel(role=Role.NOTICE, tone=Tone.RIGHT, body=(Markdown(sentence),))
    return Reply(panel=panel, replaces=replaces)


def _refused(sentence: str) -> Reply:
    return Reply(panel=Panel(role=Role.NOTICE, tone=Tone.NOTICE, body=(Markdown(sentence),)))
