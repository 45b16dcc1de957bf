import io
import zipfile
from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.drafts import Draft
from bot.errors import FileRefused
from bot.formats import qti
from bot.formats.findings import Haul, Severity
from bot.items import Choice, Interval, Numeric, Option, ShortText
from bot.packs import Edition
from bot.text import Markdown, plain
from tests.helpers.foreign import (
    NEED_CORPUS,
    again,
    brought,
    damaged,
    editions,
    mutated,
    said,
    shown,
    source,
    survived,
)


def read(content: str | bytes, name: str = "quiz.xml") -> Haul:
    return qti.read(source(content, name))


def drafts(content: str | bytes) -> list[Draft]:
    return [d for q in read(content).questions if q.draft for d in (q.draft, *q.more)]


def draft(content: str) -> Draft:
    (only,) = drafts(content)
    return only


def options(content: str) -> list[tuple[str, bool]]:
    return [(o.text, o.is_key) for o in draft(content).options]


def package(**files: str | bytes) -> bytes:
    """Make a package; two underscores in a name stand for a point, three for a slash."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as made:
        for name, data in files.items():
            made.writestr(name.replace("___", "/").replace("__", "."), data)
    return content.getvalue()


# QTI 2 and 3


def item(body: str, declared: str = "", more: str = "", head: str = "") -> str:
    """Write an item of QTI 2.1."""
    return (
        '<?xml version="1.0"?><!DOCTYPE assessmentItem>'
        '<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="i1" '
        f'title="T" xml:lang="de-DE" {head}>{declared}<itemBody>{body}</itemBody>{more}'
        "</assessmentItem>"
    )


def declared(*values: str, cardinality: str = "single", kind: str = "identifier",
             mapping: str = "") -> str:  # fmt: skip
    listed = "".join(f"<value>{value}</value>" for value in values)
    correct = f"<correctResponse>{listed}</correctResponse>" if values else ""
    return (
        f'<responseDeclaration identifier="R" cardinality="{cardinality}" baseType="{kind}">'
        f"{correct}{mapping}</responseDeclaration>"
    )


def mapping(**worth: float) -> str:
    entries = "".join(f'<mapEntry mapKey="{k}" mappedValue="{v}"/>' for k, v in worth.items())
    return f"<mapping>{entries}</mapping>"


TWO = '<simpleChoice identifier="A">a</simpleChoice><simpleChoice identifier="B">b</simpleChoice>'
ASKED = f'<choiceInteraction responseIdentifier="R"><prompt>Why?</prompt>{TWO}</choiceInteraction>'
TYPED = '<p>It is <textEntryInteraction responseIdentifier="R"/> now.</p>'
PLAIN = item(ASKED, declared("B"))
MODERN = """<qti-assessment-item xmlns="http://www.imsglobal.org/xsd/imsqtiasi_v3p0" identifier="x"
    title="t" xml:lang="he"><qti-response-declaration identifier="R" cardinality="multiple"
    base-type="identifier"><qti-correct-response><qti-value>H</qti-value><qti-value>O</qti-value>
    </qti-correct-response></qti-response-declaration><qti-item-body><div dir="rtl">
    <qti-choice-interaction response-identifier="R" max-choices="0"><qti-prompt>מה?</qti-prompt>
    <qti-simple-choice identifier="H" fixed="true">מימן</qti-simple-choice>
    <qti-simple-choice identifier="C">פחם</qti-simple-choice>
    <qti-simple-choice identifier="O">חמצן</qti-simple-choice>
    </qti-choice-interaction></div></qti-item-body></qti-assessment-item>"""


def test_a_choice_of_qti_2_is_read():
    found = draft(item("<p>Look.</p>" + ASKED, declared("B")))

    assert (found.stem, found.several) == ("Look.\n\nWhy?", False)
    assert options(PLAIN) == [("a", False), ("b", True)]
    assert read(PLAIN).language == "de"


def test_a_choice_of_qti_3_is_read():
    found = draft(MODERN)

    assert (found.stem, found.several, found.keep_order) == ("מה?", True, True)
    assert [o.is_key for o in found.options] == [True, False, True]
    assert read(MODERN).language == "he"


def test_keys_can_come_from_a_mapping():
    single = item(ASKED, declared(mapping=mapping(A=0.5, B=1)))
    several = item(ASKED, declared(mapping=mapping(A=1, B=1), cardinality="multiple"))

    assert options(single) == [("a", False), ("b", True)]
    assert said(read(single)) == ["The options earn different points."]
    assert options(several) == [("a", True), ("b", True)]


def test_an_item_without_a_correct_response_waits():
    assert options(item(ASKED)) == [("a", False), ("b", False)]
    assert said(read(item(ASKED))) == ["No correct response is declared."]
    assert options(item(ASKED, declared("A").replace('"R"', '"S"'))) == [("a", True), ("b", False)]


def test_a_gap_in_the_text_asks_for_words():
    found = draft(item(TYPED, declared("red", kind="string", mapping=mapping(red=1, blue=1))))

    assert (found.stem, found.accepted) == ("It is _____ now.", ("red", "blue"))
    assert found.as_text


def test_words_that_earn_less_are_reported():
    text = item(TYPED, declared("red", kind="string", mapping=mapping(red=1, pink=0.5)))

    assert draft(text).accepted == ("red",)
    assert "part of the points" in said(read(text))[0]


@pytest.mark.parametrize(
    ("more", "accepted"),
    [
        (
            '<equal toleranceMode="absolute" tolerance="0.5 0.5"/>',
            Interval(low=2.5, high=3.5, value=3),
        ),
        ('<equal toleranceMode="relative" tolerance="10"/>', Interval(low=2.7, high=3.3, value=3)),
        ('<equal toleranceMode="absolute" tolerance="0.5 1"/>', Interval(low=3, high=3, value=3)),
        ('<equal toleranceMode="exact"/>', Interval(low=3, high=3, value=3)),
        ("", Interval(low=3, high=3, value=3)),
    ],
)
def test_a_gap_for_a_number_has_its_tolerance(more: str, accepted: Interval):
    text = item(
        TYPED, declared("3", kind="float"), f"<responseProcessing>{more}</responseProcessing>"
    )

    assert draft(text).accepted == (accepted,)


def test_what_is_no_number_is_left_for_the_report():
    text = item(TYPED, declared("three", kind="float"),
                '<equal toleranceMode="absolute" tolerance="1"/>')  # fmt: skip

    assert draft(text).accepted == ("three",)
    assert draft(item(TYPED, declared("x", kind="integer"))).accepted == ("x",)


def test_a_menu_in_a_text_is_a_choice():
    text = item('<p>A <inlineChoiceInteraction responseIdentifier="R"><inlineChoice identifier="A">'
                'cat</inlineChoice><inlineChoice identifier="B">dog</inlineChoice>'
                "</inlineChoiceInteraction>.</p>", declared("A"))  # fmt: skip

    assert plain(Markdown(draft(text).stem)) == "A _____."
    assert options(text) == [("cat", True), ("dog", False)]


@pytest.mark.parametrize(
    "body",
    [
        "<p>Only text</p>",
        "<extendedTextInteraction/>",
        ASKED + ASKED,
        "<hotspotInteraction/><endAttemptInteraction/>",
        f'<choiceInteraction responseIdentifier="R">{TWO}</choiceInteraction>',
    ],
)
def test_other_interactions_are_skipped_with_their_names(body: str):
    (question,) = read(item(body)).questions

    assert question.draft is None
    assert question.remarks[-1].severity is Severity.SKIPPED
    assert question.remarks[-1].place == "item i1"


def test_an_item_without_a_body_is_skipped():
    assert read('<assessmentItem title="x"/>').questions[0].remarks[0].place == "item x"


def test_feedback_is_a_reason_or_reported():
    choice = ('<simpleChoice identifier="A">a<feedbackInline identifier="A">no</feedbackInline>'
              '</simpleChoice><simpleChoice identifier="B">b</simpleChoice>')  # fmt: skip
    asked = (
        f'<choiceInteraction responseIdentifier="R"><prompt>?</prompt>{choice}</choiceInteraction>'
    )
    body = f"<rubricBlock>r</rubricBlock>{asked}<feedbackBlock>so</feedbackBlock><rubricBlock/>"
    more = ('<modalFeedback identifier="B">yes</modalFeedback>'
            '<modalFeedback identifier="C">well done</modalFeedback>'
            '<modalFeedback identifier="N" showHide="hide">always</modalFeedback>'
            '<modalFeedback identifier="E"/>')  # fmt: skip
    text = item(body, declared("B"), more, 'adaptive="true"')

    found = draft(text)

    assert [o.rationale for o in found.options] == ["no", "yes"]
    assert (found.stem, found.rationale) == ("?", "so\\\nalways")
    assert set(said(read(text))) == {
        "The item adapts to responses, which is not done here.",
        "A rubric has no place here.",
        "Feedback for a verdict has no place here.",
    }


@pytest.mark.parametrize(
    ("markup", "tex"),
    [
        ("<mi>x</mi><mo>+</mo><mn>1</mn>", "x+1"),
        ("<mfrac><mn>1</mn><mn>2</mn></mfrac>", "\\frac{1}{2}"),
        ("<msup><mi>c</mi><mn>2</mn></msup>", "c^{2}"),
        ("<msub><mi>c</mi><mn>2</mn></msub>", "c_{2}"),
        ("<msubsup><mi>c</mi><mn>1</mn><mn>2</mn></msubsup>", "c_{1}^{2}"),
        ("<msqrt><mi>x</mi></msqrt>", "\\sqrt{x}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"),
        ("<mtext>if</mtext>", "\\text{if}"),
        ('<semantics><mi>y</mi><annotation encoding="x-tex">z^2</annotation></semantics>',
         "z^2"),
        ('<semantics><mi>y</mi><annotation encoding="other"/></semantics>', "y"),
    ],
)  # fmt: skip
def test_mathml_becomes_a_formula(markup: str, tex: str):
    body = ASKED.replace(
        "Why?", f'Is <math xmlns="http://www.w3.org/1998/Math/MathML">{markup}</math>?'
    )

    assert draft(item(body, declared("A"))).stem == f"Is ${tex}$?"


def test_pictures_of_a_package_come_along():
    body = ASKED.replace("Why?", (
        'Who? <img src="pics/a b.png" alt="x"/>'
        '<object data="pics/a%20b.png" type="image/png">y</object>'
        '<object data="p.swf" type="application/x-flash">z</object><img src="https://e.org/c.png"/>'
    ))  # fmt: skip
    content = package(items___i__xml=item(body, declared("A")), **{"items/pics/a b.png": b"PNG"})
    haul = read(content)

    assert dict(haul.files) == {"items-pics-a-b.png": b"PNG"}
    assert drafts(content)[0].stem.count("![") == 3
    assert haul.questions[0].remarks == ()


def test_a_picture_that_is_not_there_is_reported():
    text = item(ASKED.replace("Why?", '<img src="no.png"/>Why?'), declared("A"))

    assert said(read(text)) == ["The picture no.png is not in the file."]


# QTI 1.2


def classic(presentation: str, processing: str = "", kind: str = "", more: str = "") -> str:
    meta = ("<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>"
            f"<fieldentry>{kind}</fieldentry></qtimetadatafield></qtimetadata>"
            "</itemmetadata>")  # fmt: skip
    return (
        '<questestinterop><assessment title="Quiz"><section><item ident="q1" title="Q">'
        f"{meta}<presentation><material><mattext texttype='text/html'>&lt;b&gt;Why&lt;/b&gt;?"
        f"</mattext></material>{presentation}</presentation>"
        f"<resprocessing>{processing}</resprocessing>{more}</item></section></assessment>"
        "</questestinterop>"
    )


def lid(cardinality: str = "Single", ident: str = "r", *words: str) -> str:
    labels = "".join(
        f'<response_label ident="{ident}{at}"><material><mattext>{word}</mattext></material>'
        "</response_label>"
        for at, word in enumerate(words or ("a < b".replace("<", "&lt;"), "c"))
    )
    return (
        f'<response_lid ident="{ident}" rcardinality="{cardinality}"><render_choice>{labels}'
        "</render_choice></response_lid>"
    )


def when(condition: str, points: str = "100", extra: str = "") -> str:
    score = f"<setvar>{points}</setvar>" if points else ""
    return f"<respcondition><conditionvar>{condition}</conditionvar>{score}{extra}</respcondition>"


def equal(value: str, ident: str = "r") -> str:
    return f'<varequal respident="{ident}">{value}</varequal>'


def feedback(ident: str, text: str) -> str:
    said_ = f"<material><mattext>{text}</mattext></material>"
    return f'<itemfeedback ident="{ident}">{said_}</itemfeedback>'


STR = '<response_str ident="r"><render_fib{}/></response_str>'
OLD = classic(lid(), when(equal("r1")), "multiple_choice_question")


def test_a_choice_of_canvas_is_read():
    assert draft(OLD).stem == "**Why**?"
    assert options(OLD) == [("a < b", False), ("c", True)]
    assert read(OLD).title == "Quiz"


def test_all_that_apply_are_read_without_what_must_not_be_chosen():
    condition = f"<and>{equal('r0')}<not>{equal('r1')}</not></and>"

    assert options(classic(lid("Multiple"), when(condition))) == [("a < b", True), ("c", False)]


def test_options_that_earn_less_are_reported():
    elsewhere = when(equal("r0", "other"))
    text = classic(lid(), elsewhere + when(equal("r0"), "50") + when(equal("r1")))

    assert options(text) == [("a < b", False), ("c", True)]
    assert said(read(text)) == ["Some options earn only a part of the points."]


def test_a_choice_of_blackboard_is_told_by_its_feedback_and_its_conditions():
    right = when(equal("r1"), "SCORE.max", '<displayfeedback linkrefid="correct"/>')
    each = when('<varequal respident="r1"/>', "10") + when('<varequal respident="r0"/>', "0")

    assert options(classic(lid(), right + each)) == [("a < b", False), ("c", True)]


def test_words_of_blackboard_for_true_and_false_are_plain():
    labels = lid().replace("r0", "yes_no.true").replace("r1", "yes_no.false")
    labels = labels.replace("a &lt; b", "yes_no.true").replace(">c<", ">yes_no.false<")

    assert options(classic(labels, when(equal("yes_no.true")))) == [
        ("True", True),
        ("False", False),
    ]


def test_nothing_that_earns_anything_waits():
    assert said(read(classic(lid()))) == ["No response of the item earns anything."]


def test_feedback_of_canvas_is_a_reason_a_rationale_or_reported():
    shown_ = when(equal("r1"), "", '<displayfeedback linkrefid="special"/>')
    more = (feedback("general_fb", "So.") + feedback("r0_fb", "No.") + feedback("special", "Yes.")
            + feedback("correct_fb", "Bravo!") + feedback("empty", ""))  # fmt: skip
    text = classic(lid(), when(equal("r1")) + shown_, more=more)

    found = draft(text)

    assert [o.rationale for o in found.options] == ["No.", "Yes."]
    assert found.rationale == "So."
    assert said(read(text)) == ["Feedback for a verdict has no place here."]


@pytest.mark.parametrize(
    ("fib", "condition", "accepted"),
    [
        ("", equal("red") + equal("blue"), ("red", "blue")),
        (' fibtype="Decimal"', equal("7"), (Interval(low=7, high=7, value=7),)),
        (' fibtype="Decimal"', equal("about 7"), ("about 7",)),
        (
            ' fibtype="Decimal"',
            f"{equal('7')}<vargte>6</vargte><varlte>9</varlte>",
            (Interval(low=6, high=9, value=7),),
        ),
        (
            ' fibtype="Integer"',
            "<vargt>6</vargt><varlt>8</varlt>",
            (Interval(low=6, high=8, value=7),),
        ),
        (' fibtype="Decimal"', "<vargte>a</vargte><varlte>b</varlte>", ()),
        (
            ' fibtype="Decimal"',
            f"{equal('12')}<vargte>6</vargte><varlte>8</varlte>",
            ("12",),
        ),
    ],
)
def test_typed_answers_are_words_or_numbers(fib: str, condition: str, accepted: object):
    assert draft(classic(STR.format(fib), when(condition))).accepted == accepted


def test_a_number_of_blackboard_is_read():
    response = '<response_num ident="r"/>'

    right = when(equal("4"), "", '<displayfeedback linkrefid="correct"/>')
    wrong = when("<other/>", "0")

    assert draft(classic(response, right + wrong)).accepted == (Interval(low=4, high=4, value=4),)


@pytest.mark.parametrize("kind", ["essay_question", "calculated_question", "text_only_question"])
def test_kinds_that_cannot_be_asked_are_skipped_with_a_reason(kind: str):
    (question,) = read(classic(lid(), kind=kind)).questions

    assert question.draft is None
    assert question.remarks[0].place == "item q1"


@pytest.mark.parametrize("presentation", ["", lid() + lid(), lid() + STR.format("")])
def test_items_with_no_response_or_several_are_skipped(presentation: str):
    assert read(classic(presentation)).questions[0].draft is None


def test_an_item_without_words_is_skipped():
    text = "<questestinterop><item/></questestinterop>"

    assert said(read(text)) == ["There is no question in it."]
    assert said(read(OLD.replace("&lt;b&gt;Why&lt;/b&gt;?", ""))) == ["There is no question in it."]


def test_matching_of_canvas_makes_a_choice_of_each_pair():
    left = lid("Single", "x", "one", "two").replace(
        "<render", "<material><mattext>1</mattext></material><render"
    )
    other = left.replace('ident="x"', 'ident="y"').replace(">1<", ">2<")
    text = classic(
        left + other, when(equal("x0", "x")) + when(equal("x1", "y")), "matching_question"
    )

    found = drafts(text)

    assert [d.stem for d in found] == ["**Why**?\n\n1", "**Why**?\n\n2"]
    assert [[o.is_key for o in d.options] for d in found] == [[True, False], [False, True]]
    assert len(read(text).questions) == 1


def test_matching_of_blackboard_finds_its_sides_by_their_places():
    def pair(name: str) -> str:
        labels = f'<response_label ident="{name}0"/><response_label ident="{name}1"/>'
        return (f'<flow><response_lid ident="{name}"><render_choice>{labels}</render_choice>'
                f"</response_lid><material><mattext>left {name}</mattext></material>"
                "</flow>")  # fmt: skip

    block = ('<flow class="QUESTION_BLOCK"><material><mattext>Match.</mattext></material></flow>'
             f'<flow>{pair("p")}{pair("q")}</flow><flow class="RIGHT_MATCH_BLOCK">'
             "<flow><material><mattext>R1</mattext></material></flow>"
             "<flow><material><mattext>R2</mattext></material></flow></flow>")  # fmt: skip
    text = classic(block, when(equal("p1", "p")) + when(equal("q0", "q")), "Matching")

    found = drafts(text)

    assert [d.stem for d in found] == ["Match.\n\nleft p", "Match.\n\nleft q"]
    assert [[o.text for o in d.options if o.is_key] for d in found] == [["R2"], ["R1"]]


def test_matching_without_pairs_is_skipped():
    assert read(classic(lid() + lid(), kind="matching_question")).questions[0].draft is None


def test_markup_that_nobody_escaped_is_read_too():
    text = OLD.replace("<mattext>c</mattext>", "<mattext><div><p>c <b>d</b></p></div></mattext>")
    picture = OLD.replace("<mattext>c</mattext>", '<matimage uri="https://e.org/x.png"/>')
    bare = OLD.replace(
        "<mattext>c</mattext>", "<mat_formattedtext>c &lt;i&gt;e&lt;/i&gt;</mat_formattedtext>"
    )

    assert options(text)[1][0] == "c **d**"
    assert options(picture)[1][0] == "![](https://e.org/x.png)"
    assert options(bare)[1][0] == "c *e*"


# Pools


def pool(*questions: str) -> str:
    return f'<POOL><TITLE value="Old"/><QUESTIONLIST/>{"".join(questions)}</POOL>'


def asked(kind: str, inside: str) -> str:
    body = "<BODY><TEXT>Why &lt;b&gt;now&lt;/b&gt;?</TEXT></BODY>"
    return f'<QUESTION_{kind} id="q1">{body}{inside}</QUESTION_{kind}>'


ANSWERS = ('<ANSWER id="a1"><TEXT>x</TEXT></ANSWER><ANSWER id="a2"><TEXT>y</TEXT></ANSWER>'
           '<GRADABLE><CORRECTANSWER answer_id="a2"/>'
           "<FEEDBACK_WHEN_CORRECT>Good</FEEDBACK_WHEN_CORRECT></GRADABLE>")  # fmt: skip


def test_a_pool_of_blackboard_is_read():
    pairs = ('<ANSWER id="a1"><TEXT>x</TEXT></ANSWER><ANSWER id="a2"><TEXT>y</TEXT></ANSWER>'
             '<CHOICE id="c1"><TEXT>1</TEXT></CHOICE><CHOICE id="c2"><TEXT>2</TEXT></CHOICE>'
             '<GRADABLE><CORRECTANSWER answer_id="a1" choice_id="c2"/>'
             '<CORRECTANSWER answer_id="a2" choice_id="c1"/></GRADABLE>')  # fmt: skip
    text = pool(asked("MULTIPLECHOICE", ANSWERS), asked("MULTIPLEANSWER", ANSWERS),
                asked("FILLINBLANK", ANSWERS), asked("MATCH", pairs), asked("MATCH", ""),
                asked("ESSAY", ""), "<QUESTION_ESSAY/>")  # fmt: skip

    haul = read(text)

    assert haul.title == "Old"
    assert [bool(question.draft) for question in haul.questions] == [True] * 4 + [False] * 3
    choice, several, words, *matches = drafts(text)
    assert (choice.stem, choice.several, several.several) == ("Why **now**?", False, True)
    assert [o.is_key for o in choice.options] == [False, True]
    assert words.accepted == ("x", "y")
    assert [[o.text for o in d.options if o.is_key] for d in matches] == [["2"], ["1"]]


def test_a_pool_without_a_title_has_none():
    assert read("<POOL/>").title == ""


# Documents and packages


def test_a_quiz_that_stands_in_two_places_is_read_once():
    content = package(
        q1___assessment_qti__xml=OLD,
        q1___assessment_meta__xml="<quiz/>",
        non_cc_assessments___q1__xml__qti=OLD,
    )

    haul = read(content, "x.imscc")

    assert len(haul.questions) == 1
    assert said(haul) == ["It holds a part of a quiz that stands whole in non_cc_assessments."]


def test_the_title_of_a_package_is_that_of_its_manifest_or_its_test():
    title = "<title><string>Unit 1</string></title>"
    manifest = f"<manifest><metadata><lom>{title}</lom></metadata></manifest>"
    test = '<assessmentTest title="Test"/>'

    assert read(package(imsmanifest__xml=manifest, t__xml=test, i__xml=PLAIN)).title == "Unit 1"
    assert read(package(t__xml=test, i__xml=PLAIN)).title == "Test"


def test_a_broken_manifest_does_no_harm():
    haul = read(package(imsmanifest__xml="<manifest><", i__xml=PLAIN, style__css="x"))

    assert len(haul.questions) == 1
    assert haul.remarks[0].place == "entry imsmanifest.xml"


def test_a_path_that_leads_out_is_refused_and_the_rest_is_read():
    haul = read(package(i__xml=PLAIN, **{"../etc/passwd": "root"}))

    assert len(haul.questions) == 1
    assert haul.remarks[0].place == "entry ../etc/passwd"


def test_a_truncated_document_gives_the_items_that_are_whole():
    two = OLD.replace("</section>", '<item ident="q2"><presentation/></item></section>')

    haul = read(two[: two.index('<item ident="q2"') + 20])

    assert len(haul.questions) == 1
    assert "no complete XML" in said(haul)[0]


def test_an_item_that_is_broken_is_counted_and_skipped():
    haul = read(PLAIN[:-30])

    assert [question.draft for question in haul.questions] == [None]
    assert read("<quiz><").questions == ()
    assert read(f"<item>{OLD[:200]}</item><item>&x;</item>").questions[0].draft is None


def test_words_before_the_document_are_passed_over():
    assert len(read("cli: output\n---\n" + PLAIN).questions) == 1
    assert said(read("")) == ["It is no complete XML: no element found: line 1, column 0.",
                              "There are no QTI items in it."]  # fmt: skip


def test_entities_that_grow_are_refused():
    head = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    bomb = f"{head}<questestinterop>&b;</questestinterop>"

    assert "entities" in said(read(bomb))[0]


@pytest.mark.parametrize("text", [PLAIN, OLD])
def test_deep_nesting_is_survived(text: str):
    deep = "<b>" * 20_000 + "</b>" * 20_000

    haul = survived(
        qti, text.replace("Why?", deep).replace("<mattext>c", f"<mattext>{deep}").encode()
    )

    assert haul
    assert haul.questions[0].draft is None


def test_a_bomb_of_a_package_is_refused():
    with pytest.raises(FileRefused):
        read(b"PK\x03\x04" + b"x" * 100)


def test_sniffing_looks_inside():
    assert qti.sniff(source(PLAIN)) == 0.95
    assert qti.sniff(source(MODERN)) == 0.95
    assert qti.sniff(source("<quiz/>")) == 0.0
    assert qti.sniff(source(package(imsmanifest__xml="x"))) == 0.95
    assert qti.sniff(source(package(a__xml="x"), "a.imscc")) == 0.8
    assert qti.sniff(source(package(a__xml="x"), "a.zip")) == 0.3
    assert qti.sniff(source(package(xl___workbook__xml="x"), "a.zip")) == 0.0


@given(
    mutated(PLAIN.encode(), OLD.encode(), MODERN.encode(), pool(asked("MATCH", ANSWERS)).encode())
)
@settings(max_examples=200, deadline=None)
def test_anything_is_survived(content: bytes):
    survived(qti, content)


@given(st.integers(0, 3000), st.binary(min_size=1, max_size=4))
@settings(max_examples=60, deadline=None)
def test_any_damage_to_a_package_is_survived(at: int, noise: bytes):
    whole = package(imsmanifest__xml="<manifest/>", a__xml=PLAIN, b__xml=OLD)

    survived(qti, whole[:at] + noise + whole[at + len(noise) :])


@pytest.mark.parametrize("variant", [*damaged(PLAIN.encode()), *damaged(OLD.encode())])
def test_damaged_documents_are_survived(variant: bytes):
    survived(qti, variant)


# Writing


def test_every_document_of_a_package_is_whole():
    content, remarks = qti.write(
        Edition(id="p", title="A & B", language="en", items=(
            ShortText(id="s", stem=Markdown("a < b ￾?"), accepted=("x & y", "z"), typos=1),
            Choice(id="c", stem=Markdown("![x](y.png)"), key=1, seconds=9, tags=("t",), options=(
                Option(text=Markdown("<b>"), weight=0.5), Option(text=Markdown("*c*")))),
            Numeric(id="n", stem=Markdown("n?"), accepted=(Interval(low=1, high=4, value=2),)),
        )))  # fmt: skip

    with zipfile.ZipFile(io.BytesIO(bytes(content))) as opened:
        roots = [fromstring(opened.read(name)) for name in opened.namelist()]  # noqa: S314 - ours
    assert [root.tag.rpartition("}")[2] for root in roots] == ["manifest", *["assessmentItem"] * 2]
    assert [one.reason for one in remarks] == [
        "QTI 2.1 has no place for forgiven typos.",
        "QTI 2.1 has no place for the time, tags, credits, pictures.",
        "QTI 2.1 takes one number with an equal tolerance to both sides.",
    ]
    assert read(bytes(content)).title == "A & B"


def carried(pack: Edition) -> Edition:
    """Take from a pack what QTI 2.1 cannot carry."""
    kept = []
    for found in pack.items:
        match found:
            case ShortText():
                kept.append(ShortText(id=found.id, stem=found.stem, accepted=found.accepted,
                                      rationale=found.rationale))  # fmt: skip
            case Numeric() if len(found.accepted) > 1:
                pass
            case _:
                kept.append(type(found)(**{
                    name: getattr(found, name) for name in found.__dataclass_fields__
                    if name not in {"seconds", "tags"}
                }))  # fmt: skip
    return Edition(id=pack.id, title=pack.title, language=pack.language, items=tuple(kept),
                   licence="CC0")  # fmt: skip


@given(editions())
@settings(max_examples=60, deadline=None)
def test_a_package_gives_back_what_it_can_carry(pack: Edition):
    content, (first, *others) = qti.write(carried(pack))

    assert first.reason == "The package has no place for the pack's licence."
    changed = {one.place.removeprefix("item ") for one in others}
    kept = [one for one in carried(pack).items if one.id not in changed]
    assert {shown(one) for one in kept} <= set(again(qti, content))
    assert {one.reason for one in others} <= {
        "QTI 2.1 has no place for some formatting of its texts."
    }


def test_a_text_that_looks_like_a_formula_is_reported():
    item = ShortText(id="s", stem=Markdown(r"What is \\[0\\]?"), accepted=("x",))
    _, remarks = qti.write(Edition(id="p", title="", language="en", items=(item,)))

    assert [one.reason for one in remarks] == [
        "QTI 2.1 has no place for some formatting of its texts."
    ]


@NEED_CORPUS
@pytest.mark.parametrize(
    ("name", "found", "imported"),
    [
        ("001-canvas-all-1.2.xml", 10, 6),
        ("002-canvas-feedback-1.2.xml", 3, 2),
        ("003-canvas-numeric-1.2.xml", 1, 1),
        ("005-canvas-regex-quiz.xml", 12, 6),
        ("006-quizcomposer-1.2.xml", 11, 0),
        ("007-canvas-all.imscc", 11, 5),
        ("009-blackboard-bb8.imscc", 23, 12),
        ("011-qti21-package.zip", 7, 4),
        ("013-opal-single-2.1.xml", 1, 1),
        ("015-qti21-sachsen-choice.xml", 1, 1),
        ("017-qti3-rtl-hebrew.xml", 1, 1),
        ("019-qti3-multiplechoice.xml", 1, 1),
        ("020-qti3-mathml.xml", 1, 1),
        ("021-qtiworks-zipslip.zip", 0, 0),
        ("023-qtiworks-test.zip", 9, 8),
        ("024-bb-pool.dat", 6, 5),
    ],
)
def test_the_corpus_is_read(name: str, found: int, imported: int):
    result = brought(f"qti/{name}")

    assert (result.found, result.questions) == (found, imported)
