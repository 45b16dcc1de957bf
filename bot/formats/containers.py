"""Containers: what is inside a zip file, read within bounds, whatever the file claims about itself.

Nothing is ever written to a disk, so a path that leads out of the folder does no harm; it is
refused all the same, because nobody packs one by accident.
"""

import io
import stat
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from bot.errors import FileRefused
from bot.formats import places
from bot.formats.findings import Remark, Severity
from bot.wording import phrase

MEBIBYTE = 1024 * 1024
MOST_ENTRIES = 2000
LARGEST_ENTRY = 32 * MEBIBYTE
MOST_UNPACKED = 64 * MEBIBYTE
# Text shrinks to a tenth, a sheet of equal rows to a hundredth; deflate can do a thousandth.
HIGHEST_RATIO = 200
SMALL = MEBIBYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Container:
    """The files of a zip by their paths with `/` between, and a remark for each one refused."""

    files: Mapping[str, bytes]
    remarks: tuple[Remark, ...] = ()


def is_zip(content: bytes) -> bool:
    """Tell whether a content begins like a zip file."""
    return content.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def unpack(content: bytes) -> Container:
    """Read the files of a zip. Raises FileRefused if it is damaged or would unpack into too much.

    An entry that cannot be trusted is left out with a remark; the others are kept.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as opened:
            return _unpacked(opened)
    except FileRefused:
        raise
    except _DAMAGED:
        raise FileRefused(_DAMAGED_FILE) from None


# What `zipfile` raises for one that does not hold what it says: there is no single error for it.
_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,  # encrypted; NotImplementedError, for a method nobody has, is one too
    OverflowError,
    LookupError,
)
_DAMAGED_FILE = phrase(
    "The zip file is damaged. Please make it again, or send the files in it one by one."
)
_PLAIN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


def _unpacked(opened: zipfile.ZipFile) -> Container:
    entries = [entry for entry in opened.infolist() if not entry.is_dir()]
    if len(entries) > MOST_ENTRIES:
        raise FileRefused(
            phrase(
                "The zip file holds {n} files; {most} are the most.",
                n=len(entries),
                most=MOST_ENTRIES,
            )
        )
    files: dict[str, bytes] = {}
    remarks: list[Remark] = []
    left = MOST_UNPACKED
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        reason = _mistrusted(entry, name) or (
            phrase("Its name is used twice.") if name in files else ""
        )
        if not reason:
            data = _read(opened, entry)
            left -= len(data or b"")
            reason = _unwanted(data)
        if left < 0:
            most = MOST_UNPACKED // MEBIBYTE
            raise FileRefused(phrase("The zip file unpacks into more than {most} MiB.", most=most))
        if reason or data is None:
            remarks.append(_refused(name, reason))
        else:
            files[name] = data
    return Container(files=files, remarks=tuple(remarks))


def _mistrusted(entry: zipfile.ZipInfo, name: str) -> str:
    """Say why an entry is not even opened; nothing if it may be."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or name[1:2] == ":":
        return phrase("Its path leads out of the zip file.")
    if stat.S_ISLNK(entry.external_attr >> 16):
        return phrase("It is a link to another file.")
    if entry.flag_bits & _ENCRYPTED:
        return phrase("It is encrypted.")
    if entry.compress_type not in _PLAIN_METHODS:
        return phrase("It is packed with a method that is not supported.")
    if entry.file_size > LARGEST_ENTRY:
        return phrase("It is larger than {most} MiB.", most=LARGEST_ENTRY // MEBIBYTE)
    if entry.file_size > SMALL and entry.file_size > HIGHEST_RATIO * entry.compress_size:
        return phrase("It unpacks into suspiciously much.")
    return ""


def _read(opened: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes | None:
    """Read an entry to the size that it claims; None if that is not what it holds."""
    try:
        with opened.open(entry) as data:
            return data.read(entry.file_size)
    except _DAMAGED:
        return None


def _unwanted(data: bytes | None) -> str:
    if data is None:
        return phrase("It is damaged.")
    return phrase("It is a zip file within a zip file.") if is_zip(data) else ""


def _refused(name: str, reason: str) -> Remark:
    return Remark(
        severity=Severity.SKIPPED,
        place=places.entry(name),
        excerpt="",
        reason=reason,
        action=phrase("The entry was left out."),
    )
