"""``arbiter checkpoint``: a signed checkpoint from a data folder or a server."""

from pathlib import Path

import click

from deploy.cli.files.files import read_bytes
from deploy.cli.terminal.verb import Verb, note, source_options, write_bytes
from deploy.failure import Failure
from deploy.server.data_folder import desk_of, folder_unless_server, view_in
from shared.core.language.messages import message_of, say
from shared.core.terms import Role


@click.command(
    cls=Verb,
    exits={1: say("The signer refuses to sign the log or to remember the checkpoint.")},
    example="arbiter checkpoint spring-cup --data cup > spring-cup.checkpoint",
)
@click.argument("tournament")
@source_options
@click.option(
    "--restart",
    is_flag=True,
    help="Sign the log although it does not continue what was signed. The log records this permanently.",
)
@click.option("--reason", help="Reason for --restart.")
@click.option(
    "--remember",
    "known",
    metavar="NOTE",
    help="File with the last known checkpoint, for a signer whose memory is lost.",
)
def checkpoint(
    tournament: str,
    *,
    data: Path | None,
    url: str | None,
    token: str | None,
    restart: bool,
    reason: str | None,
    known: str | None,
) -> int | None:
    """Print a signed checkpoint of a tournament's log.

    The checkpoint (C2SP signed note) covers the log as it is now. The signer remembers what it signed, in signed.db, and
    refuses a log that does not continue it.

    If this memory is lost, pass the last known checkpoint of the log with --remember. From then on, only a log that
    continues this checkpoint is signed.
    """
    folder = folder_unless_server(data, url)
    if restart != bool(reason):
        raise Failure(say("--restart and --reason must be used together"))
    if known is not None:
        if folder is None or restart:
            raise Failure(
                say("--remember requires the data folder with the key; it cannot be combined with --url or --restart")
            )
        return _remember(tournament, folder, known)
    if restart:
        _restart(f"/v1/tournaments/{tournament}/checkpoint/restarts", {"reason": reason}, folder, url, token)
    if folder is None:
        from deploy.cli.client import remote

        with remote(url or "", token) as server:
            write_bytes(server.get(f"/v1/tournaments/{tournament}/checkpoint").content)
        return None
    from shared.desk.log_checkpoint import signed_checkpoint
    from shared.desk.signer_port import NotSigned

    with desk_of(folder) as desk:
        view = view_in(desk, tournament)
        try:
            write_bytes(signed_checkpoint(desk, view).encode())
        except NotSigned as problem:
            raise Failure(message_of(problem), 1) from None
    return None


def _remember(tournament: str, folder: Path, file: str) -> int:
    """Add a checkpoint of this installation to the signer's memory, unless that has one as large."""
    from deploy.server.keys.house_signer import HouseKeys, memory_of
    from shared.audit.checkpoints.checkpoint import BadCheckpoint, parse
    from shared.audit.checkpoints.note import SignedHead

    try:
        known = parse(read_bytes(file).decode())
        if known.origin.rpartition("/")[2] != tournament:
            raise Failure(
                say(
                    "{file} is a checkpoint of {origin}, not of {tournament}",
                    file=file,
                    origin=known.origin,
                    tournament=tournament,
                ),
                1,
            )
        if not HouseKeys(folder).verifies(known):
            raise Failure(say("{file} is not signed with a key of {folder}", file=file, folder=str(folder)), 1)
        memory, head = memory_of(folder), SignedHead(known.size, known.root)
        before = memory.largest_head(known.origin)
        if before is not None and before.size >= head.size:
            raise Failure(
                say(
                    "the signer already remembers a checkpoint of {tournament} of size {size}",
                    size=before.size,
                    tournament=tournament,
                ),
                1,
            )
        if not memory.remember(known.origin, before, head):
            raise Failure(say("another process is signing this log; try again"), 1)
    except (BadCheckpoint, UnicodeDecodeError) as problem:
        raise Failure(say("{file}: {problem}", file=file, problem=message_of(problem))) from None
    note(
        say(
            "the signer now remembers the first {size} events of {tournament}; only a log that continues them is signed",
            size=head.size,
            tournament=tournament,
        )
    )
    return 0


def _restart(path: str, body: dict[str, str | None], folder: Path | None, url: str | None, token: str | None) -> None:
    """Ask a server with the caller's token; in a data folder, act as an official with the role."""
    from deploy.cli.client import local, remote

    if folder is None:
        with remote(url or "", token) as server:
            server.post(path, body)
    elif not folder.is_dir():
        raise Failure(say("folder {folder} does not exist", folder=str(folder)))
    else:
        with local(folder, "house", "auditor") as reader:
            known = reader.get(path.partition("/checkpoint")[0]).json["officials"]
        # An official of this log with the role; in older logs, the role of the token is enough.
        office: tuple[Role, ...] = ("organiser", "chief_arbiter")
        holders = [(name, role) for role in office for name, held in known.items() if role in held]
        with local(folder, *next(iter(holders), ("house", office[0]))) as house:
            house.post(path, body)
