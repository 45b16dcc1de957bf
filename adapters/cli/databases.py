"""`kuis db` and `kuis scores`, as they are typed; what they do is in `keeping`."""

from pathlib import Path
from typing import Annotated

import typer

from adapters.cli.looping import do

db = typer.Typer(help="Look after the database.", rich_markup_mode=None, no_args_is_help=True)
scores = typer.Typer(help="Look after the scores.", rich_markup_mode=None, no_args_is_help=True)


@db.command("info")
def db_info() -> None:
    """Tell what the database is and what it holds."""
    from adapters.cli import keeping  # noqa: PLC0415 - help must not wait for it

    do(keeping.info())


@db.command("upgrade")
def db_upgrade() -> None:
    """Bring the tables up to date."""
    from adapters.cli import keeping  # noqa: PLC0415 - help must not wait for it

    do(keeping.upgrade())


@db.command("backup")
def db_backup(
    file: Annotated[Path, typer.Argument(help="Where to write the copy.")],
    *,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file if it exists.")
    ] = False,
) -> None:
    """Copy the database into a file, also while it is in use."""
    from adapters.cli import keeping  # noqa: PLC0415 - help must not wait for it

    do(keeping.backup(file, overwrite=overwrite))


@db.command("copy")
def db_copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The URL of a database.")],
    target: Annotated[str, typer.Argument(metavar="TO", help="The URL of an empty database.")],
) -> None:
    """Copy everything into another database: from SQLite to PostgreSQL, say, or back."""
    from adapters.cli import keeping  # noqa: PLC0415 - help must not wait for it

    do(keeping.copy(source, target))


@db.command("tidy")
def db_tidy() -> None:
    """Delete what is older than KUIS_KEEP_DAYS, and notes about messages of long ago."""
    from adapters.cli import keeping  # noqa: PLC0415 - help must not wait for it

    do(keeping.tidy())


@scores.command("rebuild")
def scores_rebuild() -> None:
    """Derive all scores again from the responses."""
    from adapters.cli import keeping  # noqa: PLC0415 - help must not wait for it

    do(keeping.rebuild())
