"""``arbiter token``: bearer tokens, issued and revoked."""

import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from deploy.cli.client import databases_option, pairing_log, remote
from deploy.cli.terminal.verb import Integer, Verb, data_option, note, show
from deploy.failure import Failure
from deploy.server.data_folder import data_folder
from shared.core.language.messages import message_of, say
from shared.core.readings.token_boards import Boards, parse_boards
from shared.core.terms import ROLES, Role

if TYPE_CHECKING:
    from shared.client import Client


@click.command(
    cls=Verb,
    exits={1: say("The server refuses to revoke the token.")},
    example="arbiter token --role chief_arbiter --name li.wei --data cup",
)
@click.option("--role", type=click.Choice(ROLES), help="Role of the holder.")
@click.option("--name", help="Login name of the holder; every event that they cause records it.")
@click.option(
    "--tournament", default=None, help="Limit the token to this tournament; with --revoke-name: revoke only its tokens."
)
@click.option(
    "--boards", metavar="A-B", help="Limit an arbiter's token to results, arrivals and fouls at these boards."
)
@click.option("--days", default=30, show_default=True, type=Integer(1, 3650), help="Lifetime in days.")
@click.option("--new", is_flag=True, help="Create the keys if the data folder does not have them yet.")
@click.option("--revoke", metavar="JTI", help="Revoke the token with this ID (the tokenid of events).")
@click.option("--revoke-name", metavar="NAME", help="Revoke all tokens issued to this name so far.")
@click.option("--url", help="URL of a running server, instead of a data folder (with --revoke or --revoke-name).")
@click.option(
    "--token", "bearer", envvar="ARBITER_TOKEN", help="Token of an organiser for --url (default: ARBITER_TOKEN)."
)
@data_option
@databases_option
def token(
    role: str | None, name: str | None, *, tournament: str | None, boards: str | None, days: int, new: bool,
    revoke: str | None, revoke_name: str | None,
    url: str | None, bearer: str | None, data: Path | None, databases: Sequence[str],
) -> None:  # fmt: skip
    """Issue or revoke bearer tokens.

    A new token is signed and printed on standard output. A token can be revoked before it expires.
    """
    if revoke is not None or revoke_name is not None:
        if role or name or boards or (revoke is not None and revoke_name is not None):
            raise Failure(say("use either --revoke or --revoke-name, without --role, --name and --boards"))
        if url is not None and data is not None:
            raise Failure(say("--data and --url cannot be used together"))
        if url is not None:
            with remote(url, bearer) as server:
                _revoke_there(server, revoke, revoke_name, tournament)
        else:
            _revoke_here(data_folder(data), databases, revoke, revoke_name, tournament)
        return
    if role is None or name is None:
        raise Failure(say("a token requires --role and --name"))
    if url is not None:
        raise Failure(
            say("a token is issued in the data folder with the keys; --url requires --revoke or --revoke-name")
        )
    folder = data_folder(data)
    if not new and not (folder / "token.key").exists():
        raise Failure(
            say(
                "{key} does not exist: start the server in this folder first, name its folder with --data, or create keys"
                " with --new",
                key=str(folder / "token.key"),
            )
        )
    if tournament is not None:
        _require_tournament(folder, tournament)
    _issue(folder, cast(Role, role), name, tournament, days, boards_option_value(boards))


def _require_tournament(folder: Path, tournament: str) -> None:
    """Raise `Failure` if the data folder has a log without this tournament."""
    from deploy.server.keys.signing_key import LOG
    from shared.log.sqlite import SqliteLog

    if not (folder / LOG).exists():
        return  # the keys of separate services
    stream = f"tournaments/{tournament}"
    with closing(SqliteLog(folder / LOG, readonly=True)) as log:
        if stream not in log.ends(stream):
            raise Failure(
                say(
                    "tournament {tournament} does not exist in {folder}: create it first, or correct --tournament",
                    tournament=repr(tournament),
                    folder=str(folder),
                )
            )


def boards_option_value(text: str | None) -> Boards | None:
    """Return the boards in an option such as ``5-8`` or ``5``, or None without one. Raises `Failure` for any other text."""
    if text is None:
        return None
    boards = parse_boards(text)
    if boards is None:
        raise Failure(say("--boards {text} is not a range of boards such as 5-8", text=repr(text)))
    return boards


def _issue(folder: Path, role: Role, name: str, tournament: str | None, days: int, boards: Boards | None) -> None:
    from shared.http.identity.tokens import ensure_keys, issue

    try:
        ensure_keys(folder)
        show(issue(folder, role, name, tournament, days, boards=boards))
    except ValueError as problem:
        raise Failure(message_of(problem)) from None


def _revoke_here(
    folder: Path, databases: Sequence[str], jti: str | None, name: str | None, tournament: str | None
) -> None:
    """Revoke tokens with the log and pairing's key: both are in the data folder or named."""
    from deploy.server.keys.kept_revocations import keeper
    from shared.core.language.handles import InvalidLoginName, login_name
    from shared.core.trust.token_revocations import Revocation
    from shared.desk.keys.revocations import Revocations
    from shared.log.distributed import DistributedLog

    try:
        called = None if name is None else login_name(name)
        revocation = Revocation(int(time.time()), "operator", jti, called, tournament if called else None)
        if why := revocation.invalid_reason():
            raise Failure(say("nothing was revoked: {why}", why=why))
        with pairing_log(folder, databases) as (log, keys):
            keep = () if isinstance(log, DistributedLog) else (keeper(folder, log, keys),)
            Revocations(log, keys, *keep).revoke(revocation)
    except InvalidLoginName as problem:
        raise Failure(
            say("invalid login name {name}: {problem}", name=repr(name), problem=message_of(problem))
        ) from None
    _tell(jti, called, tournament)


def _revoke_there(server: "Client", jti: str | None, name: str | None, tournament: str | None) -> None:
    if tournament is not None:
        raise Failure(say("--tournament cannot be used with --url: the organiser's token determines the tournament"))
    if jti is not None:
        answer = server.delete(f"/v1/tokens/{jti}")
    else:
        answer = server.post("/v1/tokens/revocations", {"name": name})
    _tell(jti, name, answer.json.get("tournament"))


def _tell(jti: str | None, name: str | None, tournament: str | None) -> None:
    if jti is not None:
        note(say("the token {jti} was revoked; every service rejects it within seconds", jti=jti))
    elif tournament:
        note(
            say(
                "all tokens of {tournament} issued to {name} so far were revoked; every service rejects them within seconds",
                tournament=tournament,
                name=str(name),
            )
        )
    else:
        note(
            say(
                "all tokens issued to {name} so far were revoked; every service rejects them within seconds",
                name=str(name),
            )
        )
