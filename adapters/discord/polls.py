"""Polls: Discord's own, as a way to answer. Votes are events; the list of voters is the truth.

Our own deadline ends a poll: it is closed, everybody who has voted is read from Discord, and what
was missed or taken back while the bot was away is put right before the turn closes.
"""

import asyncio
import json
import logging
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from adapters.discord import limits
from adapters.discord.identity import Identity
from adapters.discord.markup import discord_text, escaped
from adapters.discord.sending import Sender, read_name
from adapters.discord.visit import Unheard
from bot.answering import Given
from bot.host import Host
from bot.ids import SessionId
from bot.limits import DISCORD, fits
from bot.panels import Entry, Panel
from bot.people import Participant
from bot.ports import Clock, Store
from bot.session import Session
from bot.submissions import Chosen
from bot.text import plain, tidy
from bot.wording import words

_log = logging.getLogger(__name__)

REMEMBERED = 2000
UNTIMED_HOURS = 24
ZERO_WIDTH = "\u200b"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a poll asks: the turn of a session, and the places of its answers in their order."""

    session: SessionId
    turn: int
    places: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Polls:
    """Asks with polls, and takes their votes as answers."""

    host: Host
    store: Store
    clock: Clock
    identity: Identity
    sender: Sender
    known: OrderedDict[int, Asked | None]
    turns: dict[int, asyncio.Lock]

    async def ask(self, channel: int, panel: Panel, until: datetime | None) -> str | None:
        """Post a question as a poll; None if this one does not fit into any.

        Raises DeliveryError.
        """
        content, poll = _content(panel, until), _poll(panel)
        if poll is None or panel.form is None or len(content) > limits.CONTENT:
            return None
        name = await self.sender.post_poll(channel, content, poll)
        message = (read_name(name) or (0, 0))[1]
        asked = Asked(
            session=panel.form.session,
            turn=panel.form.turn,
            places=tuple(option.place for option in panel.options),
        )
        self._keep(message, asked)
        noted = json.dumps([asked.session, asked.turn, asked.places])
        await self.store.set_note(_key(message), noted)
        return name

    async def asked_by(self, message: int) -> Asked | None:
        """Tell what a poll asks; None for a poll that is not ours."""
        if message not in self.known:
            noted = await self.store.note(_key(message))
            found = None
            if noted:
                session, turn, places = json.loads(noted)
                found = Asked(session=SessionId(session), turn=turn, places=tuple(places))
            self._keep(message, found)
        return self.known[message]

    async def voted(self, vote: discord.RawPollVoteActionEvent, *, added: bool) -> None:
        """Take a vote, or take it back; those of one poll in the order in which they came."""
        at = self.clock.now()
        if self.known.get(vote.message_id, vote) is None:
            return  # a poll of somebody else
        lock = self.turns.setdefault(vote.message_id, asyncio.Lock())
        async with lock:
            asked = await self.asked_by(vote.message_id)
            if asked is None:
                self.turns.pop(vote.message_id, None)
            elif 0 < vote.answer_id <= len(asked.places):
                person = await self.identity.unnamed(vote.user_id)
                place = asked.places[vote.answer_id - 1]
                if added:
                    await self._record(asked, person, place, at)
                else:
                    await self._withdraw(asked, person, place)

    async def collect(self, session: Session) -> None:
        """Close the poll of a turn and make the answers what its list of voters says.

        Raises DeliveryError.
        """
        name = read_name(session.message)
        asked = await self.asked_by(name[1]) if name else None
        if name is None or asked is None:
            return
        await self.sender.end_poll(*name)
        now = self.clock.now()
        at = min(now, session.deadline) if session.deadline else now
        voters = {
            person: asked.places[answer - 1]
            for answer, user in await self.sender.voters(*name)
            for person in [await self.identity.named(user)]
            if 0 < answer <= len(asked.places)
        }
        await asyncio.gather(
            *(self._record(asked, person, place, at) for person, place in voters.items())
        )
        there = {person.id for person in voters}
        for row in await self.store.standings(session):
            if row.participant not in there:
                stored = await self.store.response(session.id, session.turn, row.participant)
                if stored and session.opened and stored.at >= session.opened:
                    await self.store.withdraw(session.id, session.turn, row.participant)
        self.turns.pop(name[1], None)

    async def _record(self, asked: Asked, person: Participant, place: int, at: datetime) -> None:
        answer = Chosen(frozenset({place}))
        stored = await self.store.response(asked.session, asked.turn, person.id)
        if stored and stored.submission == answer:
            return
        given = Given(session=asked.session, turn=asked.turn, answer=answer, by=person, at=at)
        await self.host.answer(given, via=Unheard())

    async def _withdraw(self, asked: Asked, person: Participant, place: int) -> None:
        stored = await self.store.response(asked.session, asked.turn, person.id)
        if stored and stored.submission == Chosen(frozenset({place})):
            await self.store.withdraw(asked.session, asked.turn, person.id)

    def _keep(self, message: int, asked: Asked | None) -> None:
        self.known[message] = asked
        self.known.move_to_end(message)
        while len(self.known) > REMEMBERED:
            self.known.popitem(last=False)


def _key(message: int) -> str:
    return f"discord.poll.{message}"


def _poll(panel: Panel) -> discord.Poll | None:
    """Make a poll of a question with one key; None if there is no room for it in one."""
    if panel.form is None or panel.form.entry is not Entry.ONE:
        return None
    if not 1 <= len(panel.options) <= limits.POLL_ANSWERS:
        return None
    spoken = words(panel.language)
    whole = _is_whole(panel)
    question = tidy(plain(panel.body[0])) if whole else spoken.say("Your answer?")
    hours = UNTIMED_HOURS if panel.form.seconds is None else 1 + panel.form.seconds // 3600
    poll = discord.Poll(question=question, duration=timedelta(hours=hours))
    for option in panel.options:
        poll.add_answer(text=tidy(plain(option.text)) if whole else option.letter)
    return poll


def _is_whole(panel: Panel) -> bool:
    """Tell whether question and answers lose nothing in a poll."""
    return (
        len(panel.body) == 1
        and fits(panel.body[0], DISCORD.question)
        and all(fits(option.text, DISCORD.option) for option in panel.options)
    )


def _content(panel: Panel, until: datetime | None) -> str:
    """Write what stands above a poll: how far the quiz is, and texts that do not fit into it."""
    spoken = words(panel.language)
    small = [escaped(panel.progress)]
    if until:
        small.append(f"⏳ <t:{round(until.timestamp())}:R>")
    else:
        small.append(spoken.say("/skip shows the answer"))
    lines = ["-# " + "  ·  ".join(small)]
    if not _is_whole(panel):
        lines += [f"**{discord_text(text)}**" for text in panel.body]
        lines += [f"**{o.letter}.** {discord_text(o.text)}" for o in panel.options]
    return "\n".join(lines)
