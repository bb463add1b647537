"""``arbiter serve``: the embedded server."""

import sys
from pathlib import Path

import click

from deploy.cli.terminal.verb import Integer, Verb, data_option, note, show
from deploy.server.data_folder import check_serving, data_folder
from deploy.server.organiser_invitation import FIRST, is_recorded
from deploy.server.public_address import public_address
from deploy.server.settings import settings
from shared.core.language.messages import say


@click.command(cls=Verb, example="arbiter serve --data cup --port 8080")
@data_option
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    envvar="ARBITER_HOST",
    show_envvar=True,
    help="Address to listen on.",
)
@click.option(
    "--port",
    default=8000,
    show_default=True,
    envvar="ARBITER_PORT",
    show_envvar=True,
    type=Integer(0, 65535),
    help="Port to listen on.",
)
def serve(data: Path | None, host: str, port: int) -> None:
    """Start all services on one SQLite database.

    The server has all four services and the pages. Its database is a file in the data folder.
    """
    folder = data_folder(data)
    check_serving(folder, host, port)
    from deploy.server import embedded

    first = embedded.has_no_organiser(folder)
    # Standard output that is kept gets no link, because the link opens a session.
    invitation = embedded.first_invitation(folder) if first and not is_recorded(sys.stdout) else None

    def ready(address: str) -> None:
        note(say("arbiter: serving {folder} at {address}", folder=str(folder), address=address))
        if invitation is not None:
            show(say("Open this link to log in as the first organiser. It works once, within 30 minutes:"))
            show(public_address(settings().address, host, address) + invitation)
        elif first:
            note(
                say(
                    "No organiser has logged in yet. For a login link, run in a terminal: "
                    "arbiter invite --role organiser --name {name} --data {folder}",
                    name=FIRST,
                    folder=str(folder),
                )
            )

    embedded.serve(folder, host, port, ready=ready)
