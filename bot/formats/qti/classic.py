"""QTI 1.2, as Canvas, Blackboard, Respondus and text2qti write it."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from bot.drafts import Draft, DraftOption
from bot.formats import places
from bot.formats.findings import Question, Severity
from bot.formats.matching import matched
from bot.formats.options import distinct
from bot.formats.qti.drafting import Desk
from bot.formats.qti.trees import inner, text
from bot.intervals import interval
from bot.items import Interval
from bot.numbers import number
from bot.wording import phrase


def question(item: Element, desk: Desk) -> Question:
    """Make a question of an item."""
    name = item.get("title") or item.get("ident") or ""
    known = item.get("ident") or text(item.find("itemmetadata/bbmd_asi_object_id")) or name
    desk.begin(places.item(known))
    return _Item(item, name, desk).question()


_SEVERAL = phrase("Several responses to one question cannot be asked for here.")
_NONE = phrase("A question without a response cannot be asked here.")
_UNASKED = {
    "essay": phrase("An essay cannot be graded here."),
    "file upload": phrase("A file to upload cannot be graded here."),
    "text only": phrase("There is nothing to answer in it."),
    "calculated": phrase("A calculated question has other numbers each time."),
    "multiple dropdowns": phrase("Several menus in a text cannot be asked here."),
    "fill in multiple blanks": phrase("Several gaps in a text cannot be asked here."),
    "fill in the blank plus": phrase("Several gaps in a text cannot be asked here."),
    "jumbled sentence": phrase("Several menus in a text cannot be asked here."),
    "ordering": phrase("Things to put in order cannot be asked here."),
    "hot spot": phrase("A place in a picture cannot be asked for here."),
    "opinion scale": phrase("An opinion has no right answer."),
    "short response": phrase("A free response cannot be graded here."),
    "quiz bowl": phrase("An answer in the form of a question cannot be graded here."),
}
_TRUTHS = {"true": "True", "false": "False", "yes": "Yes", "no": "No"}
_RESPONSES = {"response_lid", "response_str", "response_num", "response_grp"}
_RIGHT = {"correct", "correct_fb"}


@dataclass(slots=True, kw_only=True)
class _Condition:
    """What a response must be, what it earns, and which feedback it shows."""

    equal: list[tuple[str, str]] = field(default_factory=list)
    bounds: dict[str, str] = field(default_factory=dict)
    points: float | None = None
    links: list[str] = field(default_factory=list)

    @property
    def is_right(self) -> bool:
        """Tell whether such a response earns anything."""
        shown = any(link in _RIGHT for link in self.links)
        return self.points > 0 if self.points is not None else shown


class _Item:
    """An item on its way to a question."""

    def __init__(self, item: Element, name: str, desk: Desk) -> None:
        self._item = item
        self._name = name
        self._desk = desk
        self._conditions = [_condition(one) for one in item.iter("respcondition")]
        self._feedback = {
            one.get("ident", ""): self._markdown(one) for one in item.iter("itemfeedback")
        }

    def question(self) -> Question:
        """Tell by its type and its responses what the item asks."""
        kind = self._kind()
        if kind in _UNASKED:
            return self._desk.skip(self._name, _UNASKED[kind])
        stem = self._stem()
        lists = list(self._item.iter("response_lid"))
        typed = [*self._item.iter("response_str"), *self._item.iter("response_num")]
        if not stem:
            return self._desk.skip(self._name, phrase("There is no question in it."))
        if len(lists) > 1 and "match" in kind:
            return self._matching(stem, lists)
        if len(lists) + len(typed) != 1:
            return self._desk.skip(self._name, _SEVERAL if lists or typed else _NONE)
        draft = self._chosen(stem, lists[0], kind) if lists else self._typed(stem, typed[0], kind)
        self._report()
        return Question(draft=draft, remarks=tuple(self._desk.remarks))

    def _kind(self) -> str:
        """Give the type of the question in words; empty if the item does not say."""
        named = text(self._item.find("itemmetadata/bbmd_questiontype"))
        for entry in self._item.iter("qtimetadatafield"):
            if text(entry.find("fieldlabel")) in {"question_type", "cc_profile"}:
                named = named or text(entry.find("fieldentry"))
        words = named.casefold().replace("_", " ").removeprefix("cc.").removesuffix(".v0p1")
        return words.removesuffix(" question").strip()

    def _stem(self) -> str:
        presentation = self._item.find("presentation")
        if presentation is None:
            return ""
        block = next(_flows(presentation, "QUESTION_BLOCK"), presentation)
        return self._desk.markdown(_materials(block, _RESPONSES))

    def _markdown(self, element: Element) -> str:
        return self._desk.markdown(_materials(element, ()))

    def _chosen(self, stem: str, response: Element, kind: str) -> Draft:
        labels = list(response.iter("response_label"))
        several = response.get("rcardinality") == "Multiple" or kind == "multiple answers"
        keys = self._keys(response.get("ident", ""), labels, several=several)
        options, repeated = distinct(
            (self._option(label, keys, at) for at, label in enumerate(labels)), self._desk.place
        )
        self._desk.remarks += repeated
        if not any(option.is_key for option in options):
            reason = phrase("No response of the item earns anything.")
            self._desk.say(Severity.CHANGED, self._name, reason, phrase("It waits for its answer."))
        return Draft(stem=stem, options=options, rationale=self._rationale(), several=several)

    def _option(self, label: Element, keys: frozenset[str], at: int) -> DraftOption:
        name = label.get("ident", str(at))
        words = self._markdown(label)
        short = words.replace("\\", "").rpartition(".")[2]
        if words.replace("\\", "") == name and short in _TRUTHS:
            words = _TRUTHS[short]
        return DraftOption(text=words, is_key=name in keys, rationale=self._reason(name))

    def _reason(self, name: str) -> str:
        """Give the feedback for one option: by its name, or by the condition for it."""
        links = [f"{name}_fb", name]
        links += (
            link
            for condition in self._conditions
            if condition.points is None and [value for _, value in condition.equal] == [name]
            for link in condition.links
            if link not in _RIGHT
        )
        return next((self._feedback.pop(link) for link in links if self._feedback.get(link)), "")

    def _keys(self, ident: str, labels: Sequence[Element], *, several: bool) -> frozenset[str]:
        names = {label.get("ident", "") for label in labels}
        earned: dict[str, float] = {}
        for condition in self._conditions:
            if condition.is_right:
                for respondent, value in condition.equal:
                    name = respondent if respondent in names and not value else value
                    if name in names and respondent in {ident, name}:
                        points = 1.0 if condition.points is None else condition.points
                        earned[name] = max(points, earned.get(name, 0.0))
        most = max(earned.values(), default=0.0)
        if any(points < most for points in earned.values()) and not several:
            self._desk.lost(self._name, phrase("Some options earn only a part of the points."))
        return frozenset(name for name, points in earned.items() if several or points == most)

    def _typed(self, stem: str, response: Element, kind: str) -> Draft:
        fib = response.find(".//render_fib")
        decimal = fib is not None and fib.get("fibtype") in {"Decimal", "Integer"}
        numeric = response.tag == "response_num" or decimal or kind.startswith("numeric")
        accepted: dict[str | Interval, None] = {}
        for condition in self._conditions:
            if condition.is_right:
                accepted |= dict.fromkeys(_accepted(condition, numeric=numeric))
        return Draft(
            stem=stem, accepted=tuple(accepted), rationale=self._rationale(), as_text=not numeric
        )

    def _matching(self, stem: str, lists: Sequence[Element]) -> Question:
        """Make a choice of each pair: every response has the same labels."""
        chosen = {
            respondent: value
            for condition in self._conditions
            if condition.is_right
            for respondent, value in condition.equal
        }
        sides = [
            self._markdown(side)
            for block in _flows(self._item, "RIGHT_MATCH_BLOCK")
            for side in block
        ]
        beside = {flow.find("response_lid"): flow for flow in self._item.iter("flow")}
        pairs: list[tuple[str, str]] = []
        for response in lists:
            labels = self._labels(response, sides)
            around = beside.get(response, response)
            hidden = {"render_choice"} if around is response else {"response_lid"}
            left = self._desk.markdown(_materials(around, hidden))
            pairs.append((left, labels.get(chosen.get(response.get("ident", ""), ""), "")))
            pairs += (("", label) for label in labels.values())
        drafts = matched(Draft(stem=stem, rationale=self._rationale()), pairs)
        if not drafts:
            return self._desk.skip(self._name, phrase("The pairs to match cannot be told."))
        self._report()
        return Question(draft=drafts[0], more=drafts[1:], remarks=tuple(self._desk.remarks))

    def _labels(self, response: Element, sides: Sequence[str]) -> dict[str, str]:
        """Name the right sides: by their texts, or in Blackboard by their places in a block."""
        labels = list(response.iter("response_label"))
        texts = [self._markdown(label) for label in labels]
        shown = texts if any(texts) else [*sides, *texts][: len(texts)]
        names = (label.get("ident", "") for label in labels)
        return dict(zip(names, shown, strict=True))

    def _rationale(self) -> str:
        """Take the feedback that everybody is shown."""
        return self._feedback.pop("general_fb", "") or self._feedback.pop("solution", "")

    def _report(self) -> None:
        for words in self._feedback.values():
            if words:
                self._desk.lost(words, phrase("Feedback for a verdict has no place here."))


def _flows(element: Element, name: str) -> Iterator[Element]:
    return (flow for flow in element.iter("flow") if flow.get("class") == name)


def _condition(element: Element) -> _Condition:
    """Read a condition, without what must not be chosen."""
    found = _Condition()
    denied = {below for one in element.iter("not") for below in one.iter()}
    for one in element.iter():
        value = text(one)
        match one.tag:
            case "varequal" if one not in denied:
                found.equal.append((one.get("respident", ""), value))
            case "vargte" | "vargt" | "varlte" | "varlt":
                found.bounds[one.tag[:5]] = value
            case "setvar":
                points = number(value)
                found.points = points if points is not None else float("max" in value)
            case "displayfeedback":
                found.links.append(one.get("linkrefid", ""))
            case _:
                pass
    return found


def _accepted(condition: _Condition, *, numeric: bool) -> Iterator[str | Interval]:
    """Give what a condition accepts; bounds include the value that is shown as the key."""
    values = [value for _, value in condition.equal if value]
    low, high = condition.bounds.get("vargt"), condition.bounds.get("varlt")
    if not numeric:
        yield from values
    elif low is not None and high is not None:
        value = values[0] if values else ""
        around = interval(f"{value} ({low}..{high})") if value else interval(f"{low}..{high}")
        if around or values:
            yield around or values[0]
    else:
        yield from (interval(value) or value for value in values)


def _materials(element: Element, hidden: Sequence[str] | set[str]) -> str:
    """Write the texts and pictures below an element as HTML, without those in some elements."""
    if element.tag in hidden:
        return ""
    words = element.text or ""
    match element.tag:
        case "mattext" | "mat_formattedtext" if len(element):
            return inner(element)
        case "mattext":
            is_plain = element.get("texttype", "text/plain") == "text/plain"
            return html.escape(words, quote=False) if is_plain else words
        case "mat_formattedtext":
            return words
        case "matimage" | "mat_image":
            return f'<img src="{html.escape(element.get("uri", ""))}">'
        case _:
            pass
    parts = (_materials(child, hidden) for child in element)
    return "<br>".join(part for part in parts if part.strip())
