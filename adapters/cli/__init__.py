"""The command line: parses, then hands over. What a command needs is loaded when it is called."""

import sys
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

import typer

from adapters.cli.databases import db, scores
from adapters.cli.loading import loading
from adapters.cli.looping import do
from bot.errors import KuisError

Language: TypeAlias = Literal["id", "en"]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Name = Annotated[
    str | None, typer.Option(help="Who you are on the leaderboard. Default: your user name.")
]
Session = Annotated[
    str | None, typer.Option(help="Id of one session, as `kuis history --json` gives it.")
]

app = typer.Typer(
    name="kuis",
    help="One quiz engine for every chat: plays in the terminal, and runs the bots.",
    rich_markup_mode=None,  # drawing help with rich takes longer than everything else
    pretty_exceptions_enable=False,
)
app.add_typer(db, name="db")
app.add_typer(scores, name="scores")


def main() -> None:
    """Run the command line; what Kuis refuses is said in one line, with exit code 1."""
    try:
        app()
    except KuisError as error:
        sys.stderr.write(f"kuis: {error}\n")
        sys.exit(1)


@app.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Run the bots whose tokens are set; without any, play in the terminal."""
    if context.invoked_subcommand is None:
        with loading():
            from adapters.cli import playing, running  # noqa: PLC0415 - help must not wait for them

        do(running.run(()) if running.tokens() else playing.play(playing.Asked()))


@app.command()
def play(  # noqa: PLR0913 - the options of the command
    pack: Annotated[
        str | None, typer.Argument(help="Id or title of a quiz; without it you can choose.")
    ] = None,
    name: Name = None,
    language: Annotated[
        Language | None, typer.Option(help="Default: KUIS_LANGUAGE, or your system's.")
    ] = None,
    mode: Annotated[
        Literal["solo", "exam"] | None,
        typer.Option(help="solo explains every answer at once, exam at the end. Default: solo."),
    ] = None,
    count: Annotated[int | None, typer.Option(min=1, help="How many questions.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same number draws the same quiz.")] = None,
    *,
    keep_order: Annotated[
        bool, typer.Option("--keep-order", help="Ask everything in its printed order.")
    ] = False,
    new: Annotated[bool, typer.Option("--new", help="Start afresh instead of going on.")] = False,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Say how sure you are: A, or A? if you are not.")
    ] = False,
) -> None:
    """Play a quiz in the terminal, or from a pipe with one answer a line."""
    with loading():
        from adapters.cli import playing  # noqa: PLC0415 - help must not wait for it
        from adapters.terminal.starting import Wanted  # noqa: PLC0415
        from bot.modes import Mode  # noqa: PLC0415

    wanted = Wanted(
        pack=pack,
        mode=Mode(mode) if mode else None,
        count=count,
        seed=seed,
        keep_order=keep_order,
        fresh=new,
        confidence=confidence,
    )
    do(playing.play(playing.Asked(name=name, language=language, wanted=wanted)))


@app.command()
def review(
    name: Name = None,
    language: Annotated[
        Language | None, typer.Option(help="Default: KUIS_LANGUAGE, or your system's.")
    ] = None,
    minutes: Annotated[
        int | None, typer.Option(min=1, max=120, help="How long, about. Default: five.")
    ] = None,
    *,
    early: Annotated[
        bool, typer.Option("--early", help="If nothing is due, take what comes next.")
    ] = False,
    missed: Annotated[
        bool, typer.Option("--missed", help="Only what you missed in the last 30 days.")
    ] = False,
    anki: Annotated[
        Path | None, typer.Option(help="Write what you missed into this file for Anki instead.")
    ] = None,
) -> None:
    """Review what is due for you today: what you missed comes back."""
    from adapters.cli import playing  # noqa: PLC0415 - help must not wait for it
    from adapters.terminal.reviewing import Wanted  # noqa: PLC0415

    wanted = Wanted(minutes=minutes, early=early, missed=missed, anki=anki)
    do(playing.review(playing.Asked(name=name, language=language), wanted))


@app.command()
def packs(*, json: Json = False) -> None:
    """List the quizzes there are."""
    from adapters.cli import reporting  # noqa: PLC0415 - help must not wait for it

    reporting.packs(as_json=json)


@app.command()
def check(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders of packs.")],
    *,
    json: Json = False,
) -> None:
    """Report everything wrong with packs, and how each question will look in each chat."""
    from adapters.cli import checking  # noqa: PLC0415 - help must not wait for it

    if checking.check(paths, as_json=json):
        raise typer.Exit(1)


@app.command("import")
def import_(  # noqa: PLR0913 - the options of the command
    files: Annotated[list[Path], typer.Argument(help="Question banks in any format.")],
    format: Annotated[  # noqa: A002 - what the option is called
        str, typer.Option("--format", help="Their format, if it is not found by looking.")
    ] = "",
    to: Annotated[
        Path | None,
        typer.Option(help="Folder to write to. Default: questions in your data folder."),
    ] = None,
    language: Annotated[
        str, typer.Option(help="Code of the language of the questions, like id or en.")
    ] = "",
    keys: Annotated[
        str, typer.Option(help="Answers for questions without one, in their order: 3,1,4.")
    ] = "",
    *,
    yes: Annotated[
        bool, typer.Option("--yes", help="Write the packs; without it, look only.")
    ] = False,
    replace: Annotated[
        bool, typer.Option("--replace", help="Write over a pack that is different.")
    ] = False,
    json: Json = False,
) -> None:
    """Bring in question banks: GIFT, Aiken, Moodle XML, tables, Anki, QTI, lists, and more."""
    from adapters.cli import importing  # noqa: PLC0415 - help must not wait for it

    wish = importing.Wish(
        format=format,
        folder=to,
        language=language,
        keys=keys,
        write=yes,
        replace=replace,
        as_json=json,
    )
    if not importing.import_(files, wish):
        raise typer.Exit(1)


@app.command()
def export(
    pack: Annotated[str, typer.Argument(help="Id or title of a quiz.")],
    format: Annotated[  # noqa: A002 - what the option is called
        str, typer.Option("--format", help="aiken, anki, csv, gift, moodle-xml, native, qti, xlsx.")
    ],
    to: Annotated[
        Path | None, typer.Option(help="File to write. Default: the pack's id, in this folder.")
    ] = None,
    language: Annotated[str, typer.Option(help="Which of its languages.")] = "",
) -> None:
    """Give a quiz back in another program's format, and say what that cannot carry."""
    from adapters.cli import exporting  # noqa: PLC0415 - help must not wait for it

    exporting.export(pack, name=format, to=to, language=language)


@app.command()
def leaderboard(
    room: Annotated[
        str | None,
        typer.Option(help="all, or a room like telegram:-100123. Default: this terminal."),
    ] = None,
    period: Annotated[
        Literal["today", "week", "month", "all"], typer.Option(help="Since when to count.")
    ] = "all",
    by: Annotated[Literal["points", "accuracy"], typer.Option(help="What ranks.")] = "points",
    *,
    json: Json = False,
) -> None:
    """Show who stands where."""
    from adapters.cli import reporting  # noqa: PLC0415 - help must not wait for it

    do(reporting.leaderboard(room=room, period=period, by=by, as_json=json))


@app.command()
def history(name: Name = None, *, json: Json = False) -> None:
    """Show the quizzes somebody has taken, with every answer."""
    from adapters.cli import reporting  # noqa: PLC0415 - help must not wait for it

    do(reporting.history(name=name, as_json=json))


@app.command()
def insight(
    pack: Annotated[
        str | None, typer.Argument(help="Id or title of a quiz; of a session it is known.")
    ] = None,
    session: Session = None,
    *,
    json: Json = False,
    csv: Annotated[bool, typer.Option("--csv", help="Print a line for each question.")] = False,
) -> None:
    """Show how questions are doing: how hard, how telling, which distractors, which keys."""
    from adapters.cli import studying  # noqa: PLC0415 - help must not wait for it

    do(studying.insight(studying.Asked(pack=pack, session=session, as_json=json, as_csv=csv)))


@app.command()
def results(
    pack: Annotated[
        str | None, typer.Argument(help="Id or title of a quiz; without it name a session.")
    ] = None,
    session: Session = None,
    to: Annotated[Path | None, typer.Option(help="File to write. Default: print them.")] = None,
) -> None:
    """Give every answer to a quiz, or in a session, as CSV for a spreadsheet."""
    from adapters.cli import studying  # noqa: PLC0415 - help must not wait for it

    do(studying.results(studying.Asked(pack=pack, session=session), to))


@app.command()
def challenges(*, json: Json = False) -> None:
    """List the questions that people have challenged."""
    from adapters.cli import correcting  # noqa: PLC0415 - help must not wait for it

    do(correcting.challenges(as_json=json))


@app.command()
def correct(
    pack: Annotated[str, typer.Argument(help="Id or title of a quiz.")],
    item: Annotated[str, typer.Argument(help="Number or id of a question in it.")],
    key: Annotated[
        str, typer.Option(help="What is right, by its letters in the file: B, or A,C.")
    ] = "",
    *,
    undo: Annotated[bool, typer.Option("--undo", help="Take the last correction back.")] = False,
    reject: Annotated[bool, typer.Option("--reject", help="Turn its challenges down.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="Do it; without it, say what would change.")
    ] = False,
) -> None:
    """Correct the key of a question everywhere, and score everybody again."""
    from adapters.cli import correcting  # noqa: PLC0415 - help must not wait for it

    wish = correcting.Wish(pack=pack, item=item, key=key, undo=undo, reject=reject, sure=yes)
    do(correcting.correct(wish))


@app.command()
def run(
    chats: Annotated[
        list[str] | None, typer.Argument(help="telegram, discord. Default: all with a token.")
    ] = None,
) -> None:
    """Run the bots whose tokens are set."""
    with loading():
        from adapters.cli import running  # noqa: PLC0415 - help must not wait for it

    do(running.run(tuple(chats or ())))


@app.command()
def doctor(*, json: Json = False) -> None:
    """Look at settings, database, packs and tokens, and say what to do about what is wrong."""
    from adapters.cli import doctoring  # noqa: PLC0415 - help must not wait for it

    if do(doctoring.doctor(as_json=json)):
        raise typer.Exit(1)
