"""Reviewing: what somebody missed comes back, when it is due or at once."""

from collections.abc import Collection, Sequence
from typing import ClassVar

from bot import review_panels as panels
from bot.actions import Action, Verb
from bot.effects import Refusal
from bot.features import Feature, Tools
from bot.ids import PackId
from bot.memory import Card, Key
from bot.modes import Mode, Rules
from bot.people import rules_for
from bot.recollecting import Known, Recollection, collected, keys, zone_of
from bot.reminding import Reminding
from bot.requests import Reply, Request
from bot.session import Session
from bot.summing import refused
from bot.wishes import Mixture

LONGEST = 120
"""Minutes that a review can be asked for."""

REMIND = frozenset({"remind", "reminder", "ingatkan", "pengingat"})
MINUTES = frozenset({"m", "min", "minutes", "menit"})


class Reviewing(Feature):
    """Serves `/review` and `/missed`, and sends reminders."""

    commands: ClassVar[frozenset[str]] = frozenset({"review", "missed"})
    verbs: ClassVar[frozenset[Verb]] = frozenset({Verb.REVIEW})

    def __init__(self, tools: Tools) -> None:
        """Take what to work with."""
        super().__init__(tools)
        self._recollection = Recollection(
            store=tools.store, library=tools.library, shelves=tools.host.shelves
        )
        self._reminding = Reminding(tools, self._recollection)

    async def obey(self, request: Request, name: str, rest: str) -> Reply | None:
        """Review, for so many minutes if a number is given; or ask again what was missed."""
        if name == "missed":
            return await self._missed(request)
        first, *others = rest.split() or [""]
        if first.casefold() in REMIND:
            return await self._reminding.obey(request, others)
        if not first:
            return await self._review(request)
        if not _minutes(first, others):
            return Reply(panel=panels.usage(self.tools.words(request)))
        return await self._review(request, minutes=min(int(first[:4]), LONGEST))

    async def press(self, request: Request, action: Action) -> Reply | None:
        """Do what one of the buttons of `review_panels` asks for."""
        match action.value:
            case "go":
                return await self._review(request)
            case "early":
                return await self._review(request, early=True)
            case "anki":
                return await self._exported(request, action)
            case _:
                return await self._reminding.press(request, action)

    async def tick(self, platforms: Collection[str]) -> None:
        """Send the reminders that are due."""
        await self._reminding.tick(platforms)

    # ------------------------------------------------------------ sessions

    async def _review(
        self, request: Request, minutes: int | None = None, *, early: bool = False
    ) -> Reply | None:
        """Ask what is due, most urgent first; `early` also what is not due yet, soonest first."""
        reminder = await self.tools.store.reminder(request.person.id)
        known = await self._known(request)
        now = self.tools.clock.now()
        agenda = known.agenda(now=now, seed=int(now.timestamp()))
        found = agenda.due or (agenda.later if early else ())
        if not found:
            spoken = self.tools.words(request)
            return Reply(panel=panels.nothing_due(agenda, spoken, reminded=reminder is not None))
        return await self._ask(request, panels.REVIEW, found[: known.fitting(minutes)])

    async def _missed(self, request: Request) -> Reply | None:
        """Ask again at once what was missed lately."""
        known = await self._known(request)
        found = known.mistakes(now=self.tools.clock.now())
        if not found:
            spoken = self.tools.words(request)
            if known.cards:
                return Reply(panel=panels.nothing_missed(spoken))
            return Reply(
                panel=panels.nothing_due(
                    known.agenda(now=self.tools.clock.now()), spoken, reminded=True
                )
            )
        return await self._ask(request, panels.MISSED, found)

    async def _ask(self, request: Request, name: PackId, found: Sequence[Card]) -> Reply | None:
        spoken = self.tools.words(request)
        wish = Mixture(
            pack_id=name,
            items=keys(found),
            rules=rules_for(request.room.settings, Rules(mode=Mode.SOLO)),
            language=spoken.language,
        )
        return await self.tools.begin(request, wish)

    async def _known(self, request: Request) -> Known:
        reminder = await self.tools.store.reminder(request.person.id)
        zone = zone_of(reminder, request.room)
        return await self._recollection.of(request.person.id, zone)

    # ------------------------------------------------------------ Anki

    async def _exported(self, request: Request, action: Action) -> Reply:
        """Give what was missed in a session, or without one lately, as a deck for Anki."""
        from bot.formats import anki  # noqa: PLC0415 - an archive and a database, if wanted

        spoken = self.tools.words(request)
        session = await self.tools.host.session(action.session)
        if session and session.owner != request.person.id:
            return Reply(panel=refused(Refusal.NOT_YOURS, spoken))
        wanted = await self._missed_in(session) if session else await self._missed_lately(request)
        title = panels.mixed_title(panels.MISSED, spoken)
        edition = collected(self.tools.library, wanted, spoken.language, title)
        if not edition.items:
            return Reply(panel=panels.nothing_missed(spoken))
        content, _ = anki.write(edition)
        return Reply(panel=panels.exported(spoken), file=(f"{edition.id}{anki.SUFFIX}", content))

    async def _missed_in(self, session: Session) -> Sequence[Key]:
        """Name what was missed in a session; what it asked because it had been missed counts."""
        responses = await self.tools.store.responses(session.id, session.starter)
        right = {one.turn for one in responses if one.grade >= 1}
        if session.pack == panels.MISSED:
            right = set()
        return [
            (session.pack_at(turn), session.draw.items[turn])
            for turn in range(session.closed)
            if turn not in right
        ]

    async def _missed_lately(self, request: Request) -> Sequence[Key]:
        known = await self._known(request)
        return keys(known.mistakes(now=self.tools.clock.now()))


def _minutes(first: str, others: Sequence[str]) -> bool:
    """Tell whether words say how many minutes: `10`, `10 minutes`."""
    number = first.isascii() and first.isdigit() and int(first[:4]) > 0
    return number and (not others or (len(others) == 1 and others[0].casefold() in MINUTES))
