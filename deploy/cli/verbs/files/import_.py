"""``arbiter import``: a report file, reported to a tournament call by call."""

import time
from pathlib import Path
from urllib.parse import urlencode

import click

from deploy.cli.client import failure_of, remote
from deploy.cli.files.files import read_bytes, tell
from deploy.cli.regulation_sets import requested
from deploy.cli.terminal.verb import (
    Verb,
    data_option,
    encoding_option,
    game_option,
    note,
    regulations_option,
    tiebreaks_option,
)
from deploy.failure import Failure
from deploy.imports import remarks
from deploy.imports.file_check import CheckedFile, check_file, id_of
from deploy.imports.file_import import FileImport
from deploy.server.data_folder import data_folder
from services.pairing.imports.import_routes import LONGEST_NAME
from shared.client import Client, ClientError, Problem
from shared.core.language.charset import ENCODINGS, find_encoding
from shared.core.language.messages import say

NAME = "import"
"""Login name of an import into a data folder."""
_LOOK_SECONDS = 0.3
_MOST_SENT = 20
"""Times that a file is sent. A server that ends forgets its imports; one that ends at each of them is not asked forever."""
_NO_IMPORTS = ("imports-unavailable", "not-found", "method-not-allowed")
"""Problems of a server that does not import files; then this command makes the calls."""


@click.command(
    "import",
    cls=Verb,
    exits={1: say("The rules reject something in the file.")},
    example="arbiter import open.trf --data cup --id open",
)
@click.argument("file", metavar="FILE.trf")
@data_option
@click.option("--url", help="URL of a running server, instead of a data folder.")
@click.option("--token", envvar="ARBITER_TOKEN", help="Token of a chief arbiter for --url (default: ARBITER_TOKEN).")
@encoding_option
@click.option("--id", "tournament", help="Tournament ID (default: made from the file name).")
@regulations_option
@game_option
@tiebreaks_option
def import_(
    file: str,
    data: Path | None,
    url: str | None,
    token: str | None,
    tournament: str | None,
    encoding: str | None,
    regulations: str | None,
    game: str | None,
    tiebreaks: str | None,
) -> int:
    """Import a TRF file as a new tournament.

    Entries, teams, rounds, byes, results, forfeits and withdrawals of the file are sent as commands, in order. If the
    import stops, run the same command again: it continues at the same point.

    A file that Arbiter exported states its game and ruleset. For another file, they are chess and FIDE's ruleset for its
    date, unless you choose them. Columns of the table that differ from an exported table are reported.
    """
    if data is not None and url is not None:
        raise Failure(say("--data and --url cannot be used together"))
    name, content = "standard input" if file == "-" else file, read_bytes(file)
    told = None if encoding is None else find_encoding(encoding)
    id = tournament or ("import" if file == "-" else id_of(file))
    wanted = requested(regulations, game)
    if url is not None and wanted.text is None:
        coding = next((code for code, known in ENCODINGS.items() if known == told), None)
        options = {"name": name[-LONGEST_NAME:], "id": id, "encoding": coding, "tiebreaks": tiebreaks}
        options |= {"regulations": regulations, "game": game}
        with remote(url, token) as server:
            if _by_server(server, content, {option: said for option, said in options.items() if said is not None}):
                return 0
    checked = check_file(content, name, told, id, tiebreaks, wanted)
    tell(checked.remarks)
    if url is not None:
        with remote(url, token) as server:
            _play(checked, server)
    else:
        from deploy.cli.client import clients

        with clients(data_folder(data), ((NAME, "chief_arbiter"), (NAME, "organiser"))) as callers:
            _play(checked, callers["chief_arbiter"], callers["organiser"])
    return 0


def _by_server(server: Client, content: bytes, options: dict[str, str]) -> bool:
    """Let the server import the file, and follow it; False if it does not import files."""
    shown = set[str]()
    for _ in range(_MOST_SENT):
        try:
            report = server.send(f"/v1/imports?{urlencode(options)}", content).json
            while True:
                for remark in (one for one in report["remarks"] if one not in shown):
                    note(remark)
                    shown.add(remark)
                if report["state"] != "running":
                    break
                time.sleep(_LOOK_SECONDS)
                report = server.get(f"/v1/imports/{report['id']}").json
        except Problem as problem:
            if problem.code in _NO_IMPORTS:
                return False
            if problem.code == "bad-report-file":
                raise Failure(problem.detail) from None
            if problem.code != "unknown-import":
                raise
            lost = problem  # the server started again: the file sent again continues there
        else:
            if report["state"] != "done":
                raise Failure(report["problem"], 1 if report["state"] == "refused" else 2)
            return True
    raise lost


def _play(checked: CheckedFile, to: Client, organiser: Client | None = None) -> None:
    trf = checked.hall.trf
    story = FileImport(checked.hall, checked.id, to, note, lambda step: None, checked.order, organiser, NAME)
    try:
        story.run()
    except ClientError as error:
        raise failure_of(error, f"{trf.file}: {story.step}") from None
    note(remarks.size_of(checked.id, len(trf.players), trf.rounds_recorded))
