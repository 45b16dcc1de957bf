"""Reception: takes in what people press, type and ask for, and sees to it that they are told."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from adapters.discord import forms
from adapters.discord.drawing import draw, with_file
from adapters.discord.identity import Identity, with_polls
from adapters.discord.manners import Manners
from adapters.discord.sending import Sender
from adapters.discord.visit import Visit
from bot.actions import Action, Verb
from bot.answering import Given
from bot.commands import Place
from bot.desk import Desk, Reply, Request
from bot.effects import Refusal
from bot.errors import DeliveryError
from bot.events import Resumed
from bot.host import Host
from bot.menus import notice
from bot.narrator import PackGone
from bot.panels import Panel
from bot.people import Participant
from bot.ports import Clock
from bot.session import Phase, Session
from bot.submissions import Chosen, pressed
from bot.summing import refused
from bot.text import Markdown
from bot.wording import Words, choose, words

if TYPE_CHECKING:
    import discord

    from adapters.discord.client import QuizClient

_log = logging.getLogger(__name__)

NAMING = "name."
"""How the value of a button begins that asks for a new title."""

Work = Callable[[Visit], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reception:
    """Stands between Discord's interactions and the desk."""

    host: Host
    desk: Desk
    clock: Clock
    identity: Identity
    sender: Sender
    manners: Manners

    async def attend(self, interaction: "discord.Interaction[QuizClient]", work: Work) -> None:
        """Do some work for a person; whatever happens they are told, and Discord is answered."""
        visit = Visit(interaction, self.clock.now())
        try:
            await work(visit)
            await visit.acknowledge()
        except DeliveryError as error:
            _log.info("not told: %s", error, extra=_details(interaction))
        except PackGone as gone:
            await self._excuse(visit, refused(gone.refusal, spoken_by(visit)))
        except Exception:  # noqa: BLE001 - the edge: logged, and told in one polite sentence
            _log.exception("interaction failed", extra=_details(interaction))
            sentence = spoken_by(visit).say(
                "Something went wrong on my side. Nothing is lost; please try again."
            )
            await self._excuse(visit, notice(sentence))
        finally:
            visit.close()

    # ------------------------------------------------------------ buttons, menus, forms

    async def pressed(
        self,
        interaction: "discord.Interaction[QuizClient]",
        action: Action | None,
        chosen: list[str] | None = None,
    ) -> None:
        """Do what a button or menu asks for; `chosen` is what was picked from a menu."""
        await self.attend(interaction, lambda visit: self._pressed(visit, action, chosen))

    async def typed(self, interaction: "discord.Interaction[QuizClient]") -> None:
        """Take what was typed into a form, also one that was opened before a restart."""
        action, text = forms.read(interaction)
        if action and action.verb is Verb.BANK:
            return await self.attend(interaction, lambda visit: self._rename(visit, action, text))
        if action is None or action.verb is not Verb.TYPE:
            return await self.pressed(interaction, None)
        return await self.attend(interaction, lambda visit: self._answer(visit, action, text))

    async def _pressed(self, visit: Visit, action: Action | None, chosen: list[str] | None) -> None:
        if action is None:
            sentence = spoken_by(visit).say("This button is too old to work. Type /quiz instead.")
            return await visit.say(draw(notice(sentence)))
        match action.verb:
            case Verb.ANSWER:
                answer = pressed(action.value if chosen is None else ",".join(chosen))
                if answer:
                    await self._answer(visit, action, answer[0], sure=answer[1])
            case Verb.TYPE:
                await visit.ask(forms.answer_form(action, spoken_by(visit)))
            case Verb.BANK if action.value.startswith(NAMING):
                await visit.ask(forms.title_form(action, spoken_by(visit)))
            case _:
                await self._move(visit, action)
        return None

    async def _answer(
        self, visit: Visit, action: Action, answer: Chosen | str, *, sure: bool | None = None
    ) -> None:
        person = await self.identity.person(visit.interaction, visit.at)
        session = await self.host.session(action.session)
        if session and session.owner == person.id and session.phase is Phase.PAUSED:
            session = await self._wake(visit, session, person)
            if (session.turn, session.phase) != (action.turn, Phase.OPEN):
                return
        given = Given(
            session=action.session,
            turn=action.turn,
            answer=answer,
            by=person,
            at=visit.at,
            sure=sure,
        )
        why = await self.host.answer(given, via=visit)
        if session is None and why is Refusal.GONE:
            await visit.say(draw(refused(why, words(person.language))))
        elif session and not visit.said:
            await self._where(visit, session, person)

    async def _move(self, visit: Visit, action: Action) -> None:
        """Do what any other button asks for."""
        request = await self._request(visit, action)
        session = await self.host.session(action.session) if action.session else None
        own = session is not None and session.owner == request.person.id
        if session and own and session.phase is Phase.PAUSED and action.verb is Verb.NEXT:
            await self._wake(visit, session, request.person)
            return
        if action.verb is Verb.PLAY and (visit.in_private or request.place is Place.PRIVATE):
            action = replace(action, turn=1)
        reply = await self.desk.press(request, action)
        await self.reply(visit, request, reply)
        if action.verb is Verb.SETTING:
            self.identity.forget(visit.interaction.user.id)
        if session and own and action.verb is Verb.SHARE and reply and reply.public:
            summary = await self.host.narrator.summary(session, request.person)
            await visit.say(draw(summary), replaces=True)
        elif session and own and not visit.said:
            await self._where(visit, session, request.person)

    async def _rename(self, visit: Visit, action: Action, title: str) -> None:
        request = await self.identity.request(visit)
        pack = action.value.removeprefix(NAMING)
        reply = await self.desk.banking.managing.rename(request, pack, title)
        await self.reply(visit, request, reply)

    async def _request(self, visit: Visit, action: Action) -> Request:
        request = await self.identity.request(visit)
        if action.verb is Verb.SETTING:
            return await self.of_server(visit, request)
        return with_style(request)

    async def of_server(self, visit: Visit, request: Request) -> Request:
        """Let a request be about the settings of the whole server."""
        guild = visit.interaction.guild_id
        if guild is None:
            return request
        may = visit.interaction.permissions
        room = await self.identity.server(guild)
        return replace(request, room=room, moderator=may.manage_guild or may.administrator)

    # ------------------------------------------------------------ one's own quiz

    async def _wake(self, visit: Visit, session: Session, person: Participant) -> Session:
        """Go on with a quiz of one's own that was left where it could not be shown."""
        resumed = Resumed(at=visit.at, by=person.id)
        await self.host.steer(session.id, resumed, via=visit, by=person)
        return await self.host.session(session.id) or session

    async def _where(self, visit: Visit, session: Session, person: Participant) -> None:
        """Show somebody once more where their own quiz stands: an old button was pressed."""
        now = await self.host.session(session.id) or session
        if now.owner != person.id:
            return
        narrator = self.host.narrator
        match now.phase:
            case Phase.ASKING | Phase.OPEN:
                panel = narrator.question(now, person)
            case Phase.REVEALING | Phase.REVEALED:
                panel = await narrator.reveal(now, person)
            case Phase.FINISHING | Phase.FINISHED:
                panel = await narrator.summary(now, person)
            case Phase.PAUSED:
                return
        await visit.say(draw(panel), replaces=True)

    # ------------------------------------------------------------ replies

    async def reply(self, visit: Visit, request: Request, reply: Reply | None) -> None:
        """Say what the desk has to say: to the person, or to all if it is for all."""
        if reply is None:
            return
        panel = reply.panel
        if not panel.language:
            panel = replace(panel, language=self.desk.words(request).language)
        if reply.public and request.place is Place.ROOM:
            await self.post(visit, panel, replaces=reply.replaces)
            return
        drawing = draw(panel, picture=reply.picture)
        if reply.file:
            drawing = with_file(drawing, *reply.file)
        await visit.say(drawing, replaces=reply.replaces)

    async def post(self, visit: Visit, panel: Panel, *, replaces: bool = False) -> bool:
        """Show something to the whole channel; if that fails at least to who asked for it."""
        interaction = visit.interaction
        channel = interaction.channel_id or 0
        try:
            if replaces and interaction.message:
                await self.sender.edit(channel, interaction.message.id, draw(panel))
            else:
                await self.sender.post(channel, draw(panel))
        except DeliveryError as error:
            _log.info("not posted: %s", error, extra=_details(interaction))
            sentence = spoken_by(visit).say(
                "Only you can see this: I may not write here. Ask for me to be allowed to "
                "send messages."
            )
            alone = replace(panel, notes=(*panel.notes, Markdown(sentence)))
            await visit.say(draw(alone))
            return False
        return True

    async def _excuse(self, visit: Visit, panel: Panel) -> None:
        try:
            await visit.say(draw(panel))
        except DeliveryError as error:
            _log.info("not told: %s", error)


def with_style(request: Request) -> Request:
    """Let a request play by the rules that the room's style of showing items needs."""
    room = replace(request.room, settings=with_polls(request.room.settings))
    return replace(request, room=room)


def spoken_by(visit: Visit) -> Words:
    """Give the words for somebody who has not been looked up: those of their own Discord."""
    return words(choose(visit.interaction.locale.value))


def _details(interaction: "discord.Interaction[QuizClient]") -> dict[str, object]:
    data: Mapping[str, Any] = interaction.data or {}
    return {
        "interaction": interaction.id,
        "kind": interaction.type.name,
        "channel": interaction.channel_id,
        "guild": interaction.guild_id,
        "asked": data.get("custom_id") or data.get("name"),
    }
