"""HTML and plain text as Markdown: nothing vanishes, nothing is read as more than was meant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats.html import from_html, from_plain, is_html, losses, remote_images
from bot.text import plain


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("<p>One</p><p>Two</p>", "One\n\nTwo"),
        ("<b>bold</b>, <i>it</i>, <s>no</s>", "**bold**, *it*, ~~no~~"),
        ("<a href='https://example.org'>there</a>", "[there](https://example.org)"),
        ("x<sup>2</sup> + H<sub>2</sub>O", "x² + H₂O"),
        ("a<sup>n+1</sup>, a<sup>q</sup>, a<sub>foo</sub>", "aⁿ⁺¹, a^q, a_(foo)"),
        ("<ul><li>one</li><li>two</li></ul>", "* one\n* two"),
        ("<h2>Title</h2>text", "**Title**\n\ntext"),
        ("<h2></h2>text", "text"),
        ("<pre>int x;\n  y;</pre>", "```\nint x;\n  y;\n```"),
        ("<table><tr><th>a</th></tr><tr><td>1</td></tr></table>", "| a |\n| --- |\n| 1 |"),
        ("90&deg; &#039;x&#039;", "90° 'x'"),
        ("AT&amp;T", "AT&T"),
        ("one<br>two<br><br>", "one\\\ntwo"),
        ("<script>alert(1)</script>text<style>p{}</style>", "text"),
        ("1 <b>*</b> 2 _x_", "1 **\\*** 2 \\_x\\_"),
        ("<ul><li>one<li>two</ul>", "* one\n* two"),
    ],
)
def test_html_becomes_markdown(source: str, markdown: str):
    assert from_html(source) == markdown


@pytest.mark.parametrize("tag", ["<a>", "<br>", "<p>", "<strong>", "</p>", "<img>", "<p></p>"])
def test_an_option_that_is_only_a_tag_is_shown_as_it_stands(tag: str):
    assert plain(from_html(tag)) == tag


def test_a_tag_that_is_never_closed_is_text():
    assert plain(from_html("What does <a> do in <b>HTML</b>?")) == "What does <a> do in HTML?"
    assert plain(from_html("What does </a> do?")) == "What does </a> do?"
    assert plain(from_html("a</div> <b>slip</b> <a href='x'>here")) == "a\nslip here"
    assert plain(from_html("<tr><td>a cell</td></tr></table>alone")) == "a cell\nalone"


@pytest.mark.parametrize(
    "text",
    ["List<String> x", "a < b and c > d", "x<y", "#include <stdio.h>", "R&D; &foo", "1 <2> 3"],
)
def test_what_only_looks_like_html_is_plain(text: str):
    assert not is_html(text)
    assert plain(from_html(text)) == text


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("\\(x_1*y_2*z\\)", "$x_1*y_2*z$"),
        ("\\[ \\frac{1}{2} \\]", "$$\\frac{1}{2}$$"),
        ("<p>$a &lt; b$</p>", "$a < b$"),
        ("$$x<br>y$$", "$$x y$$"),
        ("costs $5 or $6", "costs $5 or $6"),
        ("\\(\\)", "\\\\(\\\\)"),
        ("\\(a$b\\)", "\\\\(a$b\\\\)"),
    ],
)
def test_formulas_stay(source: str, markdown: str):
    assert from_html(source) == markdown


def test_line_feeds_break_lines_only_where_a_format_says_so():
    source = "<b>one</b>\ntwo\n<p>three</p>\n<pre>\na\nb</pre>"

    assert from_html(source) == "**one**\ntwo\n\nthree\n\n```\na\nb\n```"
    assert from_html(source, lines=True) == "**one**\\\ntwo\n\nthree\n\n```\na\nb\n```"
    assert from_html("one\ntwo", lines=True) == "one\\\ntwo"
    assert from_html("one\ntwo") == "one two"


def test_pictures_take_the_names_they_are_given():
    source = "<p>a <img alt='x [1]' src=\"@@PLUGINFILE@@/b (1).png\"/></p>"

    assert from_html(source, lambda _: "b-1.png") == "a ![x \\[1]](b-1.png)"
    assert from_html(source, lambda _: "") == "a x \\[1]"
    assert from_html("<img src='a(1).png'>") == "![](a%281%29.png)"


def test_a_quote_that_is_never_closed_does_not_swallow_the_rest():
    assert (
        from_html('<img src="http://a.b/c/> text <b>bold</b>') == "![](http://a.b/c) text **bold**"
    )


def test_html_too_deep_or_too_broken_is_shown_as_it_stands():
    deep = "<i>" * 2000 + "x" + "</i>" * 2000

    assert plain(from_html(deep))
    assert plain(from_html("<p>x</p><![bad")) == "<p>x</p><![bad"


def test_losses_and_remote_pictures_are_named():
    source = "<video src='a'></video><audio></audio><img src='https://a.b/c?d&amp;e'><img src='x'>"

    assert losses(source) == ("video", "audio")
    assert remote_images(source) == ("https://a.b/c?d&e",)


@pytest.mark.parametrize(
    "text",
    [
        "# no heading", "- no list", "1. no list", "> no quote", "*no* emphasis", "a_b_c _d_",
        "`code`", "[a](b)", "[a]: b", "![a](b)", "<b>", "&amp;", "\\*", "a\\", "---", "===",
        "~~a~~", "```", "    indented", "| a | b |", "+ x", "2 * 3 * 4", "*", "_____ and _____",
        "C:\\new", "`-=[];',./~!@#$%^&*()_+{}|\\:\"<>?", "http://example.org/a_b",
    ],
)  # fmt: skip
def test_plain_text_is_shown_as_it_is(text: str):
    assert plain(from_plain(text)) == text.strip()


def test_lines_and_paragraphs_of_plain_text_stay():
    assert plain(from_plain("one\n- two\n\n\n  three\n# four")) == "one\n- two\nthree\n# four"


@given(st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf", "Co", "Zl", "Zp")), max_size=60))
def test_any_line_of_plain_text_is_shown_as_it_is(text: str):
    shown = plain(from_plain(text))

    assert "".join(shown.split()) == "".join(text.split()) or "$" in text or "\\" in text


@given(st.text("<>/abipr&;\"'= \n$\\()[]#*_`-1.", max_size=60))
def test_no_html_raises_anything(text: str):
    plain(from_html(text, lines=True))
    plain(from_html(f"<p>{text}</p>"))
