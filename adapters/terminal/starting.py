"""Starting: which quiz a person at the terminal plays, a new one or the one they left."""

from dataclasses import dataclass

from adapters.terminal.chat import PROMPT, Sitting
from adapters.terminal.typed import Command, command
from bot.effects import Refusal
from bot.errors import KuisError, UnknownPack
from bot.ids import SessionId
from bot.modes import Mode, Rules
from bot.narrator import PackGone
from bot.packs import Library, Pack
from bot.ports import Sessions
from bot.session import Phase, Session
from bot.summing import refused
from bot.text import literal
from bot.wishes import Wish
from bot.wording import Words

_NO = {"n", "no", "t", "tidak"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was typed after `kuis play`; None and False leave the choice to us.

    `fresh` leaves aside whatever quiz is still open; `confidence` asks how sure the person is.
    """

    pack: str | None = None
    mode: Mode | None = None
    count: int | None = None
    seed: int | None = None
    keep_order: bool = False
    fresh: bool = False
    confidence: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """Finds the session to play: goes on with an open one, or starts one."""

    sitting: Sitting
    library: Library
    sessions: Sessions

    async def begin(self, wanted: Wanted) -> SessionId | None:
        """Give the session to play, with its item shown; None if the person wants none.

        Raises UnknownPack, and KuisError where there is nothing to play.
        """
        named = self.library.find(wanted.pack) if wanted.pack else None
        left = await self._left()
        if left and not wanted.fresh:
            if not self._meant(left, named, wanted):
                self._say_farewell(left)
            elif (agreed := self._agreed(left)) is None:
                return None
            elif agreed:
                await self.sitting.resume(left)
                return left.id
        pack = named or self._pick()
        return await self._started(pack, wanted) if pack else None

    async def _left(self) -> Session | None:
        """Give the session that is open, if its items still exist."""
        sitting = self.sitting
        left = await self.sessions.open_session(sitting.room.id, sitting.me.id)
        if left is None:
            return None
        if left.mixed:
            return left
        try:
            for turn in range(left.length):
                sitting.host.narrator.staged(left, turn, sitting.me)
        except PackGone:
            sitting.screen.tell(
                sitting.screen.words.say("The questions of the quiz you left are gone.")
            )
            return None
        return left

    def _meant(self, left: Session, named: Pack | None, wanted: Wanted) -> bool:
        """Tell whether an open session is what was asked for: nothing asked contradicts it."""
        length = min(wanted.count or left.length, len(named.item_ids) if named else left.length)
        return (
            (named is None or named.id == left.pack)
            and wanted.mode in {None, left.rules.mode}
            and wanted.seed in {None, left.draw.seed}
            and (left.rules.keep_order or not wanted.keep_order)
            and (left.rules.confidence or not wanted.confidence)
            and (wanted.count is None or length == left.length)
        )

    def _agreed(self, left: Session) -> bool | None:
        """Ask whether to go on, None if the person leaves; a pipe cannot be asked, and is told."""
        screen = self.sitting.screen
        if not screen.interactive:
            screen.tell(
                screen.words.say(
                    "Going on with “{title}” at question {n} of {total}.", **self._place(left)
                )
            )
            return True
        screen.tell(
            screen.words.say(
                "Go on with “{title}” at question {n} of {total}?", **self._place(left)
            )
        )
        answer = screen.ask(screen.words.say("[Y/n] "))
        if answer is None or command(answer) is Command.STOP:
            return None
        return answer.strip().casefold() not in _NO

    def _say_farewell(self, left: Session) -> None:
        screen = self.sitting.screen
        screen.tell(
            screen.words.say(
                "“{title}”, left at question {n} of {total}, ends here. What you answered counts.",
                **self._place(left),
            )
        )

    def _place(self, left: Session) -> dict[str, object]:
        answered = (left.paused_in or left.phase) in {Phase.REVEALED, Phase.FINISHING}
        language = self.sitting.screen.words.language
        title = self.sitting.host.narrator.title(left, language)
        return {
            "title": literal(title),
            "n": min(left.length, left.turn + 1 + answered),
            "total": left.length,
        }

    def _pick(self) -> Pack | None:
        """Let the person choose a pack: by number, id or title."""
        screen, words = self.sitting.screen, self.sitting.screen.words
        if not len(self.library):
            raise KuisError(words.say("There are no quizzes here yet."))
        packs = list(self.library)
        screen.tell(words.say("**Which quiz?**"), *pack_lines(packs, words))
        while (line := screen.ask(PROMPT)) is not None:
            if command(line) is Command.STOP:
                return None
            try:
                if line.strip():
                    return self._named(line.strip(), packs)
            except UnknownPack as error:
                if not screen.interactive:
                    raise
                screen.tell(unknown_pack(error, words))
        return None

    def _named(self, name: str, packs: list[Pack]) -> Pack:
        if name.isascii() and name.isdigit() and 1 <= int(name) <= len(packs):
            return packs[int(name) - 1]
        return self.library.find(name)

    async def _started(self, pack: Pack, wanted: Wanted) -> SessionId | None:
        sitting = self.sitting
        wish = Wish(
            pack=pack,
            rules=Rules(
                mode=wanted.mode or Mode.SOLO,
                keep_order=wanted.keep_order,
                confidence=wanted.confidence,
            ),
            count=wanted.count,
            language=sitting.screen.words.language,
            seed=wanted.seed,
        )
        session = await sitting.host.start(wish, room=sitting.room, by=sitting.me)
        if isinstance(session, Refusal):
            sitting.screen.show(refused(session, sitting.screen.words))
            return None
        return session.id


def pack_lines(packs: list[Pack], words: Words) -> list[str]:
    """Write a numbered list of packs, in Markdown."""
    lines = []
    for number, pack in enumerate(packs, 1):
        edition = pack.edition(words.language)
        items = words.plural("{n} question", "{n} questions", len(pack.item_ids))
        lines.append(f"{number}. {literal(edition.title)} · {items}")
    return ["\n".join(lines)]


def unknown_pack(error: UnknownPack, words: Words) -> str:
    """Say that there is no such pack, and which names come near."""
    sentence = words.say("There is no quiz called “{name}”.", name=literal(error.name))
    if error.near:
        near = " · ".join(f"`{name}`" for name in error.near)
        return f"{sentence} " + words.say("Did you mean {names}?", names=near)
    return f"{sentence} " + words.say("`kuis packs` lists them all.")
