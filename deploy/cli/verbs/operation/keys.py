"""``arbiter keys``: the keys of tokens, of checkpoints and of services, made where they are not there yet, and changed."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import click

from deploy.cli.terminal.verb import Verb, data_option, note
from deploy.server.data_folder import data_folder, make_keys
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


def _rotate_checkpoint(folder: Path) -> Message:
    from deploy.server.keys.house_signer import rotate

    return say(
        "{key}: it signs checkpoints from now on; former keys stay after it in arbiter.vkey to verify older checkpoints",
        key=str(rotate(folder)),
    )


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
    "--new-log",
    is_flag=True,
    help="Allow the existing keys to sign for another database: a new one, or one from another installation.",
)
@data_option
def keys(rotate: str | None, new_log: bool, data: Path | None) -> None:
    """Create or rotate the keys in a data folder.

    Missing keys are created: the private key of tokens with its public keys for the services, the key of checkpoints,
    and the key of each service.

    After a rotation of the token key, services accept tokens of the new key and of the one before, but not of older
    keys. After a rotation of a service's key or of the checkpoint key, its earlier keys are kept, so that
    older records and checkpoints can be verified.
    """
    from deploy.server.keys import signing_key

    folder = data_folder(data)
    if new_log:
        signing_key.permit(folder)
        signing_key.permit_new_log(folder)
    make_keys(folder)
    told = ROTATIONS[rotate](folder) if rotate else None
    note(say("{folder} has token.key, token-keys/, arbiter.key, arbiter.vkey and keys/", folder=str(folder)))
    if new_log:
        note(
            say(
                "the existing keys may now sign for another database: the next one that a server with "
                "this data folder opens"
            )
        )
    if told:
        note(told)
