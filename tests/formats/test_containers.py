"""Zip files that mean no good, and those that do."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.errors import FileRefused
from bot.formats import containers
from bot.formats.containers import is_zip, unpack


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in entries:
            made.writestr(name, data)
    return file.getvalue()


def reasons(content: bytes) -> list[tuple[str, str]]:
    return [(one.place, one.reason) for one in unpack(content).remarks]


def test_the_files_of_a_zip_are_read_by_their_paths():
    content = zipped(("imsmanifest.xml", b"<manifest/>"), ("items/a.xml", b"<a/>"), ("items/", b""))

    found = unpack(content)

    assert dict(found.files) == {"imsmanifest.xml": b"<manifest/>", "items/a.xml": b"<a/>"}
    assert found.remarks == ()
    assert is_zip(content)


@pytest.mark.parametrize("name", ["../etc/passwd", "/etc/passwd", "a/../../b", "C:/b", "..\\b"])
def test_a_path_that_leads_out_of_the_zip_is_left_out(name: str):
    content = zipped((name, b"root"), ("good.txt", b"good"))

    assert list(unpack(content).files) == ["good.txt"]
    assert [reason for _, reason in reasons(content)] == ["Its path leads out of the zip file."]


def test_a_zip_within_a_zip_is_left_out():
    content = zipped(("inner.zip", zipped(("a", b"a"))))

    assert reasons(content) == [("entry inner.zip", "It is a zip file within a zip file.")]


def test_a_name_used_twice_counts_once():
    with pytest.warns(UserWarning, match="Duplicate"):
        content = zipped(("a.txt", b"first"), ("a.txt", b"second"))

    assert unpack(content).files["a.txt"] == b"first"
    assert reasons(content) == [("entry a.txt", "Its name is used twice.")]


def test_a_link_is_left_out():
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16

    assert reasons(zipped((link, b"/etc/passwd"))) == [
        ("entry link", "It is a link to another file.")
    ]


def test_an_encrypted_entry_is_left_out():
    content = bytearray(zipped(("secret.txt", b"secret")))
    content[content.index(b"PK\x01\x02") + 8] |= 1

    assert reasons(bytes(content)) == [("entry secret.txt", "It is encrypted.")]


def test_a_rare_method_is_left_out():
    packed = zipfile.ZipInfo("a.txt")
    packed.compress_type = zipfile.ZIP_LZMA

    assert reasons(zipped((packed, b"a"))) == [
        ("entry a.txt", "It is packed with a method that is not supported.")
    ]


def test_what_unpacks_into_suspiciously_much_is_left_out():
    content = zipped(("bomb.txt", bytes(8 * 1024 * 1024)))

    assert reasons(content) == [("entry bomb.txt", "It unpacks into suspiciously much.")]


def test_a_damaged_entry_is_left_out_and_the_others_are_kept():
    content = zipped(("a.txt", b"a" * 50), ("b.txt", b"other"))
    at = content.index(b"a.txt") + 6

    damaged = unpack(content[:at] + b"\xff" + content[at + 1 :])

    assert list(damaged.files) == ["b.txt"]
    assert [one.reason for one in damaged.remarks] == ["It is damaged."]


def test_an_entry_that_is_too_large_is_left_out(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(containers, "LARGEST_ENTRY", 3)

    assert reasons(zipped(("a.txt", b"four"))) == [("entry a.txt", "It is larger than 0 MiB.")]


def test_too_many_entries_refuse_the_zip():
    content = zipped(*((f"{number}.txt", b"") for number in range(2001)))

    with pytest.raises(FileRefused, match=r"2,001 files; 2,000 are the most"):
        unpack(content)


def test_too_much_in_all_refuses_the_zip(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(containers, "MOST_UNPACKED", 5)

    with pytest.raises(FileRefused, match="unpacks into more than"):
        unpack(zipped(("a.txt", b"four"), ("b.txt", b"four")))


@pytest.mark.parametrize("content", [b"PK\x03\x04nonsense", b"", b"PK\x05\x06"])
def test_a_broken_zip_is_refused_kindly(content: bytes):
    with pytest.raises(FileRefused, match="The zip file is damaged"):
        unpack(content)


@given(st.data())
def test_no_change_to_a_zip_gets_anything_but_a_refusal(data: st.DataObject):
    content = bytearray(zipped(("a.txt", b"hello hello hello"), ("b/c.txt", b"other")))
    for _ in range(data.draw(st.integers(1, 6))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))

    try:
        unpack(bytes(content))
    except FileRefused as refusal:
        assert str(refusal)  # noqa: PT017 - it is one of two good ends
