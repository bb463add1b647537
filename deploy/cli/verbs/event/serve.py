"""``arbiter serve``: the embedded server."""

from pathlib import Path

import click

from deploy.cli.terminal.verb import Integer, Verb, data_option, note
from deploy.server.data_folder import check_serving, data_folder
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

    embedded.serve(
        folder,
        host,
        port,
        ready=lambda address: note(say("arbiter: serving {folder} at {address}", folder=str(folder), address=address)),
    )
