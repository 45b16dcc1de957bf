"""Lines: what one line of a pasted list is, by the signs that people put before it."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal["blank", "numbered", "option", "key", "reason", "answers", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line with its number in the file (from 1), what it is, and its text without its sign.

    `style` is the sign itself, so that stems can be told from options that are numbered too.
    """

    number: int
    role: Role
    raw: str = ""
    text: str = ""
    indent: int = 0
    label: str = ""
    style: str = ""
    mark: str = ""


def read(text: str) -> list[Line]:
    """Tell what every line of a text is."""
    return [_line(number, line) for number, line in enumerate(text.split("\n"), 1)]


_WORDS = (
    r"question|soal|pertanyaan|вопрос|питання|pregunta|frage|domanda|pergunta|întrebarea|q|no|№"
)
_NUMBERED = re.compile(
    rf"(?:[*#]+\s*)?(?:(?P<word>{_WORDS})\.?\s*)?(?P<label>[0-9]{{1,4}})\s?"
    r"(?P<sign>\.\)|[.):\]–-])(?P<gap>\s*)(?P<text>.*)",
    re.IGNORECASE,
)
_PREFIX = r"(?P<mark>\[[ xX*]?\]|\([xX]\)|[*+=✓✔✅☑☐]|\*\*)?\s*"
_LETTERED = re.compile(
    _PREFIX
    + r"(?P<open>\(?)(?P<label>[^\W\d_])\s?(?P<sign>\.\)|[.):\]])(?:\s+|(?<=[)\]]))(?P<text>\S.*)"
)
_BULLET = re.compile(
    r"(?P<sign>[•·●○◦▪▫■□‣∙⁃*–—+-]|o(?=\s))\s+(?P<mark>\[[ xX*]?\]|[✓✔✅☑☐])?\s*(?P<text>\S.*)"
)
_UNDERLINED = re.compile(r"(?P<mark>\^)?(?P<sign>_)\s+(?P<text>\S.*)")
_BOX = re.compile(r"(?P<mark>\[[ xX*]?\]|[✓✔✅☑☐❌])\s+(?P<text>\S.*)")
_KEY_WORDS = (
    "correct answer|right answer|answers?|ans|key|kunci jawaban|kunci|jawaban benar"
    "|jawaban yang benar|jawaban|правильный ответ|верный ответ|ответ|відповідь|respuesta correcta"
    "|respuesta|solución"
    "|bonne réponse|réponse correcte|réponse|richtige antwort|antwort|lösung|risposta corretta"
    "|risposta esatta|risposta|resposta correta|resposta|gabarito|răspuns corect|răspuns|答案|正解"
    "|الإجابة الصحيحة|الإجابة|الجواب|תשובה"
)
_KEY = re.compile(
    rf"(?:\*\*)?(?:{_KEY_WORDS})(?:\*\*)?\s?[:：=](?:\*\*)?\s*(?P<text>\S.*)", re.IGNORECASE
)
_REASON = re.compile(
    r"(?:\*\*)?(?:explanation|rationale|feedback|penjelasan|pembahasan|alasan|объяснение|пояснение"
    r"|комментарий|explicación|justificación|explication|erklärung|begründung|spiegazione"
    r"|explicação|justificativa|explicație)(?:\*\*)?\s?[:：](?:\*\*)?\s*(?P<text>.*)",
    re.IGNORECASE,
)
_ANSWERS = re.compile(
    r"[*#\s]*(?:answers|answer key|key|kunci jawaban|kunci|jawaban|ответы|правильные ответы|ключи"
    r"|respuestas|soluciones|réponses|corrigé|antworten|lösungen|risposte|soluzioni|respostas"
    r"|gabarito|răspunsuri)\s*[:：]?[*\s]*",
    re.IGNORECASE,
)


def _line(number: int, source: str) -> Line:
    body = source.strip()
    indent = len(source.expandtabs(4)) - len(source.expandtabs(4).lstrip())
    if not body:
        return Line(number=number, role="blank")
    if _ANSWERS.fullmatch(body):
        return Line(number=number, role="answers", raw=body, text=body, indent=indent)
    if match := _REASON.fullmatch(body):
        return Line(number=number, role="reason", raw=body, text=match["text"], indent=indent)
    if match := _KEY.fullmatch(body):
        return Line(
            number=number, role="key", raw=body, text=match["text"].strip("* "), indent=indent
        )
    match = _NUMBERED.fullmatch(body)
    if match and (match["gap"] or match["word"] or not match["text"]):
        return Line(
            number=number,
            role="numbered",
            raw=body,
            text=_unbold(body, match["text"]),
            indent=indent,
            label=match["label"],
            style=f"{(match['word'] or '').casefold()}{match['sign']}",
        )
    for pattern in (_LETTERED, _BULLET, _UNDERLINED, _BOX):
        if match := pattern.fullmatch(body):
            found = match.groupdict()
            return Line(
                number=number,
                role="option",
                raw=body,
                text=match["text"],
                indent=indent,
                label=found.get("label") or "",
                style=found.get("sign") or "",
                mark=match["mark"] or "",
            )
    return Line(number=number, role="text", raw=body, text=body, indent=indent)


def _unbold(body: str, text: str) -> str:
    """Take off the end of bold type that began before the number."""
    return text.removesuffix("**").rstrip() if body.startswith("**") else text
