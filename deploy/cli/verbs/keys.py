"""``arbiter keys``: the keys of tokens and checkpoints, made where they are not there yet, and changed."""

from pathlib import Path

import click

from deploy.cli.data_folder import data_folder, make_keys
from deploy.cli.failure import Failure
from deploy.cli.options import data_option
from deploy.cli.output import note


@click.command()
@click.option("--rotate", is_flag=True, help="A new key of tokens; those signed with the one before stay good.")
@click.option(
    "--new-log", is_flag=True, help="Let the keys that are there sign for the next database, be it new or another's."
)
@data_option
def keys(rotate: bool, new_log: bool, data: Path | None) -> None:
    """The keys of a data folder: of tokens (private, and public for the services) and of checkpoints.

    With --rotate, services take tokens of the new key and the one before, and of none older.
    """
    from deploy.server import signing_key
    from shared.audit.key_files import BadKeys
    from shared.http import tokens

    folder = data_folder(data)
    try:
        if new_log:
            signing_key.permit(folder)
        make_keys(folder)
        if rotate:
            tokens.rotate(folder)
    except BadKeys as problem:
        raise Failure(str(problem)) from None
    note(f"{folder}: token.key, token-keys/, arbiter.key and arbiter.vkey")
    if new_log:
        note("the next database that a server of this folder opens is the one that its keys sign for from then on")
    if rotate:
        note("tokens of the key before stay good until the next time; tokens of older ones are refused")
