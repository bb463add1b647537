"""A data folder: its keys, who may read it, and room for the log."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from deploy.cli.doctor.finding import Finding
from deploy.server.old_revocations import FILE, read_old
from deploy.server.signing_key import KEY, LOG, PUBLIC, public_keys
from shared.audit.key_files import BadKeys
from shared.http.tokens import Keyring
from shared.log.sql.engines import files_of

_FREE_BYTES = 1 << 30
_FREE_FILES = 1000
_OTHERS_READ, _OTHERS_WRITE = 0o077, 0o022


def look_at_folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        yield Finding("data folder", f"{folder} is not there", f"arbiter keys --data {folder}")
        return
    yield from _token_keys(folder)
    yield from _signing_key(folder)
    yield from _modes(folder)
    yield from _room(folder)


def _token_keys(folder: Path) -> Iterator[Finding]:
    try:
        Keyring(folder / "token-keys")
        count = len(list((folder / "token-keys").glob("*.pem")))
        yield Finding("keys of tokens", f"{count} count", "" if count else f"arbiter keys --data {folder}")
        if (folder / FILE).exists():
            why = f"{folder / FILE} holds {len(read_old(folder))} revocations of an earlier version, not taken over yet"
            yield Finding(
                "revoked tokens", why, f"start the server (pairing, where services are apart), then rm {folder / FILE}"
            )
    except BadKeys as problem:
        yield Finding("keys of tokens", str(problem), _mends_keys(folder, problem))


def _mends_keys(folder: Path, problem: BadKeys) -> str:
    if str(folder / FILE) in str(problem):
        return f"put {folder / FILE} back from the backup of the keys"
    return "leave at most two public keys in token-keys/"


def _signing_key(folder: Path) -> Iterator[Finding]:
    """The public half of the key of checkpoints is what auditors are given: it must be that of the private one."""
    public = folder / PUBLIC
    try:
        keys = public_keys(folder)
    except BadKeys as problem:
        yield Finding("key of checkpoints", str(problem), f"put back {folder / KEY} from the backup of the keys")
        return
    if not keys:
        return
    if keys[0] in keys[1:]:
        yield Finding("key of checkpoints", "there, with its public half")
    else:
        why = f"{public} is not the public half of {folder / KEY}"
        yield Finding("key of checkpoints", why, f"rm -f {public} && arbiter keys --data {folder}")


def _modes(folder: Path) -> Iterator[Finding]:
    secrets = [*folder.glob("*.key"), *folder.glob("keys/*.key"), *folder.glob("*.db"), *files_of(folder / LOG)]
    for path in sorted(set(secrets)):
        if path.exists() and path.stat().st_mode & _OTHERS_READ:
            yield Finding(str(path.relative_to(folder)), "others may read it", f"chmod 600 {path}")
    # A folder of keys alone is read by the services of others; where the log lies, nobody else looks.
    if folder.stat().st_mode & (_OTHERS_READ if (folder / LOG).exists() else _OTHERS_WRITE):
        yield Finding("data folder", f"others may enter {folder}", f"chmod 700 {folder}")


def _room(folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    yield Finding("disk", f"{free >> 20} MiB free", "" if free >= _FREE_BYTES else "make room: below 1 GiB")
    system = os.statvfs(folder)
    if system.f_files and system.f_favail < _FREE_FILES:
        yield Finding("disk", f"room for {system.f_favail} more files", "remove files: the file system counts them")
