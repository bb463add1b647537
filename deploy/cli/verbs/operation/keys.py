"""``arbiter keys``: creates missing keys of tokens, checkpoints and services, and rotates existing ones."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from deploy.cli.terminal.verb import Verb, data_option, note, print_json
from deploy.failure import Failure
from deploy.server.data_folder import data_folder, make_keys
from shared.audit.keys.service_key_files import FOLDER, RECOVERY, RECOVERY_PUBLIC
from shared.core.language.messages import Message, say
from shared.core.terms import SOURCES, Source, service_of


def _rotate_tokens(folder: Path) -> Message:
    from shared.http.identity import tokens

    tokens.rotate(folder)
    return say("tokens of the previous key stay valid until the next rotation; tokens of older keys are rejected")


def _rotate_service(source: Source, folder: Path) -> Message:
    from shared.audit.keys import service_key_files

    return say(
        "{key}: the service announces it in each tournament with its next event there, signed with the previous key;"
        " restart a container first",
        key=str(service_key_files.rotate(folder, source)),
    )


def _rotate_checkpoint(folder: Path, *, stolen: bool = False) -> Message:
    from deploy.server.keys.house_signer import rotate

    key = str(rotate(folder, stolen=stolen))
    if stolen:
        return say(
            "{key}: it signs checkpoints from now on; the stolen key no longer counts. Give arbiter.vkey and arbiter.former"
            " to all auditors and witnesses",
            key=key,
        )
    return say(
        "{key}: it signs checkpoints from now on; former keys stay after it in arbiter.vkey, and arbiter.former lists up to"
        " which size of each log they count",
        key=key,
    )


def _print_recovery(folder: Path, service: str, tournament: str, reason: str, file: Path | None) -> None:
    """Print the body of the request that announces a service's new key, signed by the recovery key. Raises `BadKeys`."""
    from deploy.server.embedded_desk import service_keys
    from deploy.server.keys.house_signer import house_name
    from shared.audit.keys import key_files
    from shared.core.trust.checkpoint_origin import origin
    from shared.signing.recovery import sign_recovery, vouches

    keys = service_keys(folder)
    key = str(keys.own(next(source for source in SOURCES if service_of(source) == service))[0])
    log = origin(tournament, house_name(folder))
    signature = sign_recovery(key_files.read(file or folder / RECOVERY), log, key)
    if not vouches(keys.recovery, log, key, signature):
        raise Failure(
            say(
                "{file} is not the key whose public half is {public}",
                file=str(file or folder / RECOVERY),
                public=str(folder / FOLDER / RECOVERY_PUBLIC),
            )
        )
    print_json({"key": key, "reason": reason, "recovery": signature})


ROTATIONS: dict[str, Callable[[Path], Message]] = {
    "token": _rotate_tokens,
    "checkpoint": _rotate_checkpoint,
    **{service_of(source): partial(_rotate_service, source) for source in SOURCES},
}
"""Key name to a function that gives a folder a new key and reports what happens to the previous one."""


@click.command(cls=Verb, example="arbiter keys --data cup --rotate checkpoint")
@click.option(
    "--rotate",
    is_flag=False,
    flag_value="token",
    type=click.Choice(list(ROTATIONS)),
    help="Key to replace by a new one (without a value: token).",
)
@click.option(
    "--stolen",
    is_flag=True,
    help="With --rotate checkpoint: the former key was stolen, so that nothing it signed counts.",
)
@click.option(
    "--recover",
    type=click.Choice([service_of(source) for source in SOURCES]),
    help="Print the request that announces the new key of a service whose key was lost.",
)
@click.option("--tournament", help="With --recover: the tournament in which the new key is announced.")
@click.option("--reason", help="With --recover: the reason, which the log records.")
@click.option(
    "--recovery-key",
    type=click.Path(path_type=Path),
    help="With --recover: the offline key (default: DIR/recovery.key).",
)
@click.option(
    "--new-log",
    is_flag=True,
    help="Allow the existing keys to sign for another database: a new one, or one from another installation.",
)
@data_option
def keys(
    rotate: str | None, *, stolen: bool, recover: str | None, tournament: str | None, reason: str | None,
    recovery_key: Path | None, new_log: bool, data: Path | None,
) -> None:  # fmt: skip
    """Create or rotate the keys in a data folder.

    Missing keys are created: the private key of tokens with its public keys for the services, the key of checkpoints,
    the key of each service, and the recovery key.

    Every new tournament records the public recovery key. Keep the private one offline: only its signature can replace
    the lost key of a service. --recover prints the signed request that announces the new key. Send it as an organiser
    to POST …/keys, or for pairing to POST …/pairing-key.

    After a rotation of the token key, services accept tokens of the new key and of the one before, but not of older
    keys. After a rotation of a service's key or of the checkpoint key, its earlier keys are kept, so that
    older records and checkpoints can be verified.
    """
    from deploy.server.keys import signing_key

    if stolen and rotate != "checkpoint":
        raise Failure(say("--stolen requires --rotate checkpoint"))
    folder = data_folder(data)
    if recover is not None:
        if not tournament or not reason or rotate or new_log:
            raise Failure(
                say("--recover requires --tournament and --reason, and cannot be combined with --rotate or --new-log")
            )
        _print_recovery(folder, recover, tournament, reason, recovery_key)
        return
    if new_log:
        signing_key.permit(folder)
        signing_key.permit_new_log(folder)
    make_keys(folder)
    told = _rotate_checkpoint(folder, stolen=True) if stolen else ROTATIONS[rotate](folder) if rotate else None
    note(say("{folder} has token.key, token-keys/, arbiter.key, arbiter.vkey and keys/", folder=str(folder)))
    if (folder / RECOVERY).exists():
        note(
            say(
                "{path} replaces the key of a service that is lost: move it to an offline medium, away from the other keys",
                path=str(folder / RECOVERY),
            )
        )
    if new_log:
        note(
            say(
                "the existing keys may now sign for another database: the next one that a server with "
                "this data folder opens"
            )
        )
    if told:
        note(told)
