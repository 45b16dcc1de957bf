"""Escaping: a line of plain text as Markdown that shows it, with no more backslashes than needed.

`bot.text.literal` escapes every sign; here people will read and edit what comes out.
"""

import re


def escaped(line: str) -> str:
    """Write one line of text as Markdown."""
    for mark in _MARKS:
        if sum(map(_pairs, mark.finditer(line))) > 1:
            line = mark.sub(_each_escaped, line)
    return _begun(_signs(line))


def escaped_part(text: str) -> str:
    """Write a piece of a line, next to which others may stand, as Markdown."""
    for mark in _MARKS:
        text = mark.sub(lambda match: _each_escaped(match) if _pairs(match) else match[0], text)
    return _begun(_signs(text))


# Backslashes first would escape those put in for the others: `_signs` passes over those.
_PUT = "\ue002"
_MARKS = (
    re.compile(r"\*+"),
    re.compile(r"_+"),
    re.compile(r"`+"),
    re.compile(r"~{2,}"),
)
_BACKSLASH = re.compile(r"\\(?=[!-/:-@\[-`{-~\ue002]|$)")
_BRACKET = re.compile(r"\](?:[(\[:]|$)")
_START = re.compile(
    r"#{1,6}(?=\s|$)|>|[-+*](?=\s|$)|=+\s*$|[|: ]*-[-|: ]*$|[*_][*_ ]*$|`{3,}|~{3,}|\|"
)
_NUMBERED = re.compile(r"([0-9]{1,9})([.)])(?=\s|$)")


def _pairs(mark: re.Match[str]) -> bool:
    """Tell whether a run of signs could open or close something."""
    before = mark.string[mark.start() - 1 : mark.start()] if mark.start() else ""
    after = mark.string[mark.end() : mark.end() + 1]
    if mark[0][0] == "_" and before.isalnum() and after.isalnum():
        return False
    return mark[0][0] == "`" or bool(before.strip() or after.strip())


def _each_escaped(match: re.Match[str]) -> str:
    return "".join(f"{_PUT}{sign}" for sign in match[0])


def _signs(line: str) -> str:
    """Escape what stands alone: backslashes, tags, entities, links."""
    line = _BACKSLASH.sub(r"\\\\", line)
    line = re.sub(r"<(?=[A-Za-z/!?])", r"\\<", line)
    line = re.sub(r"&(?=#?[A-Za-z0-9]+;)", r"\\&", line)
    if _BRACKET.search(line):
        line = line.replace("[", "\\[")
    return line.replace(_PUT, "\\")


def _begun(line: str) -> str:
    """Escape what would make a line something else than a line of text."""
    if match := _NUMBERED.match(line):
        return f"{match[1]}\\{line[match.end(1) :]}"
    return f"\\{line}" if _START.match(line) else line
