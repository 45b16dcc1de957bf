"""QTI 2.1, 2.2 and 3.0: one item in one document, with one interaction that can be asked."""

import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Question, Severity
from bot.formats.options import distinct
from bot.formats.qti.drafting import Desk
from bot.formats.qti.trees import GAP, inner, text
from bot.formats.qti.writing import PREFIX
from bot.intervals import interval
from bot.items import Interval
from bot.numbers import number
from bot.wording import phrase


def question(item: Element, desk: Desk) -> Question:
    """Make a question of an item."""
    name = item.get("title", "") or item.get("identifier", "")
    desk.begin(places.item(item.get("identifier") or name))
    body = item.find("itemBody")
    found = [] if body is None else [one for one in body.iter() if _is_interaction(one)]
    if body is None or not found:
        return desk.skip(name, phrase("There is nothing to answer in it."))
    if len(found) > 1 or found[0].tag not in _ASKED:
        kinds = ", ".join(str(one.tag).removesuffix("Interaction") for one in found)
        return desk.skip(
            name, phrase("What it asks for cannot be asked here: {kinds}.", kinds=kinds)
        )
    if item.get("adaptive") == "true":
        desk.lost(name, phrase("The item adapts to responses, which is not done here."))
    asked = _Asked(item, body, found[0], desk)
    draft = asked.typed() if found[0].tag == "textEntryInteraction" else asked.chosen()
    if not draft.stem:
        return desk.skip(name, phrase("There is no question in it."))
    return Question(draft=draft, remarks=tuple(desk.remarks))


_ASKED = {"choiceInteraction", "inlineChoiceInteraction", "textEntryInteraction"}
_ASIDE = {"rubricBlock", "feedbackBlock", "templateBlock", "stylesheet", "feedbackInline"}


def _is_interaction(element: Element) -> bool:
    name = str(element.tag)
    return name.endswith("Interaction") and name != "endAttemptInteraction"


class _Asked:
    """An item with its body and its interaction."""

    def __init__(self, item: Element, body: Element, interaction: Element, desk: Desk) -> None:
        self._item = item
        self._body = body
        self._interaction = interaction
        self._desk = desk
        self._declared = self._declaration()

    def chosen(self) -> Draft:
        """Make a draft with options."""
        choices = [
            one for one in self._interaction.iter() if one.tag in {"simpleChoice", "inlineChoice"}
        ]
        keys = self._keys()
        options, repeated = distinct((self._option(one, keys) for one in choices), self._desk.place)
        self._desk.remarks += repeated
        if not any(option.is_key for option in options):
            reason = phrase("No correct response is declared.")
            self._desk.say(Severity.CHANGED, "", reason, phrase("It waits for its answer."))
        several = self._declared.get("cardinality", "single") != "single"
        return Draft(
            stem=self._stem(),
            id=_own(self._item),
            options=options,
            rationale=self._rationale(choices),
            keep_order=any(one.get("fixed") == "true" for one in choices),
            several=several,
        )

    def typed(self) -> Draft:
        """Make a draft with accepted answers, as numbers where the response is one."""
        values = list(dict.fromkeys(self._values()))
        numeric = self._declared.get("baseType") in {"float", "integer"}
        accepted = tuple(self._near(value) if numeric else value for value in values)
        return Draft(
            stem=self._stem(),
            id=_own(self._item),
            accepted=accepted,
            rationale=self._rationale(()),
            as_text=not numeric,
        )

    def _declaration(self) -> Element:
        wanted = self._interaction.get("responseIdentifier")
        declared = list(self._item.iter("responseDeclaration"))
        found = [one for one in declared if one.get("identifier") == wanted]
        return (found or declared or [Element("responseDeclaration")])[0]

    def _mapped(self) -> Iterator[tuple[str, float]]:
        for entry in self._declared.iter("mapEntry"):
            yield entry.get("mapKey", "").strip(), number(entry.get("mappedValue", "")) or 0.0

    def _values(self) -> Iterator[str]:
        """Go through the correct responses, and others that earn as much."""
        mapped = dict(self._mapped())
        right = [text(value) for value in self._declared.iterfind("correctResponse/value")]
        yield from filter(None, right)
        most = max(mapped.values(), default=0.0)
        yield from (key for key, worth in mapped.items() if key and worth == most > 0)
        if any(0 < worth < most for worth in mapped.values()):
            self._desk.lost("", phrase("Some responses earn only a part of the points."))

    def _keys(self) -> frozenset[str]:
        right = {text(value) for value in self._declared.iterfind("correctResponse/value")}
        if not right:
            worths = dict(self._mapped())
            several = self._declared.get("cardinality") == "multiple"
            most = max(worths.values(), default=0.0)
            right = {
                key for key, worth in worths.items() if worth > 0 and (several or worth == most)
            }
        if len({worth for _, worth in self._mapped() if worth > 0}) > 1:
            self._desk.lost("", phrase("The options earn different points."))
        return frozenset(right)

    def _option(self, choice: Element, keys: frozenset[str]) -> DraftOption:
        name = choice.get("identifier", "")
        replies = [one for one in choice.iter() if one.tag == "feedbackInline"]
        modal = (one for one in self._modals() if one.get("identifier") == name)
        reasons = [inner(one, ()) for one in (*replies, *modal)]
        return DraftOption(
            text=self._desk.markdown(inner(choice, replies)),
            is_key=name in keys,
            rationale=self._desk.markdown("<br>".join(reasons)),
        )

    def _modals(self) -> Sequence[Element]:
        return list(self._item.iterfind("modalFeedback"))

    def _rationale(self, choices: Sequence[Element]) -> str:
        """Take feedback that is always shown as rationale; report that for a verdict."""
        named = {choice.get("identifier") for choice in choices}
        shown = [inner(one) for one in self._body.iter("feedbackBlock")]
        for one in self._modals():
            if one.get("showHide") == "hide":
                shown.append(inner(one))
            elif one.get("identifier") not in named and text(one):
                self._desk.lost(text(one), phrase("Feedback for a verdict has no place here."))
        return self._desk.markdown("<br>".join(shown))

    def _stem(self) -> str:
        """Write the body with the prompt in the place of the interaction."""
        hidden = {one for one in self._body.iter() if one.tag in _ASIDE}
        for one in hidden:
            if one.tag == "rubricBlock" and text(one):
                self._desk.lost(text(one), phrase("A rubric has no place here."))
        interaction = self._interaction
        if interaction.tag == "choiceInteraction":
            prompt = interaction.find("prompt")
            said = "" if prompt is None else self._desk.markdown(inner(prompt))
            around = self._desk.markdown(inner(self._body, {*hidden, interaction}))
            return "\n\n".join(part for part in (around, said) if part)
        written = self._desk.markdown(inner(self._body, hidden, interaction))
        parts = [part for part in written.split("\n\n") if part.replace("\\", "") != GAP]
        return "\n\n".join(parts)

    def _near(self, value: str) -> str | Interval:
        """Read a number with the tolerance that the item's processing gives it."""
        for equal in self._item.iter("equal"):
            first, *rest = equal.get("tolerance", "0").split()
            mode = {"absolute": "", "relative": " %"}.get(equal.get("toleranceMode", ""))
            if mode is not None and rest in ([], [first]) and number(first):
                return interval(f"{value} ± {first}{mode}") or value
        return interval(value) or value


def _own(item: Element) -> str:
    """Give the id of an item that was written here."""
    name = item.get("identifier", "")
    return name.removeprefix(PREFIX) if name.startswith(PREFIX) else ""


def language(item: Element) -> str:
    """Give the language of an item, if it says so."""
    code = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", item.get("lang", ""))
    return code[0].lower() if code else ""
