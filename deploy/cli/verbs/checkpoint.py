"""``arbiter checkpoint``: a signed checkpoint, out of a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.client import Remote
from deploy.cli.data_folder import desk_of, folder_unless_server, last_line
from deploy.cli.failure import Failure
from deploy.cli.in_process import local
from deploy.cli.options import data_option, token_option, url_option
from deploy.cli.output import write_bytes
from shared.core.terms import Role


@click.command()
@click.argument("tournament")
@data_option
@url_option
@token_option
@click.option(
    "--restart", is_flag=True, help="Sign it although it does not continue what was signed: stands in it for ever."
)
@click.option("--reason", help="Why; with --restart.")
def checkpoint(
    tournament: str, *, data: Path | None, url: str | None, token: str | None, restart: bool, reason: str | None
) -> None:
    """A signed checkpoint of the log as it is now (C2SP signed note)."""
    folder = folder_unless_server(data, url)
    if restart != bool(reason):
        raise click.UsageError("--restart and --reason go together")
    if restart:
        _restart(f"/v1/tournaments/{tournament}/checkpoint/restarts", {"reason": reason}, folder, url, token)
    if folder is None:
        write_bytes(Remote(url or "", token).get(f"/v1/tournaments/{tournament}/checkpoint", {}))
        return
    from shared.desk.log_checkpoint import signed_checkpoint
    from shared.desk.signer_port import NotSigned

    with desk_of(folder) as desk:
        last_line(desk, tournament)
        view = desk.view(tournament)
        assert view is not None, "it has a last line"
        try:
            write_bytes(signed_checkpoint(desk, view).encode())
        except NotSigned as problem:
            raise Failure(str(problem), 1) from None


def _restart(path: str, body: dict[str, str | None], folder: Path | None, url: str | None, token: str | None) -> None:
    """By the caller's token on a server; in a folder by who holds the office."""
    if folder is None:
        answer = Remote(url or "", token).call("POST", path, body)
    elif not folder.is_dir():
        raise Failure(f"{folder}: no such folder")
    else:
        with local(folder, "house", "auditor") as reader:
            known = reader.call("GET", path.partition("/checkpoint")[0]).json.get("officials") or {}
        # Who holds the office in this log; in older ones, that the token says so is enough.
        office: tuple[Role, ...] = ("organiser", "chief_arbiter")
        holders = [(name, role) for role in office for name, held in known.items() if role in held]
        with local(folder, *next(iter(holders), ("house", office[0]))) as house:
            answer = house.call("POST", path, body)
    if answer.status != 201:
        raise Failure(answer.problem, 1)
