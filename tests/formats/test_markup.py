import pytest

from bot.formats.markup import from_markup, to_html
from bot.formats.plaintext import decoded
from bot.text import Markdown


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("**a** & b", "<strong>a</strong> &amp; b"),
        ("a\n\nb", "<p>a</p>\n<p>b</p>"),
        ("$x < 1$", "\\(x &lt; 1\\)"),
        ("$$y$$", "\\[y\\]"),
        ("an <i>old</i> tag", "an &lt;i&gt;old&lt;/i&gt; tag"),
        ("<div>", "&lt;div&gt;"),
        ("![alt](a.png)", '<img src="a.png" alt="alt" />'),
    ],
)
def test_markdown_is_written_as_html(markdown: str, html: str):
    assert to_html(Markdown(markdown)) == html


def test_a_text_of_nothing_but_a_lost_picture_is_empty():
    def lost(_: str) -> str:
        return ""

    assert from_markup('<p><img src="a.png"></p>', lost) == ""
    assert from_markup('<p><img src="a.png"> words</p>', lost) == "words"
    assert from_markup('<img src="a.png">', str) == "![](a.png)"


def test_a_few_damaged_bytes_do_not_change_the_encoding():
    text, remarks = decoded("öäü é".encode()[:-1])

    assert text == "öäü \ufffd"
    assert remarks[0].reason == "1 characters are damaged."
    assert decoded("ö \ufffd".encode())[1] == ()


def test_lines_beyond_a_limit_are_left_out_with_a_remark():
    text, remarks = decoded(b"a\nb\nc\nd", most_lines=2)

    assert text == "a\nb"
    assert remarks[0].place == "line 3"


def test_bytes_that_are_no_text_give_a_reason():
    text, remarks = decoded(b"PK\x03\x04" + bytes(range(32)) * 9)

    assert text == ""
    assert "no text" in remarks[0].reason


def test_text_of_the_wrong_width_is_read_by_its_mark():
    assert decoded("é".encode("utf-32"))[0] == "é"
