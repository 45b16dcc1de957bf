"""Reviewing at the terminal: what is due comes back, or at once what was missed."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from adapters.terminal.chat import Sitting
from bot.agenda import Agenda
from bot.effects import Refusal
from bot.errors import KuisError
from bot.ids import PackId, SessionId
from bot.memory import Card
from bot.modes import Mode, Rules
from bot.packs import Library
from bot.ports import Store
from bot.recollecting import Known, Recollection, collected, keys, zone_of
from bot.review_panels import MISSED, REVIEW, mixed_title
from bot.summing import refused
from bot.text import literal
from bot.wishes import Mixture


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was typed after `kuis review`: `early` also takes what is not due yet, `missed` only
    what was missed lately, and `anki` writes that into a file instead of asking it.
    """

    minutes: int | None = None
    early: bool = False
    missed: bool = False
    anki: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """Finds what is to be reviewed, and starts on it."""

    sitting: Sitting
    library: Library
    store: Store

    async def begin(self, wanted: Wanted) -> SessionId | None:
        """Give the session to play, with its item shown; None if there is nothing to review."""
        now = self.sitting.clock.now()
        known = await self._known()
        if wanted.missed:
            return await self._ask(MISSED, known.mistakes(now=now))
        agenda = known.agenda(now=now, seed=int(now.timestamp()))
        found = agenda.due or (agenda.later if wanted.early else ())
        if not found:
            self._nothing_due(agenda)
            return None
        return await self._ask(REVIEW, found[: known.fitting(wanted.minutes)])

    async def take_along(self, file: Path) -> None:
        """Write what was missed lately into a deck for Anki.

        Raises KuisError if the file cannot be written.
        """
        from bot.formats import anki  # noqa: PLC0415 - an archive and a database, if wanted

        words, tell = self.sitting.screen.words, self.sitting.screen.tell
        found = (await self._known()).mistakes(now=self.sitting.clock.now())
        if not found:
            tell(words.say("You have missed nothing in the last 30 days."))
            return
        title = mixed_title(MISSED, words)
        content, _ = anki.write(collected(self.library, keys(found), words.language, title))
        try:
            await asyncio.to_thread(file.write_bytes, content)
        except OSError as error:
            reason = error.strerror
            msg = words.say("{file} cannot be written: {reason}.", file=file, reason=reason)
            raise KuisError(msg) from None
        tell(words.say("Written: {file}", file=literal(str(file))))

    async def _known(self) -> Known:
        me, room = self.sitting.me, self.sitting.room
        zone = zone_of(await self.store.reminder(me.id), room)
        return await Recollection(
            store=self.store, library=self.library, shelves=self.sitting.host.shelves
        ).of(me.id, zone)

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
            words.say("Nothing is due today. Due tomorrow: **{tomorrow}**.", tomorrow=tomorrow),
            words.say("`kuis review --early` asks the next ones now."),
        )
