"""``arbiter demo``: a third foul, its appeal, its annulment, and an audit that decides it all again."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from deploy.cli.demo_event import CALLERS, load_running, play_running
from deploy.cli.demo_sample import load_sample
from deploy.cli.demo_story import HOLDERS, Story
from deploy.cli.in_process import clients
from deploy.cli.invitations import invitation_path
from deploy.cli.language import words
from deploy.cli.options import data_option
from deploy.cli.output import console
from deploy.cli.player_tables import print_table, step
from deploy.cli.preflight import check_serving
from deploy.cli.verdicts import VERDICTS
from shared.core import vocabulary
from shared.core.messages import say, term


@click.command()
@data_option
@click.option(
    "--serve", is_flag=True, help="Serve it afterwards beside an event that is being played, with an invitation."
)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=0, type=click.IntRange(0, 65535), help="Else any free one.")
def demo(data: Path | None, serve: bool, host: str, port: int) -> int:
    """Play a small xiangqi tournament through the services' HTTP, and audit it."""
    with _folder(data) as folder:
        if serve:
            check_serving(folder, host, port)
        code = _play(folder)
        if serve:
            event = load_running()
            with clients(folder, CALLERS) as callers:
                play_running(callers, event)
            _serve(folder, host, port, event.id)
    return code


@contextmanager
def _folder(data: Path | None) -> Iterator[Path]:
    """The data folder; without one, a temporary one, removed by the process that made it and no child of it."""
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
    """Tables before and after the annulment, the ruling that fell, the final table, the audit's verdict."""
    out = console()
    with clients(data, HOLDERS) as callers:
        story = Story(callers, load_sample())
        sample = story.sample
        out.print(f"\n[bold]{sample.name}[/]")
        head = say(
            "{game}, {format}, {rounds} rounds, {players} players",
            game=term(sample.game),
            format=term(sample.format),
            rounds=sample.rounds,
            players=len(sample.players),
        )
        out.print(f"{words(head)}\n")
        if story.is_played():
            out.print(words(say("It has been played in {folder} already.", folder=str(data))) + "\n", markup=False)
        else:
            story.play()
            print_table(story.before, words(say("Round 2, after the third foul")))
            _fell(out, story)
            print_table(story.after, words(say("Round 2, after the annulment")))
            _moved(out, story.before, story.after)
        print_table(story.table(), words(say("Final table")))
        return _audited(out, story)


def _fell(out: Console, story: Story) -> None:
    """The ruling that was annulled, and the one that could not stand without it."""
    lost, fallen = story.loss, story.annulled
    out.print(words(say("The third foul lost the game: ruling {ruling}.", ruling=lost)))
    told = say(
        "An appeal against the second was upheld: ruling {annulled} is annulled, and {ruling}, which rested on it, fell "
        "with it. The game goes on.",
        annulled=fallen,
        ruling=lost,
    )
    out.print(words(told) + "\n", soft_wrap=True)


def _moved(out: Console, before: dict[str, Any], after: dict[str, Any]) -> None:
    """Whose points the annulment changed."""
    former = {p["id"]: p for p in before["players"]}
    for p in after["players"]:
        was = former[p["id"]]
        if p["points"] != was["points"]:
            moved = say(
                "{name}: points {points}, rank {rank}",
                name=p["name"],
                points=step(was["points"], p["points"]),
                rank=step(was["rank"], p["rank"]),
            )
            out.print(words(moved) + "\n", markup=False)


def _audited(out: Console, story: Story) -> int:
    report = story.audit()
    agrees = report["verdict"] == "agrees"
    colour = "green" if agrees else "red"
    told = say(
        "{checked} lines decided again, {unchecked} not decided again",
        checked=report["checked"],
        unchecked=report["unchecked"],
    )
    verdict = words(VERDICTS[report["verdict"]])
    out.print(words(say("The audit {verdict}: {told}", verdict=f"[bold {colour}]{verdict}[/]", told=told)))
    if report.get("first"):
        out.print(
            words(say("first: line {line}: {why}", line=report["first"]["line"], why=report["first"]["why"])),
            markup=False,
        )
    return 0 if agrees else 1


def _serve(data: Path, host: str, port: int, running: str) -> None:
    from deploy.server.embedded import open_log, serve, service_keys

    name, role = HOLDERS[0]
    log = open_log(data)
    try:
        path = invitation_path(log, service_keys(data), running, role, name, None, 1)
    finally:
        log.close()

    def ready(address: str) -> None:
        out = console()
        out.print("\n" + words(say("Serving at {address}", address=f"[bold]{address}[/]")))
        event = say("An event in its second round: {address}", address=f"[bold]{address}/t/{running}[/]")
        out.print(words(event), soft_wrap=True)
        offered = say(
            "An invitation of {name}, {role}, works once, within 30 minutes:", name=name, role=vocabulary.ROLES[role]
        )
        out.print(words(offered))
        out.print(f"{address}{path}", soft_wrap=True, style="dim", markup=False)
        again = f"arbiter invite {running} --role {role} --name {name} --data {data} --address {address}"
        out.print(words(say("Another: {command}", command=again)), soft_wrap=True, style="dim", markup=False)
        out.print("\n" + words(say("Ctrl-C ends it.")))

    serve(data, host, port, ready=ready)
