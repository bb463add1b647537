"""``arbiter import``: a file played into a tournament, call by call, as if the hall had reported it."""

from pathlib import Path

import click

from deploy.cli.client import failure_of, remote
from deploy.cli.files.files import read_bytes, tell
from deploy.cli.terminal.options import data_option, encoding_option, tiebreaks_option
from deploy.cli.terminal.output import note
from deploy.failure import Failure
from deploy.imports import remarks
from deploy.imports.file_check import CheckedFile, check_file
from deploy.imports.file_import import FileImport
from deploy.server.data_folder import data_folder
from shared.client import Client, ClientError
from shared.core.language.charset import named
from shared.core.language.messages import say


@click.command("import")
@click.argument("file", metavar="FILE.trf")
@data_option
@click.option("--url", help="A running server, instead of a data folder.")
@click.option("--token", envvar="ARBITER_TOKEN", help="A chief arbiter's token for --url (or ARBITER_TOKEN).")
@encoding_option
@click.option("--id", "tournament", help="The tournament's id; else made from the file's name.")
@tiebreaks_option
def import_(
    file: str,
    data: Path | None,
    url: str | None,
    token: str | None,
    tournament: str | None,
    encoding: str | None,
    tiebreaks: str | None,
) -> int:
    """Play a TRF file into a tournament: entries, teams, rounds, byes, results, forfeits, withdrawals.

    Run again, it goes on where it stopped.
    """
    if data is not None and url is not None:
        raise Failure(say("--data and --url exclude each other"))
    name = "standard input" if file == "-" else file
    told = None if encoding is None else named(encoding)
    checked = check_file(read_bytes(file), name, told, tournament or ("import" if file == "-" else None), tiebreaks)
    tell(checked.remarks)
    if url is not None:
        with remote(url, token) as server:
            _play(checked, server)
    else:
        from deploy.cli.in_process import local

        with local(data_folder(data), "import") as client:
            _play(checked, client)
    return 0


def _play(checked: CheckedFile, to: Client) -> None:
    trf = checked.hall.trf
    story = FileImport(checked.hall, checked.id, to, note, lambda step: None, checked.order)
    try:
        story.run()
    except ClientError as error:
        raise failure_of(error, f"{trf.file}: {story.step}") from None
    note(remarks.size_of(checked.id, len(trf.players), trf.rounds_recorded))
