"""Showing: the Chat port. Each panel goes to its room or its person in the way that fits both."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from adapters.telegram import naming
from adapters.telegram.asking import Ballot, Look, Manner, ballot, holds, look, manner
from adapters.telegram.directory import Directory
from adapters.telegram.drawing import (
    Keyboard,
    alert,
    answer_elsewhere,
    challenge,
    keyboard,
    letter_keyboard,
    parts,
)
from adapters.telegram.naming import Sent
from adapters.telegram.pacing import Urgency
from adapters.telegram.places import Spot, spot_of
from adapters.telegram.polls import Asked, Polls
from adapters.telegram.speaking import Speaker
from adapters.telegram.troubles import PerhapsDelivered, Rejected
from adapters.telegram.via import Cause, Via
from bot.actions import Verb
from bot.effects import Trouble
from bot.errors import DeliveryError
from bot.host import Host
from bot.modes import Mode
from bot.panels import Form, Panel, Role
from bot.people import Participant
from bot.ports import Clock, Post
from bot.text import Markdown, Picture, pictures
from bot.wording import Words, choose, words

_log = logging.getLogger(__name__)

TAKEN = "👌"
PUZZLED = "🤔"
SPARE_FOR_REFUSALS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An item on its way into a chat; `alone` says that nobody is to see what others answer."""

    panel: Panel
    form: Form
    spot: Spot
    how: Manner
    words: Words
    style: str
    alone: bool = False


class Shower:
    """Shows panels."""

    def __init__(
        self,
        *,
        speaker: Speaker,
        polls: Polls,
        directory: Directory,
        host: Host,
        clock: Clock,
        username: str,
    ) -> None:
        """Take the collaborators; `username` is the bot's, for links to it."""
        self._speaker = speaker
        self._polls = polls
        self._directory = directory
        self._host = host
        self._clock = clock
        self._username = username
        self._closing: dict[str, datetime] = {}

    async def show(self, post: Post) -> str:
        """Deliver a panel and give the name of the message."""
        spot = spot_of(post.room.alias)
        via = post.via if isinstance(post.via, Via) else None
        if post.to and not _is_theirs(spot, post.to):
            await self._whisper(post.panel, post.to, spot, via)
            return ""
        language = choose(
            post.panel.language,
            post.to.language if post.to else "",
            post.room.settings.language,
        )
        await self._before_speaking(via)
        match post.panel.role:
            case Role.QUESTION:
                return await self._ask(post, spot, words(language))
            case Role.REVEAL:
                return await self._reveal(post, spot, words(language))
            case Role.RECEIPT if via and via.cause is Cause.VOTE:
                return ""
            case _:
                return await self._tell(post, spot, words(language))

    # ------------------------------------------------------------ questions

    async def _ask(self, post: Post, spot: Spot, spoken: Words) -> str:
        form = post.panel.form
        session = await self._host.session(form.session) if form else None
        if form is None or session is None:
            raise DeliveryError(Trouble.MISHAP.value, "a question of no session")
        question = Question(
            panel=post.panel,
            form=form,
            spot=spot,
            how=manner(session, spot),
            words=spoken,
            style=form.style if form.style == "buttons" else post.room.settings.style,
            alone=session.rules.mode is Mode.DAILY,
        )
        try:
            sent = await self._put(question)
        except PerhapsDelivered as error:
            if not question.alone:
                raise
            _log.warning("perhaps delivered", extra={"why": str(error)})
            return ""  # asked twice it would be two questions of one day
        if question.how.seconds is not None:
            self._closing[str(sent)] = self._clock.now() + timedelta(seconds=question.how.seconds)
        return str(sent)

    async def _put(self, question: Question) -> Sent:
        """Ask by poll, or by what it takes where a poll cannot be had."""
        channel = await self._directory.is_channel(question.spot.chat_id)
        chosen = look(question.panel, channel=channel, style=question.style)
        room = not question.spot.private
        if (
            chosen in {Look.POLL, Look.LETTERS}
            and room
            and not holds(question.panel, question.words)
        ):
            chosen = Look.BUTTONS
        if chosen is Look.TEXT:
            return await self._ask_for_text(question, channel=channel)
        if chosen is Look.BUTTONS:
            return await self._ask_with_buttons(question)
        try:
            return await self._ask_by_poll(question)
        except Rejected:
            _log.exception("poll refused", extra={"session": question.form.session})
            return await self._ask_with_buttons(question)

    async def _ask_by_poll(self, question: Question) -> Sent:
        room = not question.spot.private
        made = ballot(question.panel, question.form, question.how, question.words, room=room)
        before = 0
        if made.message:
            picture = _picture(question.panel)
            sent = await self._speaker.say(
                question.spot, made.message, picture=picture, urgency=Urgency.QUIZ
            )
            before = sent.message_id
        return await self._send_poll(question, made, before)

    async def _send_poll(self, question: Question, made: Ballot, before: int) -> Sent:
        spot = question.spot
        with self._polls.one_more() as way:
            message = await self._speaker.poll(
                spot, made, reply_to=before, rows=keyboard(question.panel), way=way
            )
            if message.poll:
                asked = Asked(
                    session=question.form.session,
                    turn=question.form.turn,
                    places=tuple(made.places),
                    only=str(spot.chat_id) if spot.private else "",
                    message=message.message_id,
                )
                await self._polls.keep(message.poll.id, asked)
        return Sent(chat_id=message.chat.id, message_id=message.message_id, kind=naming.POLL)

    async def _ask_with_buttons(self, question: Question) -> Sent:
        panel = _with_time(question)
        message = await self._speaker.say(
            question.spot,
            parts(panel, question.words),
            rows=letter_keyboard(panel, question.words),
            picture=_picture(panel),
            urgency=Urgency.QUIZ,
        )
        return Sent(chat_id=message.chat.id, message_id=message.message_id, kind=naming.BUTTONS)

    async def _ask_for_text(self, question: Question, *, channel: bool) -> Sent:
        panel = _with_time(question)
        rows = list(keyboard(panel))
        room = not question.spot.private
        elsewhere = channel or (room and question.alone)
        if elsewhere:
            rows.insert(0, answer_elsewhere(question.form, self._username, question.words))
        elif room:
            how = Markdown(question.words.say("Reply to this message with your answer."))
            panel = replace(panel, notes=(*panel.notes, how))
        message = await self._speaker.say(
            question.spot,
            parts(panel, question.words),
            rows=rows,
            picture=_picture(panel),
            urgency=Urgency.QUIZ,
            force_reply=room and not elsewhere,
        )
        return Sent(chat_id=message.chat.id, message_id=message.message_id)

    # ------------------------------------------------------------ answers

    async def _reveal(self, post: Post, spot: Spot, spoken: Words) -> str:
        """Show the answer: in a channel in the question's own place, else as a reply to it."""
        asked = naming.parse(post.replaces) or _voted_in(post, spot)
        channel = not spot.private and await self._directory.is_channel(spot.chat_id)
        rows = keyboard(_without_doubts(post.panel) if channel else post.panel)
        in_place = asked and asked.kind == naming.BUTTONS and not post.panel.anew
        if asked and in_place and channel:
            texts = parts(post.panel, spoken)
            try:
                await self._speaker.edit(spot, asked.message_id, texts, rows)
            except Rejected as error:
                _log.info("not edited", extra={"why": error.detail})
            else:
                return post.replaces
        there = asked.message_id if asked and asked.chat_id == self._speaker.here(spot) else 0
        texts = parts(post.panel, spoken, stem=post.panel.anew)
        name = await self._say(spot, texts, rows, reply_to=there)
        if asked and there and asked.kind == naming.POLL and self._is_open(post):
            await self._speaker.stop_poll(spot, there)
        self._closing.pop(post.replaces, None)
        return name

    def _is_open(self, post: Post) -> bool:
        """Tell whether a poll may still be voted in that should not be."""
        if spot_of(post.room.alias).private and post.to:
            return not any(option.chosen for option in post.panel.options)
        closing = self._closing.get(post.replaces)
        onward = any(button.primary for button in post.panel.buttons)
        return self._clock.now() < closing if closing else onward

    # ------------------------------------------------------------ everything else

    async def _tell(self, post: Post, spot: Spot, spoken: Words) -> str:
        rows = list(keyboard(post.panel))
        if post.panel.role is Role.SUMMARY and spot.private and post.to:
            rows += challenge(post.panel, self._username, spoken)
        return await self._say(spot, parts(post.panel, spoken), rows)

    async def _say(self, spot: Spot, texts: list[str], rows: Keyboard, *, reply_to: int = 0) -> str:
        """Say something of a quiz. If nobody knows whether it arrived it counts as arrived:
        said twice it would confuse, and every one of these can be asked for again.
        """
        try:
            message = await self._speaker.say(
                spot,
                texts,
                rows=rows,
                reply_to=reply_to,
                urgency=Urgency.QUIZ,
            )
        except PerhapsDelivered as error:
            _log.warning("perhaps delivered", extra={"why": str(error)})
            return ""
        return str(Sent(chat_id=message.chat.id, message_id=message.message_id))

    async def _whisper(self, panel: Panel, to: Participant, spot: Spot, via: Via | None) -> None:
        """Tell one person something about a room, where nobody else reads it.

        Who started a quiz that is paused hears of it in their own chat: the room is out of reach.
        """
        if panel.role is Role.QUESTION:
            raise DeliveryError(Trouble.BLOCKED.value, "a private question in a room")
        paused = any(button.action.verb is Verb.RESUME for button in panel.buttons)
        if via is None or paused:
            return await self._write_to(to, panel)
        await via.settle()
        if via.someone.external != to.alias.external:
            return None
        if query_id := via.open_query():
            return await self._speaker.answer_press(query_id, alert(panel))
        if via.cause is Cause.TEXT and via.spot.private:
            await self._speaker.say(via.spot, parts(panel, words(choose(to.language))))
            return None
        if via.cause is Cause.TEXT:
            sign = TAKEN if panel.role is Role.RECEIPT else PUZZLED
            return await self._speaker.react(spot, via.message_id, sign)
        if via.cause is Cause.COMMAND and self._speaker.spare(spot, SPARE_FOR_REFUSALS):
            texts = parts(panel, words(choose(to.language)))
            await self._speaker.say(spot, texts, reply_to=via.message_id, urgency=Urgency.CHATTER)
        return None

    async def _write_to(self, to: Participant, panel: Panel) -> None:
        """Write to a person's own chat, which they may never have opened."""
        if not to.alias.external.isdigit():
            return
        onward = tuple(b for b in panel.buttons if b.action.verb is not Verb.RESUME)
        shown = replace(panel, buttons=onward)
        texts = parts(shown, words(choose(to.language)))
        own = Spot(chat_id=int(to.alias.external))
        await self._speaker.say(own, texts, rows=keyboard(shown))

    async def _before_speaking(self, via: Via | None) -> None:
        """Let go of the update, and of the button that waits for an answer."""
        if via is None:
            return
        await via.settle()
        if query_id := via.open_query():
            await self._speaker.answer_press(query_id)


def _voted_in(post: Post, spot: Spot) -> Sent | None:
    """Give the poll of the vote that closed a turn before its message was known."""
    via = post.via
    if not isinstance(via, Via) or via.cause is not Cause.VOTE or not spot.private:
        return None
    return Sent(chat_id=spot.chat_id, message_id=via.message_id, kind=naming.POLL)


def _without_doubts(panel: Panel) -> Panel:
    """Leave out the button to challenge: a channel's posts stay as they are read."""
    kept = tuple(one for one in panel.buttons if one.action.verb is not Verb.CHALLENGE)
    return replace(panel, buttons=kept)


def _is_theirs(spot: Spot, person: Participant) -> bool:
    return spot.private and person.alias.external == str(spot.chat_id)


def _picture(panel: Panel) -> Picture | None:
    found = [picture for text in panel.body for picture in pictures(text)]
    return found[0] if found else None


def _with_time(question: Question) -> Panel:
    """Say how much time there is, where no poll counts it down."""
    if question.how.seconds is None:
        return question.panel
    left = question.words.seconds(question.how.seconds)
    return replace(question.panel, progress=f"{question.panel.progress} · ⏱ {left}")
