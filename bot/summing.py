"""Summing up: how a session ended, leaderboards, pauses and refusals, as panels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.actions import Action, Verb
from bot.effects import Refusal, Trouble
from bot.modes import Mode
from bot.packs import short
from bot.panels import Button, Panel, Role, Tone
from bot.people import called
from bot.ports import Board, Merit, Period, Response
from bot.scoring import Standing
from bot.session import Session
from bot.showing import Staged, explanation, given_in_full, right_answer
from bot.text import Markdown, literal, plain, shorten
from bot.verdicts import headline
from bot.wording import Words

MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}
STEM_LENGTH = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a private session came to: its turns as staged, each with its response or None.

    `gone` counts the turns whose items exist no more.
    """

    turns: Sequence[tuple[Staged, Response | None]]
    practice: int
    seconds: float
    gone: int = 0

    @property
    def correct(self) -> float:
        """Sum up the grades."""
        return round(sum(response.grade for _, response in self.turns if response), 4)

    @property
    def missed(self) -> Sequence[tuple[Staged, Response | None]]:
        """List the turns that earned less than everything."""
        return [(staged, r) for staged, r in self.turns if r is None or r.grade < 1]


def private_summary(session: Session, outcome: Outcome, title: str, words: Words) -> Panel:
    """Tell one person their score, what they missed and what counted."""
    total = len(outcome.turns)
    body = [Markdown(f"**{literal(title)}**")]
    if total:
        body.append(Markdown(_headline(outcome, words)))
    if outcome.practice and not session.mixed:
        body.append(Markdown(_practice(outcome, words)))
    review = outcome.turns if session.rules.mode is Mode.EXAM else outcome.missed
    notes = [_reviewed(staged, response, session) for staged, response in review]
    if notes:
        exam = session.rules.mode is Mode.EXAM
        above = words.say("Your answers") if exam else words.say("To look at again")
        notes.insert(0, Markdown(f"**{above}**"))
    return Panel(
        role=Role.SUMMARY,
        language=words.language,
        tone=_summary_tone(outcome),
        heading=_ending(session, outcome, words),
        progress=f"{words.number(outcome.correct)}/{words.number(total)}" if total else "",
        body=tuple(body),
        notes=tuple(notes),
        buttons=_afterwards(session, outcome, words),
    )


def shared_result(session: Session, outcome: Outcome, title: str, name: str, words: Words) -> Panel:
    """Tell a room what one person scored on their own, and invite the others."""
    sentence = words.say(
        "**{name}** got **{correct} of {total}** right in {time}.",
        name=literal(called(name, words)),
        correct=words.number(outcome.correct),
        total=words.number(len(outcome.turns)),
        time=words.duration(outcome.seconds),
    )
    try_it = Action(verb=Verb.PLAY, turn=1, value=short(session.pack))
    invitation = Button(label=words.say("Try it too"), action=try_it, primary=True)
    return Panel(
        role=Role.SUMMARY,
        tone=_summary_tone(outcome),
        heading=title,
        body=(Markdown(sentence),),
        buttons=() if session.mixed else (invitation,),
    )


def shared_summary(
    session: Session, standings: Sequence[Standing], title: str, words: Words
) -> Panel:
    """Show a room its final standings."""
    body = [Markdown(f"**{literal(title)}**")]
    if not standings:
        body.append(Markdown(words.say("Nobody answered. Better luck next time!")))
    return Panel(
        role=Role.SUMMARY,
        language=words.language,
        heading=words.say("Final standings"),
        progress=words.plural("{n} question", "{n} questions", session.closed),
        body=tuple(body),
        standings=_called(standings, words),
        buttons=(_again(session, words),),
    )


def leaderboard(board: Board, period: Period, merit: Merit, title: str, words: Words) -> Panel:
    """Show a leaderboard, and one's own place where one stands on it."""
    names = {
        Period.TODAY: words.say("today"),
        Period.WEEK: words.say("this week"),
        Period.MONTH: words.say("this month"),
        Period.ALL: words.say("of all time"),
    }
    body: list[Markdown] = []
    if not board.rows:
        body.append(
            Markdown(words.say("Nobody is on this board yet. Type /quiz and be the first!"))
        )
    elif merit is Merit.ACCURACY:
        body.append(Markdown(words.say("By accuracy.")))
    notes = []
    if board.mine:
        notes.append(Markdown(own_place(board, words)))
    return Panel(
        role=Role.BOARD,
        language=words.language,
        heading=words.say("Leaderboard {period}", period=names[period]),
        progress=title,
        body=tuple(body),
        standings=_called(board.rows, words),
        notes=tuple(notes),
    )


def own_place(board: Board, words: Words) -> str:
    """Say where somebody stands: `You: place 37 of 120`."""
    if board.mine is None:
        return words.say("You are not on this board yet.")
    return words.say(
        "You: place {place} of {total}, {points}",
        place=words.number(board.mine.place),
        total=words.number(board.total),
        points=points(board.mine.points, words),
    )


def standing_line(row: Standing, words: Words) -> Markdown:
    """Write one row of a leaderboard as text that wraps well."""
    mark = MEDALS.get(row.place, f"{words.number(row.place)}.")
    score = words.say(
        "{correct}/{answered} right",
        correct=words.number(row.correct),
        answered=words.number(row.answered),
    )
    return Markdown(f"{mark} **{literal(row.name)}** · {points(row.points, words)} · {score}")


def points(number: int, words: Words) -> str:
    """Write points."""
    return words.plural("{n} point", "{n} points", number)


def refused(why: Refusal, words: Words, *, detail: str = "") -> Panel:
    """Say politely why not; `detail` is what was recorded, or by how much somebody was late."""
    sentences = {
        Refusal.LATE: words.say("Too late by {detail}: the time was over.", detail=detail),
        Refusal.CLOSED: words.say("This question is closed."),
        Refusal.ALREADY: words.say("You have already answered {detail}.", detail=detail),
        Refusal.NOT_YOURS: words.say("This quiz is somebody else's. Type /quiz for your own."),
        Refusal.NOT_ALLOWED: words.say("Only who started the quiz or a moderator can do that."),
        Refusal.UNREADABLE: words.say(
            "I could not read that as an answer. {detail}", detail=detail
        ),
        Refusal.BUSY: words.say("A quiz is already running here. Join in, or stop it with /stop."),
        Refusal.GONE: words.say("This quiz is over. Type /quiz for a new one."),
        Refusal.MODERATORS: words.say("Only a moderator can do that here."),
        Refusal.PAUSED: words.say("This quiz is paused. Go on with /resume."),
    }
    return Panel(role=Role.NOTICE, tone=Tone.NOTICE, body=(Markdown(sentences[why].strip()),))


def paused(session: Session, trouble: Trouble, words: Words) -> Panel:
    """Say that a session is paused, why, and what to do."""
    sentences = {
        Trouble.LEFT: words.say("Your quiz waits for you. Go on whenever you like."),
        Trouble.NO_PERMISSION: words.say(
            "I may not write here any more. Allow me to send messages, then go on with /resume."
        ),
        Trouble.NO_POLLS: words.say(
            "I may not send polls here. Allow polls or choose buttons in /settings, then /resume."
        ),
        Trouble.ROOM_GONE: words.say("The place of this quiz is gone. Start it again elsewhere."),
        Trouble.ROOM_CLOSED: words.say(
            "This topic or thread is closed. Open it again, then go on with /resume."
        ),
        Trouble.BLOCKED: words.say("I cannot reach you here. Write to me, then type /resume."),
        Trouble.UNREACHABLE: words.say(
            "I could not reach the chat. Nothing is lost; go on with /resume."
        ),
        Trouble.PACK_GONE: words.say("The questions of this quiz are gone. Stop it with /stop."),
        Trouble.MISHAP: words.say(
            "Something went wrong on my side. Nothing is lost; go on with /resume."
        ),
    }
    resume = Action(verb=Verb.RESUME, session=session.id, turn=session.turn)
    return Panel(
        role=Role.NOTICE,
        tone=Tone.NOTICE,
        heading=words.say("Paused"),
        progress=f"{session.turn + 1}/{session.length}",
        body=(Markdown(sentences[trouble]),),
        buttons=(Button(label=words.say("Go on"), action=resume, primary=True),),
    )


def _called(rows: Sequence[Standing], words: Words) -> tuple[Standing, ...]:
    return tuple(replace(row, name=called(row.name, words)) for row in rows)


def _headline(outcome: Outcome, words: Words) -> str:
    right = words.say(
        "**{correct} of {total}** right in {time}.",
        correct=words.number(outcome.correct),
        total=words.number(len(outcome.turns)),
        time=words.duration(outcome.seconds),
    )
    return right + (" " + words.say("Not one missed!") if not outcome.missed else "")


def _practice(outcome: Outcome, words: Words) -> str:
    if outcome.practice == sum(1 for _, response in outcome.turns if response):
        return words.say(
            "This was practice: you have answered these questions here this week already, "
            "and the first answer counts for the leaderboard."
        )
    return words.plural(
        "{n} answer was practice: the first one of a week counts for the leaderboard.",
        "{n} answers were practice: the first ones of a week count for the leaderboard.",
        outcome.practice,
    )


def _ending(session: Session, outcome: Outcome, words: Words) -> str:
    total = outcome.gone + len(outcome.turns)
    return words.say("Done!") if total >= session.length else words.say("Stopped")


def _summary_tone(outcome: Outcome) -> Tone:
    if not outcome.turns:
        return Tone.NOTICE
    return Tone.PARTLY if outcome.missed else Tone.RIGHT


def _reviewed(staged: Staged, response: Response | None, session: Session) -> Markdown:
    """Put one turn in a few lines: stem, one's own answer, the right one; in an exam also why."""
    words = staged.words
    stem = literal(shorten(" ".join(plain(staged.item.stem).split()), STEM_LENGTH))
    lines = [f"**{staged.turn + 1}.** {stem}"]
    if response is None:
        lines.append(words.say("Not answered."))
    else:
        answer = given_in_full(staged, response.submission)
        yours = words.say("You answered {answer}.", answer=answer)
        lines.append(f"{headline(response, words)} · {yours}")
    if response is None or response.grade < 1:
        lines.append(words.say("Right answer: {answer}", answer=right_answer(staged)))
    if session.rules.mode is Mode.EXAM:
        why = explanation(staged, response.submission if response else None)
        lines.extend(line for line in why if line not in lines)
    return Markdown("\n\n".join(lines))


def _afterwards(session: Session, outcome: Outcome, words: Words) -> tuple[Button, ...]:
    again = () if session.mixed else (_again(session, words),)
    if not outcome.missed:
        return again
    missed = Action(verb=Verb.MISSED, session=session.id)
    return (Button(label=words.say("Go over the missed ones"), action=missed, primary=True), *again)


def _again(session: Session, words: Words) -> Button:
    again = Action(verb=Verb.PLAY, session=session.id, value=short(session.pack))
    return Button(label=words.say("Play again"), action=again)
