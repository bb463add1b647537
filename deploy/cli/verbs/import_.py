"""``arbiter import``: a file played into a tournament, call by call, as if the hall had reported it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from deploy.cli.client import failure_of, remote
from deploy.cli.files import import_remarks as remarks
from deploy.cli.files.file_import import FileImport
from deploy.cli.files.files import read_trf, tell_differences, tell_format, tell_regulations
from deploy.cli.terminal.options import data_option, encoding_option, tiebreaks_option
from deploy.cli.terminal.output import note
from deploy.cli.trf.trf_order import order as order_of
from deploy.cli.trf.trf_pairing import without_virtual_points
from deploy.cli.trf.trf_story import Hall
from deploy.failure import Failure
from deploy.server.data_folder import data_folder
from services.standings.rules.teams.tiebreaks import TEAM_TIEBREAKS
from services.standings.rules.tiebreaks.registry import TIEBREAKS
from shared.client import Client, ClientError
from shared.core.language.messages import say
from shared.regulations import load
from shared.trf.model.dutch_edition import regulations_of
from shared.trf.model.errors import TrfError
from shared.trf.teams.matches import team_conditions

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")


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
    trf = read_trf(file, encoding)
    regulations = load(regulations_of(trf))
    tell_regulations(trf, regulations)
    tell_differences(trf, regulations.points)
    chosen = tournament or _id_of(file)
    if not ID.fullmatch(chosen):
        raise Failure(
            say("{chosen} is no id of a tournament (letters, digits, . _ -, at most 64)", chosen=repr(chosen))
        )
    refusal = without_virtual_points(trf)
    if refusal is not None and trf.rounds_recorded < Hall(trf, None).last_round:
        raise Failure(refusal.detail)
    conditions = team_conditions(trf)
    hall = Hall(trf, conditions)
    tell_format(trf, hall.format)
    empty = hall.seats_nobody()
    if empty is not None:
        entry = next((e for p in trf.players if (e := p.entry(empty)) is not None), None)
        line, column = (1, 1) if entry is None else (entry.line, entry.column)
        detail = say("nobody is paired in round {round}, though games of later rounds are told", round=empty)
        raise TrfError(trf.file, line, column, detail)
    order = order_of(trf, tiebreaks, TIEBREAKS if conditions is None else TEAM_TIEBREAKS)
    with caller(data, url, token) as to:
        story = FileImport(hall, chosen, to, order)
        try:
            story.run()
        except ClientError as error:
            raise failure_of(error, f"{trf.file}: {story.step}") from None
    note(remarks.size_of(chosen, len(trf.players), trf.rounds_recorded))
    return 0


@contextmanager
def caller(data: Path | None, url: str | None, token: str | None) -> Iterator[Client]:
    """Whoever makes the calls: a client of the server at ``url``, or of the embedded application."""
    if url is not None:
        with remote(url, token) as server:
            yield server
        return
    from deploy.cli.in_process import local

    with local(data_folder(data), "import") as client:
        yield client


def _id_of(file: str) -> str:
    stem = "import" if file == "-" else Path(file).stem
    return re.sub(r"[^A-Za-z0-9._-]+", "-", stem).lstrip("._-")[:64] or "import"
