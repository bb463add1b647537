"""``arbiter demo``: a third foul, an appeal, an annulment, and an audit that re-evaluates every event."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from deploy.cli.client import clients
from deploy.cli.demo.demo_event import CALLERS, Links, describe, find_appeal, load_running, make_links, play_running
from deploy.cli.demo.demo_story import HOLDERS, Story, audited, headline, load_sample, tell
from deploy.cli.terminal.verb import Integer, Verb, show
from deploy.server.data_folder import check_serving
from shared.core.language.messages import say
from shared.regulations import load_all


@click.command(
    cls=Verb,
    exits={1: say("The audit of the tournament finds a difference or has a remark.")},
    example="arbiter demo --serve",
)
@click.option(
    "--data", type=click.Path(path_type=Path), default=None, help="Data folder (default: a temporary folder)."
)
@click.option("--serve", is_flag=True, help="Serve it afterwards, with a tournament in progress and its login links.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=0, type=Integer(0, 65535), help="Port to listen on (default: any free port).")
def demo(data: Path | None, serve: bool, host: str, port: int) -> int:
    """Play a sample tournament and audit it.

    A small xiangqi tournament is played through the HTTP interface of the services. A player loses a game by three
    fouls, and an appeal annuls the second foul. Then the log is audited. A tournament that is already in the data folder
    is not played again.
    """
    with _folder(data) as folder:
        if serve:
            check_serving(folder, host, port)
        code = _play(folder)
        if serve:
            event = load_running()
            with clients(folder, CALLERS) as callers:
                play_running(callers, event)
                appeal = find_appeal(callers, event.id)
            _serve(folder, host, port, make_links(folder, event.id, appeal))
    return code


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    """Yield the data folder, or a temporary one, which only the process that made it removes."""
    if data is not None:
        yield data
        return
    scratch, owner = Path(tempfile.mkdtemp(prefix="arbiter-")), os.getpid()
    try:
        yield scratch
    finally:
        if os.getpid() == owner:
            shutil.rmtree(scratch, ignore_errors=True)


def _play(data: Path) -> int:
    """Play the sample tournament unless it is in the folder already; print its story and the audit's verdict."""
    load_all()
    with clients(data, HOLDERS) as callers:
        story = Story(callers, load_sample())
        show(headline(story), bold=True)
        if story.is_played():
            played = say("It has already been played in {folder}.", folder=str(data))
            show(played)
        else:
            story.play()
        for sentence in tell(story):
            show(sentence)
        verdict, agrees = audited(story, data)
        show(verdict, colour="green" if agrees else "red")
        return 0 if agrees else 1


def _serve(data: Path, host: str, port: int, links: Links) -> None:
    from deploy.server.embedded import serve

    def ready(address: str) -> None:
        rulings = say("The rulings above: {address}", address=f"{address}/t/{load_sample().id}/rulings")
        for sentence in (rulings, *describe(links, address)):
            show(sentence)
        show(say("Press Ctrl-C to stop."))

    serve(data, host, port, ready=ready)
