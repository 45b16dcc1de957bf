"""Logs: for people where a person looks on, as JSON lines where a machine reads.

Other people's libraries log only what went wrong: at more detail they write down requests, and
with them names, answers and tokens. Secrets are struck out of every line all the same.
"""

import json
import logging
import re
import sys
from collections.abc import Callable, Iterable
from typing import Any, TextIO

OWN = ("bot", "adapters")
STRUCK = "[secret]"
_SHAPES = re.compile(
    r"(?<!\d)\d{6,12}(?::|%3A)[A-Za-z0-9_-]{30,}"  # Telegram's tokens
    r"|(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,}"  # Discord's
    r"|(?<=://)[^\s/:@]+:[^\s/@]+(?=@)"  # user and password in an address
)
_SHORTEST = 6


def start_logging(level: str, secrets: Iterable[str] = (), stream: TextIO | None = None) -> None:
    """Send what is logged to stderr (or a stream), without the secrets."""
    import structlog  # noqa: PLC0415 - 40 ms, and most commands never log

    to = stream or sys.stderr
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if to.isatty():
        plain = structlog.dev.plain_traceback  # the others show what variables hold
        last: list[Any] = [structlog.dev.ConsoleRenderer(exception_formatter=plain)]
    else:
        last = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    strike = striking(secrets)
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *last,
            lambda _logger, _method, line: strike(str(line)),
        ],
    )
    handler = logging.StreamHandler(to)
    handler.setFormatter(formatter)
    handler.addFilter(lambda record: record.levelno >= logging.getLevelName(level.upper()))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    for name in OWN:
        own = min(logging.WARNING, logging.getLevelName(level.upper()))
        logging.getLogger(name).setLevel(own)


def striking(secrets: Iterable[str]) -> Callable[[str], str]:
    """Give the function that strikes secrets out of a line: these, and whatever looks like one.

    A secret is struck out in all the forms it may have in a line: whole, without the number in
    front of it (which is no secret), and as JSON writes it.
    """
    forms = {
        form
        for secret in secrets
        for part in (secret, secret.partition(":")[2])
        for form in (part, json.dumps(part)[1:-1])
        if len(part) >= _SHORTEST
    }
    longest_first = sorted(forms, key=len, reverse=True)
    parts = [*map(re.escape, longest_first), _SHAPES.pattern]
    pattern = re.compile("|".join(parts))
    return lambda line: pattern.sub(STRUCK, line)
