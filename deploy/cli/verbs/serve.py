"""``arbiter serve``: the embedded server."""

from pathlib import Path

import click

from deploy.cli.data_folder import data_folder
from deploy.cli.options import data_option
from deploy.cli.output import note


@click.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
def serve(data: Path | None, host: str, port: int) -> None:
    """All four services and the pages, on one SQLite file in the data folder."""
    from deploy.server.embedded import serve as run

    run(data_folder(data), host, port, ready=lambda address: note(f"arbiter: serving {data_folder(data)} at {address}"))
