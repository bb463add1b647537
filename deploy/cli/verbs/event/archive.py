"""``arbiter archive``: the whole of an event as one file, to a stick."""

import re
from pathlib import Path

import click

from deploy.cli.client import reading
from deploy.cli.terminal.verb import Verb, note, source_options
from deploy.failure import Failure
from deploy.whole_files import write_whole
from shared.client import Answer
from shared.core.language.messages import say

_NAMED = re.compile(r'filename="([\w.-]+)"')


@click.command(cls=Verb, example="arbiter archive spring-cup --data cup --to /media/stick")
@click.argument("tournament")
@source_options
@click.option(
    "--to", type=click.Path(path_type=Path), default=Path(), metavar="PATH",
    help="Folder, such as a USB stick, or name of a new file (default: the current folder).",
)  # fmt: skip
def archive(tournament: str, data: Path | None, url: str | None, token: str | None, to: Path) -> None:
    """Save a whole tournament as one ZIP file.

    The file contains the log, the score sheets, the names and notes that the caller may read, a signed checkpoint, the
    public keys and the tables. Its name contains the number of the last event. `arbiter verify` accepts the file as it
    is. An existing file with other content is not replaced.
    """
    with reading(data, url, token, "archive") as client:
        answer = client.get(f"/v1/tournaments/{tournament}/archive")
    file = to / _name(answer, tournament) if to.is_dir() else to
    _write(file, answer.content)
    note(
        say(
            "{file}: {count} bytes were written to disk. Run `arbiter verify {file}` to audit the archive.",
            file=str(file),
            count=len(answer.content),
        )
    )


def _name(answer: Answer, tournament: str) -> str:
    named = _NAMED.search(answer.headers.get("content-disposition", ""))
    return named[1] if named else f"{tournament}.zip"


def _write(file: Path, content: bytes) -> None:
    """Write the archive whole or not at all, readable by its owner only: it may contain names and notes.

    The same archive may exist already. Raises `Failure` for another file of this name, or if it cannot be written.
    """
    try:
        if file.exists():
            if file.read_bytes() != content:
                raise Failure(say("{file}: a different file of this name exists; it was not replaced", file=str(file)))
            return
        write_whole(file, content, 0o600)
    except OSError as problem:
        raise Failure(
            say(
                "{file}: cannot be written ({problem}); the incomplete file was removed",
                file=str(file),
                problem=str(problem.strerror),
            )
        ) from None
