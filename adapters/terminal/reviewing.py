"""Reviewing at the terminal: what is due comes back, or at once what was missed."""

from collections.abc import Sequence
from dataclasses import dataclass

from adapters.terminal.chat import Sitting
from bot.agenda import Agenda
from bot.effects import Refusal
from bot.ids import PackId, SessionId
from bot.memory import Card
from bot.modes import Mode, Rules
from bot.packs import Library
from bot.ports import Store
from bot.recollecting import Recollection, keys, zone_of
from bot.review_panels import MISSED, REVIEW
from bot.summing import refused
from bot.wishes import Mixture


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was typed after `kuis review`: `early` also takes what is not due yet, `missed` only
    what was missed lately.
    """

    minutes: int | None = None
    early: bool = False
    missed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Finds what is to be reviewed, and starts on it."""

    sitting: Sitting
    library: Library
    store: Store

    async def begin(self, wanted: Wanted) -> SessionId | None:
        """Give the session to play, with its item shown; None if there is nothing to review."""
        sitting, now = self.sitting, self.sitting.clock.now()
        zone = zone_of(await self.store.reminder(sitting.me.id), sitting.room)
        recollection = Recollection(store=self.store, library=self.library)
        known = await recollection.of([sitting.me.id], zone)
        if wanted.missed:
            return await self._ask(MISSED, known.mistakes(now=now))
        agenda = known.agenda(now=now, seed=int(now.timestamp()))
        found = agenda.due or (agenda.later if wanted.early else ())
        if not found:
            self._nothing_due(agenda)
            return None
        return await self._ask(REVIEW, found[: known.fitting(wanted.minutes)])

    async def _ask(self, name: PackId, found: Sequence[Card]) -> SessionId | None:
        sitting, words = self.sitting, self.sitting.screen.words
        if not found:
            sitting.screen.tell(words.say("You have missed nothing in the last 30 days."))
            return None
        wish = Mixture(
            pack_id=name,
            items=keys(found),
            rules=Rules(mode=Mode.SOLO),
            language=words.language,
        )
        session = await sitting.host.start(wish, room=sitting.room, by=sitting.me)
        if isinstance(session, Refusal):
            sitting.screen.show(refused(session, words))
            return None
        return session.id

    def _nothing_due(self, agenda: Agenda) -> None:
        words, tell = self.sitting.screen.words, self.sitting.screen.tell
        if not agenda.later:
            tell(words.say("There is nothing to review yet. `kuis play` is where it begins."))
            return
        tomorrow = words.number(agenda.tomorrow)
        tell(
            words.say("Nothing is due today, tomorrow **{tomorrow}**.", tomorrow=tomorrow),
            words.say("`kuis review --early` asks the next ones now."),
        )
