"""``arbiter compress``: finished tournaments, moved into compressed storage in the same database."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import click

from deploy.cli.client import databases_option, embedded_log, service_logs
from deploy.cli.terminal.verb import Integer, Verb, counted, data_option, note
from deploy.failure import Failure
from deploy.server.data_folder import data_folder
from deploy.server.settings import addresses
from shared.core.language.messages import message_of, say

if TYPE_CHECKING:
    from shared.log.port import Log

_DAYS = 30


@click.command(
    cls=Verb,
    exits={1: say("Compressed events are damaged; the message names the tournament.")},
    example="arbiter compress --data cup",
)
@click.option("--days", type=Integer(0), default=_DAYS, help=f"Days without an event (default: {_DAYS}).")
@click.option("--undo", is_flag=True, help="Move all compressed tournaments back.")
@data_option
@databases_option
def compress(days: int, undo: bool, data: Path | None, databases: Sequence[str]) -> None:
    """Compress finished tournaments to save space.

    A tournament is compressed if its final table is published and it has had no event for some days. It stays in the
    database and is read as before. A new event, such as a ruling on an appeal, is accepted as before.

    The server may run, but every process must be of this version. With --database, each service's copy of the log is
    compressed, and in standings the score sheets too. Before a return to an earlier version, use --undo.
    """
    from deploy.server.rules import RULES
    from shared.desk.cold_storage import compress_finished
    from shared.log.port import DamagedStream

    before = f"{datetime.now(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S.%fZ}"
    with _logs(data_folder(data), databases) as logs:
        try:
            for log in logs:
                if undo:
                    count = log.decompress()
                    note(
                        counted(
                            count,
                            say("1 log or score sheet was moved back"),
                            say("{count} logs and score sheets were moved back", count=count),
                        )
                    )
                else:
                    count = sum(1 for _ in compress_finished(log, RULES, before))
                    note(
                        counted(
                            count,
                            say("1 tournament was compressed"),
                            say("{count} tournaments were compressed", count=count),
                        )
                    )
                if count and log.immediate and not log.shrink():
                    note(
                        say("another process uses the database, so its file was not made smaller; the space is reused")
                    )
        except DamagedStream as problem:
            raise Failure(message_of(problem), 1) from None


@contextmanager
def _logs(folder: Path, databases: Sequence[str]) -> Iterator[Sequence["Log"]]:
    """Yield the logs of the named databases, or else that of the data folder."""
    if addresses(databases):
        with service_logs(databases, (), folder) as logs:
            yield logs
        return
    with embedded_log(folder, say("name another folder with --data, or --database SERVICE=URL")) as log:
        yield (log,)
