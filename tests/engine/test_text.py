from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import DeliveryError, PackError, Problem, UnknownPack
from bot.formulas import readable
from bot.ids import ItemId, PackId
from bot.items import (
    Choice,
    Interval,
    MultiChoice,
    Numeric,
    Option,
    ShortText,
    TrueFalse,
    keeps_order,
    keys,
    kind,
    option_count,
    option_rationale,
)
from bot.packs import Edition, Library, Pack, gather, problems
from bot.text import (
    Code,
    Formula,
    Listing,
    Markdown,
    Paragraph,
    Picture,
    Quote,
    Span,
    blocks,
    is_plain,
    literal,
    pictures,
    plain,
    shorten,
    tidy,
)
from tests.helpers.samples import CHOICE, MULTI, NUMBER, SHORT, TRUE, edition

PRINTABLE = st.text(st.characters(exclude_categories=["Cc", "Cs"]))


def paragraph(*spans: Span, level: int = 0) -> Paragraph:
    return Paragraph(spans=spans, level=level)


# Blocks


@pytest.mark.parametrize(
    ("source", "shapes"),
    [
        ("", ()),
        ("##", ()),
        ("[a]: /b", ()),
        ("a\nb", (paragraph(Span(text="a b")),)),
        ("a\\\nb", (paragraph(Span(text="a\nb")),)),
        ("# Title", (paragraph(Span(text="Title"), level=1),)),
        ("a\n-", (paragraph(Span(text="a"), level=2),)),
        ("```py x\na\n\n  b\n```", (Code(source="a\n\n  b", language="py"),)),
        ("```\na\n```", (Code(source="a"),)),
        ("    a", (Code(source="a"),)),
        ("$$\nx\n$$", (Formula(tex="x"),)),
        ("---", (paragraph(Span(text="———")),)),
        ("<div>\nx\n</div>", (paragraph(Span(text="<div>\nx\n</div>")),)),
        ("a <b>c", (paragraph(Span(text="a <b>c")),)),
        ("> a", (Quote(blocks=(paragraph(Span(text="a")),)),)),
        ("> > a", (Quote(blocks=(Quote(blocks=(paragraph(Span(text="a")),)),)),)),
        ("- a\n-", (Listing(entries=((paragraph(Span(text="a")),), ())),)),
        ("3. a", (Listing(entries=((paragraph(Span(text="a")),),), start=3),)),
        ("a|bc\n-|-\n**d**|", (Code(source="a  bc\n─  ──\nd"),)),
        ("![**a** $b$](c.png)", (Picture(source="c.png", alt="a b"),)),
    ],
)  # fmt: skip
def test_markdown_is_read_into_plain_shapes(source, shapes):
    assert blocks(Markdown(source)) == shapes


@pytest.mark.parametrize(
    ("source", "spans"),
    [
        ("**a**", [Span(text="a", strong=True)]),
        ("*a*b", [Span(text="a", emphasis=True), Span(text="b")]),
        ("~~a~~", [Span(text="a", struck=True)]),
        ("**a *b***", [Span(text="a ", strong=True), Span(text="b", strong=True, emphasis=True)]),
        ("` a`", [Span(text="a", code=True)]),
        ("$x^2$", [Span(text="x²", formula=True)]),
        ("$x$ is 5", [Span(text="x", formula=True), Span(text=" is 5")]),
        ("$5 and $6", [Span(text="$5 and $6")]),
        ("[a](b) c", [Span(text="a", link="b"), Span(text=" c")]),
        ("&amp; \\*", [Span(text="& *")]),
    ],
)
def test_a_paragraph_is_spans_of_one_style_each(source, spans):
    (block,) = blocks(Markdown(source))

    assert isinstance(block, Paragraph)
    assert list(block.spans) == spans


def test_pictures_and_display_formulas_stand_on_their_own():
    found = blocks(Markdown("see ![a](b) and $$x$$ ![](c)"))

    assert found == (
        paragraph(Span(text="see")),
        Picture(source="b", alt="a"),
        paragraph(Span(text="and")),
        Formula(tex="x"),
        Picture(source="c", alt=""),
    )
    assert pictures(Markdown("![a](b)\n\ntext")) == (Picture(source="b", alt="a"),)


def test_plain_text_keeps_what_can_be_read():
    parts = ("# T", "**a** $\\alpha$", "```\ncode\n```", "$$\\beta$$", "![alt](x)")

    source = "\n\n".join((*parts, "> q", "- a\n\n  b", "1. c"))

    assert plain(Markdown(source)) == "T\na α\ncode\nβ\n[alt]\nq\n• a\n  b\n1. c"
    assert plain(Markdown("![](x)")) == ""


@pytest.mark.parametrize("source", ["", "a", "a\nb", "\\*a\\*", "5 < 6"])
def test_text_without_formatting_is_plain(source):
    assert is_plain(Markdown(source))


@pytest.mark.parametrize(
    "source", ["*a*", "# a", "a\n\nb", "a\\\nb", "`a`", "$a$", "- a", "![a](b)"]
)
def test_text_that_would_lose_something_is_not_plain(source):
    assert not is_plain(Markdown(source))


@given(PRINTABLE)
def test_literal_text_shows_exactly_itself(text):
    source = literal(text)

    assert plain(source) == " ".join(text.split())
    assert is_plain(source)


@given(st.text())
def test_no_text_makes_reading_markdown_fail(text):
    source = Markdown(text)

    assert isinstance(plain(source), str)
    assert isinstance(is_plain(source), bool)


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("short", 5, "short"),
        ("One. Two three four", 12, "One. …"),
        ("One two three four five", 16, "One two three …"),
        ("abcdefghijkl", 10, "abcdefgh …"),
        ("a bcdefghijkl", 10, "a bcdefg …"),
    ],
)
def test_a_long_text_is_cut_where_it_hurts_least(text, limit, short):
    assert shorten(text, limit) == short


@given(st.text(), st.integers(3, 50))
def test_a_shortened_text_fits_and_says_that_there_is_more(text, limit):
    short = shorten(text, limit)

    assert len(short) <= limit
    assert short == text or short.endswith(" …")


def test_tidy_text_is_what_a_server_counts():
    assert tidy(" a\t\r\nb\x00\u202e e\u0301 ") == "a b é"
    assert tidy("\U0001f468\u200d\U0001f469") == "\U0001f468\u200d\U0001f469"


# Formulas


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        ("x^2 \\le \\frac{a+b}{2}", "x² ≤ (a+b)/2"),
        ("\\dfrac12", "1/2"),
        ("\\sum_{i=1}^{n} x_i", "∑ᵢ₌₁ⁿ xᵢ"),
        ("e^{-x}", "e⁻ˣ"),
        ("x^{y^2}", "x^(y²)"),
        ("x_{Qab}", "x_(Qab)"),
        ("x_Q", "x_Q"),
        ("\\hat{y}", "ŷ"),
        ("w^\\top x", "wᵀ x"),
        ("w^{\\top}x", "wᵀx"),
        ("\\mathbb{R}^n", "ℝⁿ"),
        ("w \\leftarrow w - \\eta\\nabla L", "w ← w - η∇L"),
        ("\\{1,2\\}", "{1,2}"),
        ("\\binom{n}{k}", "C(n, k)"),
        ("\\|x\\|_2", "‖x‖₂"),
        ("a \\ne b", "a ≠ b"),
        ("\\argmax_i p", "argmaxᵢ p"),
        ("\\operatorname{ReLU}(x)", "ReLU(x)"),
        ("\\left(\\log x\\right)", "(log x)"),
        ("50%", "50%"),
        ("", ""),
        ("\\frac", "\\frac"),
        ("\\begin{x}", "\\begin{x}"),
        ("{", "{"),
    ],
)
def test_a_formula_is_readable_without_typesetting(tex, text):
    assert readable(tex) == text


@given(st.text() | st.text("\\{}^_$%&fracsumb12 xy[]()"))
def test_no_formula_makes_reading_it_fail(tex):
    assert isinstance(readable(tex), str)


# Items


def test_an_item_refuses_to_be_wrong():
    options = CHOICE.options
    stem = Markdown("?")

    with pytest.raises(ValueError, match="key 3 is not one of 3 options"):
        Choice(id=ItemId("a"), stem=stem, options=options, key=3)
    for chosen in (frozenset[int](), frozenset({3})):
        with pytest.raises(ValueError, match="do not fit 3 options"):
            MultiChoice(id=ItemId("a"), stem=stem, options=options, keys=chosen)
    with pytest.raises(ValueError, match="at least one accepted text"):
        ShortText(id=ItemId("a"), stem=stem, accepted=())
    with pytest.raises(ValueError, match="at least one accepted interval"):
        Numeric(id=ItemId("a"), stem=stem, accepted=())
    with pytest.raises(ValueError, match="3 is not between 1 and 2"):
        Interval(low=1, high=2, value=3)


def test_an_interval_forgives_the_last_bit():
    accepted = Interval(low=0.1, high=0.3, value=0.2)

    assert 0.1 + 0.2 in accepted
    assert 0.1 in accepted
    assert 0.3001 not in accepted
    assert 0.0999 not in accepted


def test_every_kind_tells_its_keys_options_and_reasons():
    every = (CHOICE, MULTI, TRUE, SHORT, NUMBER)

    assert [kind(item) for item in every] == [
        "Choice", "MultiChoice", "TrueFalse", "ShortText", "Numeric",
    ]  # fmt: skip
    assert [set(keys(item)) for item in every] == [{1}, {0, 2}, {0}, set(), set()]
    assert [option_count(item) for item in every] == [3, 4, 2, 0, 0]
    assert [option_rationale(item, 1) for item in every] == [
        "Yes.", "3 times 3.", "Look up.", "", "",
    ]  # fmt: skip
    assert option_rationale(TRUE, 0) == "It scatters."
    false = TrueFalse(id=ItemId("a"), stem=Markdown("?"), key=False)
    assert keys(false) == {1}


@pytest.mark.parametrize(
    "text",
    [
        "All of the above",
        "None of these",
        "A and B",
        "Both A and C",
        "Only A, B",
        "A & D",
        "Semua benar.",
        "Semua jawaban di atas",
        "Semua jawaban tersebut benar",
        "Jawaban A dan C",
    ],
)
def test_an_option_that_points_at_others_keeps_the_order(text):
    options = (*CHOICE.options, Option(text=Markdown(text)))

    assert keeps_order(Choice(id=ItemId("a"), stem=Markdown("?"), options=options, key=0))


@pytest.mark.parametrize(
    "text", ["A big band", "Above all", "Android", "Semua orang", "A", "B-tree"]
)
def test_an_ordinary_option_may_be_shuffled(text):
    options = (*CHOICE.options, Option(text=Markdown(text)))

    assert not keeps_order(
        MultiChoice(id=ItemId("a"), stem=Markdown("?"), options=options, keys=frozenset({0}))
    )


def test_an_author_can_keep_the_order():
    kept = Choice(
        id=ItemId("a"), stem=Markdown("?"), options=CHOICE.options, key=0, keep_order=True
    )

    assert keeps_order(kept)
    assert keeps_order(TRUE)
    assert keeps_order(SHORT)


# Packs


def in_two_languages() -> Pack:
    return Pack(editions=(edition(CHOICE, MULTI), edition(CHOICE, TRUE, SHORT, language="id")))


def test_a_pack_is_read_in_ones_own_language():
    pack = in_two_languages()

    assert pack.id == "mixed"
    assert pack.languages == ("en", "id")
    assert pack.edition("id").language == "id"
    assert pack.edition("fr").language == "en"
    assert pack.item_ids == ("capital", "sky", "rate", "primes")


def test_an_item_that_is_not_translated_is_shown_as_it_is():
    pack = in_two_languages()

    assert pack.item(ItemId("sky"), "en") is TRUE
    assert pack.item(ItemId("capital"), "id") is CHOICE
    assert pack.item(ItemId("nothing"), "en") is None
    assert pack.versions(ItemId("capital")) == (CHOICE, CHOICE)
    assert pack.versions(ItemId("sky")) == (TRUE,)


def test_a_pack_has_a_single_id():
    with pytest.raises(ValueError, match="editions of one id"):
        Pack(editions=(edition(), edition(pack="other")))
    with pytest.raises(ValueError, match="editions of one id"):
        Pack(editions=())


def test_editions_are_gathered_by_id_and_language():
    english, again, other = edition(), edition(CHOICE), edition(pack="other")

    packs = gather([english, again, other, edition(language="id")])

    assert [(pack.id, pack.languages) for pack in packs] == [
        ("mixed", ("en", "id")),
        ("other", ("en",)),
    ]
    assert packs[0].edition("en") is english


def optioned(key: int, *texts: str) -> Choice:
    options = tuple(Option(text=Markdown(text)) for text in texts)
    return Choice(id=CHOICE.id, stem=Markdown("?"), options=options, key=key, line=7)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (replace(NUMBER, id=CHOICE.id), "This is a Numeric, but a Choice in a.md."),
        (optioned(0, "a", "b"), "There are 2 options, but 3 in a.md."),
        (optioned(0, "a", "b", "c"), "Another option is marked as right than in a.md."),
    ],
)
def test_editions_that_contradict_each_other_are_reported(other, what):
    pack = Pack(editions=(edition(CHOICE, file="a.md"), edition(SHORT, other, file="b.md")))

    (problem,) = problems(pack)

    assert (problem.file, problem.line, problem.item) == ("b.md", other.line, "capital")
    assert problem.what == what
    assert problem.cure


def test_editions_that_agree_have_no_problems():
    pack = Pack(editions=(edition(), edition(optioned(1, "x", "y", "z"), MULTI, language="id")))

    assert problems(pack) == ()


def library() -> Library:
    editions = [
        edition(title="Loss functions", pack="loss"),
        edition(title="Fungsi kerugian", pack="loss", language="id"),
        edition(title="Optimisation", pack="optimisation"),
        edition(title="Learning rates", pack="learning-rate"),
    ]
    return Library(gather(editions))


@pytest.mark.parametrize("name", ["loss", " LOSS ", "Loss functions", "fungsi kerugian", "fung"])
def test_a_pack_is_found_by_id_title_or_beginning(name):
    assert library().find(name).id == "loss"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("optimization", ("optimisation",)),
        ("", ()),
        ("l", ()),
        ("zzz", ()),
        ("los functions", ("loss",)),
    ],
)
def test_an_unknown_pack_is_answered_with_names_that_come_near(name, near):
    with pytest.raises(UnknownPack) as caught:
        library().find(name)

    assert caught.value.name == name
    assert caught.value.near == near


def test_a_library_goes_by_ids():
    packs = library()

    assert [pack.id for pack in packs] == ["learning-rate", "loss", "optimisation"]
    assert len(packs) == 3
    assert packs.get(PackId("loss")) is packs.find("loss")
    assert packs.get(PackId("Loss")) is None
    assert len(Library()) == 0


def test_an_edition_does_not_depend_on_where_it_stands():
    assert edition(file="a") == edition(file="b")
    assert isinstance(edition(), Edition)


# Errors


def test_a_problem_reads_like_a_line_of_a_compiler():
    whole = Problem(file="a.md", line=3, item="x", what="It is.", cure="Mend it.")
    bare = Problem(file="a.md", line=0, what="It is.", cure="Mend it.")

    assert str(whole) == "a.md:3: [x] It is. Mend it."
    assert str(bare) == "a.md: It is. Mend it."
    assert str(PackError([whole, bare])) == f"{whole}\n{bare}"
    assert PackError(iter([whole])).problems == (whole,)


def test_a_delivery_error_keeps_the_reason_apart():
    assert str(DeliveryError("gone", "404")) == "gone: 404"
    assert DeliveryError("gone", "404").reason == "gone"
    assert str(DeliveryError("gone")) == "gone"
