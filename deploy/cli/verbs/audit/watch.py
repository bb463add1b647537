"""``arbiter watch``: keeps the last checkpoint of each log of a server, and demands that the next continues it."""

import time
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

import click

from deploy.cli.client import remote
from deploy.cli.log_watch import Changed, Watch
from deploy.cli.terminal.verb import Verb, note, several
from deploy.failure import Failure
from shared.client import Client, ClientError
from shared.core.language.messages import message_of, say


@click.command(
    cls=Verb,
    exits={
        0: say(
            "With --once: every log continues its last checkpoint. Without --once, the command runs until it is "
            "stopped or a log was rewritten."
        ),
        1: say("A log was rewritten."),
    },
    example="arbiter watch https://arbiter.example.org --state seen.json --key arbiter.vkey",
)
@click.argument("url")
@several(
    "--tournament", "tournaments", "T", "Tournament to watch; may be repeated (default: all, also those seen before)."
)
@click.option(
    "--state",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="File that stores the last checkpoints.",
)
@several("--key", "keys", "FILE", "Public key that verifies checkpoints; may be repeated.")
@click.option("--once", is_flag=True, help="Check once, then exit.")
@click.option(
    "--every", type=click.FloatRange(1.0), default=60.0, show_default=True, help="Seconds between two checks."
)
@click.option("--token", envvar="ARBITER_TOKEN", help="Token for the server (default: ARBITER_TOKEN).")
def watch(
    url: str,
    *,
    tournaments: Sequence[str],
    state: Path,
    keys: Sequence[str],
    once: bool,
    every: float,
    token: str | None,
) -> int:
    """Watch a server and report any rewritten log.

    The last checkpoint of each log on the server at URL is stored. Each new checkpoint must continue it.

    If a log was rewritten, both signed notes are saved next to the state file as evidence that the signer cannot deny.
    Without --key, signatures are not verified: the first checkpoint is trusted, and a change of the signer is not reported.
    """
    with remote(url, token, patience=0.0) as server:
        watched = Watch(server, state, keys)
        while True:
            try:
                names = tournaments or [*_all(server), *watched.seen]
                for t in dict.fromkeys(names):
                    note(watched.look(t))
            except Changed as problem:
                raise Failure(message_of(problem), 1) from None
            except (Failure, ClientError) as problem:
                if once:
                    raise
                note(say("{problem}; trying again", problem=message_of(problem)))
            if once:
                return 0
            time.sleep(every)


def _all(server: Client) -> list[str]:
    """Return the IDs of all tournaments, page by page."""
    ids: list[str] = []
    path: str | None = "/v1/tournaments"
    while path:
        try:
            page = server.get(path).json
            found = [str(one["id"]) for one in page["tournaments"]]
            after = page.get("next")
        except (KeyError, TypeError):
            raise Failure(say("{path}: the response is not a list of tournaments", path=str(path))) from None
        if not found and after:
            raise Failure(say("{path}: the server returned an empty page with a next page", path=str(path)))
        ids += found
        path = str(after) if after else None
    return [quote(t, safe="") for t in ids]
