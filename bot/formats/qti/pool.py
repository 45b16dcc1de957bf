"""Blackboard's pools of before QTI: POOL with QUESTION_… elements."""

import html
from xml.etree.ElementTree import Element

from bot.drafts import Draft, DraftOption
from bot.formats.findings import Question
from bot.formats.matching import matched
from bot.formats.options import distinct
from bot.formats.qti.drafting import Desk
from bot.formats.qti.trees import text
from bot.wording import phrase

PREFIX = "QUESTION_"


def question(element: Element, desk: Desk) -> Question:
    """Make a question of an element."""
    kind = str(element.tag).removeprefix(PREFIX)
    name = element.get("id", "")
    desk.begin(phrase("question {number}", number=name) if name else phrase("question"))
    body = element.find("BODY")
    stem = _markdown(body, desk)
    if not stem:
        return desk.skip("", phrase("There is no question in it."))
    draft = Draft(stem=stem)
    for name in ("FEEDBACK_WHEN_CORRECT", "FEEDBACK_WHEN_INCORRECT"):
        if words := text(element.find(f"GRADABLE/{name}")):
            desk.lost(words, phrase("Feedback for a verdict has no place here."))
    answers = element.findall("ANSWER")
    match kind:
        case "TRUEFALSE" | "MULTIPLECHOICE" | "MULTIPLEANSWER" | "EITHEROR":
            keys = {one.get("answer_id") for one in element.iterfind("GRADABLE/CORRECTANSWER")}
            options, repeated = distinct(
                (
                    DraftOption(text=_markdown(one, desk), is_key=one.get("id") in keys)
                    for one in answers
                ),
                desk.place,
            )
            desk.remarks += repeated
            draft = Draft(stem=stem, options=options, several=kind == "MULTIPLEANSWER")
        case "FILLINBLANK":
            draft = Draft(stem=stem, accepted=tuple(map(text, answers)), as_text=True)
        case "MATCH":
            return _match(draft, element, desk)
        case _:
            return desk.skip(
                text(body),
                phrase("A question of the type {kind} cannot be asked here.", kind=kind.lower()),
            )
    return Question(draft=draft, remarks=tuple(desk.remarks))


def _match(draft: Draft, element: Element, desk: Desk) -> Question:
    """Make a choice of each pair."""
    sides = {one.get("id"): _markdown(one, desk) for one in element.findall("CHOICE")}
    chosen = {
        one.get("answer_id"): one.get("choice_id")
        for one in element.iterfind("GRADABLE/CORRECTANSWER")
    }
    pairs = [
        (_markdown(one, desk), sides.get(chosen.get(one.get("id")), ""))
        for one in element.findall("ANSWER")
    ]
    drafts = matched(draft, [*pairs, *(("", side) for side in sides.values())])
    if not drafts:
        return desk.skip(draft.stem, phrase("The pairs to match cannot be told."))
    return Question(draft=drafts[0], more=drafts[1:], remarks=tuple(desk.remarks))


def _markdown(element: Element | None, desk: Desk) -> str:
    """Write the text of an element, which is HTML whatever its flags say."""
    found = element.find("TEXT") if element is not None else None
    words = (found.text or "") if found is not None else ""
    return desk.markdown(words if "<" in words else html.escape(words, quote=False))
