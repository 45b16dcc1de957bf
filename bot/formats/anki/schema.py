"""Anki's schema 11: its tables, and the JSON that it keeps in the only row of `col`."""

import html
import json
from collections.abc import Sequence

MADE = 1_577_836_800  # seconds, 2020-01-01: the engine reads no clock, and Anki wants a time

TABLES = """
create table col (
    id integer primary key, crt integer not null, mod integer not null, scm integer not null,
    ver integer not null, dty integer not null, usn integer not null, ls integer not null,
    conf text not null, models text not null, decks text not null, dconf text not null,
    tags text not null
);
create table notes (
    id integer primary key, guid text not null, mid integer not null, mod integer not null,
    usn integer not null, tags text not null, flds text not null, sfld integer not null,
    csum integer not null, flags integer not null, data text not null
);
create table cards (
    id integer primary key, nid integer not null, did integer not null, ord integer not null,
    mod integer not null, usn integer not null, type integer not null, queue integer not null,
    due integer not null, ivl integer not null, factor integer not null, reps integer not null,
    lapses integer not null, left integer not null, odue integer not null, odid integer not null,
    flags integer not null, data text not null
);
create table revlog (
    id integer primary key, cid integer not null, usn integer not null, ease integer not null,
    ivl integer not null, lastIvl integer not null, factor integer not null,
    time integer not null, type integer not null
);
create table graves (usn integer not null, oid integer not null, type integer not null);
create index ix_notes_usn on notes (usn);
create index ix_cards_usn on cards (usn);
create index ix_revlog_usn on revlog (usn);
create index ix_cards_nid on cards (nid);
create index ix_cards_sched on cards (did, queue, due);
create index ix_revlog_cid on revlog (cid);
create index ix_notes_csum on notes (csum);
"""
INSERT_COL = "insert into col values (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')"
INSERT_NOTE = "insert into notes values (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')"
INSERT_CARD = "insert into cards values (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')"


def names(width: int) -> tuple[str, ...]:
    """Name the fields of a note with so many options."""
    options = [f"Option {number}" for number in range(1, width + 1)]
    reasons = [f"Feedback {number}" for number in range(1, width + 1)]
    tail = ("Correct (number)", "Type", "Settings", "Time limit", "Item id")
    return ("Front", SHOWN, "Explanation", *options, *reasons, *tail)


SHOWN = "Shown answer"


def escaped(text: str) -> str:
    """Write a plain text as HTML."""
    return html.escape(text, quote=False)


def col(title: str, deck: int, model: int, fields: Sequence[str]) -> tuple[object, ...]:
    """Give the values of the only row of `col`, as far as they are not fixed."""
    decks = {"1": _deck(1, "Default"), str(deck): _deck(deck, title)}
    parts = (_CONF, {str(model): _model(model, deck, fields)}, decks, {"1": _OPTIONS})
    return MADE, MADE * 1000, MADE * 1000, *(json.dumps(part) for part in parts)


_CONF = {
    "activeDecks": [1],
    "curDeck": 1,
    "newSpread": 0,
    "collapseTime": 1200,
    "timeLim": 0,
    "estTimes": True,
    "dueCounts": True,
    "curModel": None,
    "nextPos": 1,
    "sortType": "noteFld",
    "sortBackwards": False,
    "addToCur": True,
}
_OPTIONS = {
    "id": 1,
    "name": "Default",
    "mod": 0,
    "usn": 0,
    "maxTaken": 60,
    "autoplay": True,
    "timer": 0,
    "replayq": True,
    "dyn": False,
    "new": {
        "bury": False,
        "delays": [1.0, 10.0],
        "initialFactor": 2500,
        "ints": [1, 4, 0],
        "order": 1,
        "perDay": 20,
    },
    "rev": {
        "bury": False,
        "ease4": 1.3,
        "ivlFct": 1.0,
        "maxIvl": 36500,
        "perDay": 200,
        "hardFactor": 1.2,
    },
    "lapse": {
        "delays": [10.0],
        "leechAction": 1,
        "leechFails": 8,
        "minInt": 1,
        "mult": 0.0,
    },
}
_CSS = """\
.card { font-family: sans-serif; font-size: 20px; text-align: center; }
ol { display: inline-block; text-align: left; }
.why { font-size: 16px; }
"""


def _deck(number: int, name: str) -> dict[str, object]:
    return {
        "id": number,
        "name": name,
        "desc": "",
        "mod": MADE,
        "usn": -1,
        "collapsed": False,
        "browserCollapsed": False,
        "newToday": [0, 0],
        "revToday": [0, 0],
        "lrnToday": [0, 0],
        "timeToday": [0, 0],
        "dyn": 0,
        "extendNew": 0,
        "extendRev": 0,
        "conf": 1,
    }


def _model(number: int, deck: int, fields: Sequence[str]) -> dict[str, object]:
    return {
        "id": number,
        "name": f"Kuis ({sum(name.startswith('Option') for name in fields)})",
        "type": 0,
        "mod": MADE,
        "usn": -1,
        "sortf": 0,
        "did": deck,
        "tmpls": [_template(fields)],
        "flds": [_field(place, name) for place, name in enumerate(fields)],
        "css": _CSS,
        "latexPre": "\\documentclass[12pt]{article}\n\\begin{document}\n",
        "latexPost": "\\end{document}",
        "latexsvg": False,
        "req": [[0, "any", [0]]],
        "tags": [],
        "vers": [],
    }


def _template(fields: Sequence[str]) -> dict[str, object]:
    """Write the card: the options only of items that show them, then answer and rationale."""
    options = (
        f"{{{{#{name}}}}}<li>{{{{{name}}}}}</li>{{{{/{name}}}}}"
        for name in fields
        if name.startswith("Option")
    )
    listed = f"{{{{#Correct (number)}}}}<ol type=A>{''.join(options)}</ol>{{{{/Correct (number)}}}}"
    answer = f"{{{{FrontSide}}}}<hr id=answer>{{{{{SHOWN}}}}}"
    return {
        "name": "Card 1",
        "ord": 0,
        "qfmt": f"{{{{Front}}}}<br>{listed}",
        "afmt": f"{answer}<div class=why>{{{{Explanation}}}}</div>",
        "bqfmt": "",
        "bafmt": "",
        "did": None,
        "bfont": "",
        "bsize": 0,
    }


def _field(place: int, name: str) -> dict[str, object]:
    return {
        "name": name,
        "ord": place,
        "sticky": False,
        "rtl": False,
        "font": "Arial",
        "size": 20,
        "media": [],
    }
