"""``arbiter keys``: the keys of tokens and checkpoints, made where they are not there yet, and changed."""

from pathlib import Path

import click

from deploy.cli.common import Failure, data_option, told

DATA = Path("data")


def make_keys(folder: Path) -> None:
    """Raises `keyfiles.BadKeys` for keys that are there and cannot be used."""
    from deploy.server.embedded import signer
    from shared.http.tokens import Keyring, ensure_keys

    ensure_keys(folder)
    Keyring(folder / "token-keys")
    signer(folder)


@click.command()
@click.option("--rotate", is_flag=True, help="A new key of tokens; those signed with the one before stay good.")
@data_option
def keys(rotate: bool, data: Path | None) -> None:
    """The keys of a data folder: of tokens (private, and public for the services) and of checkpoints.

    With --rotate, services take tokens of the new key and the one before, and of none older.
    """
    from shared.audit.key_files import BadKeys
    from shared.http import tokens

    folder = data or DATA
    try:
        make_keys(folder)
        if rotate:
            tokens.rotate(folder)
    except BadKeys as problem:
        raise Failure(str(problem)) from None
    told(f"{folder}: token.key, token-keys/, arbiter.key and arbiter.vkey")
    if rotate:
        told("tokens of the key before stay good until the next time; tokens of older ones are refused")
