"""A data folder: its keys, who may read it, and room for the log."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from deploy.cli.doctor.finding import Finding
from deploy.cli.terminal.counts import counted
from deploy.server.keys.old_revocations import FILE, read_old
from deploy.server.keys.signing_key import KEY, LOG, PUBLIC, public_keys
from shared.audit.keys.key_files import BadKeys
from shared.core.language.messages import Message, message_of, say
from shared.http.identity.tokens import Keyring
from shared.log.sql.engines import files_of

_FREE_BYTES = 1 << 30
_FREE_FILES = 1000  # a file system may be full of files while it has bytes left
_OTHERS_READ, _OTHERS_WRITE = 0o077, 0o022


def look_at_folder(folder: Path) -> Iterator[Finding]:
    if not folder.is_dir():
        yield Finding(say("data folder"), say("{folder} does not exist", folder=str(folder)), _make(folder))
        return
    yield from _token_keys(folder)
    yield from _signing_key(folder)
    yield from _modes(folder)
    yield from _room(folder)


def _token_keys(folder: Path) -> Iterator[Finding]:
    try:
        Keyring(folder / "token-keys")
        count = len(list((folder / "token-keys").glob("*.pem")))
        yield Finding(
            say("keys of tokens"),
            counted(count, say("1 key is in force"), say("{count} keys are in force", count=count)),
            None if count else _make(folder),
        )
        if (folder / FILE).exists():
            path, old = str(folder / FILE), len(read_old(folder))
            why = counted(
                old,
                say("{path} has 1 revocation of an earlier version, not imported yet", path=path),
                say("{path} has {count} revocations of an earlier version, not imported yet", path=path, count=old),
            )
            yield Finding(
                say("revoked tokens"),
                why,
                say(
                    "start the server (the pairing service, if services run separately), then remove {path}",
                    path=str(folder / FILE),
                ),
            )
    except BadKeys as problem:
        yield Finding(say("keys of tokens"), message_of(problem), _mends_keys(folder, problem))


def _mends_keys(folder: Path, problem: BadKeys) -> Message:
    if str(folder / FILE) in str(problem):
        return say("restore {path} from the backup of the keys", path=str(folder / FILE))
    return say("leave at most two public keys in token-keys/")


def _signing_key(folder: Path) -> Iterator[Finding]:
    """The public half of the key of checkpoints is what auditors are given: it must be that of the private one."""
    public = folder / PUBLIC
    try:
        keys = public_keys(folder)
    except BadKeys as problem:
        yield Finding(
            say("key of checkpoints"),
            message_of(problem),
            say("restore {path} from the backup of the keys", path=str(folder / KEY)),
        )
        return
    if not keys:
        return
    if keys[0] in keys[1:]:
        yield Finding(say("key of checkpoints"), say("the key and its public key exist"))
    else:
        why = say("{path} is not the public key of {key}", path=str(public), key=str(folder / KEY))
        yield Finding(say("key of checkpoints"), why, _command(f"rm -f {public} && arbiter keys --data {folder}"))


def _modes(folder: Path) -> Iterator[Finding]:
    secrets = [*folder.glob("*.key"), *folder.glob("keys/*.key"), *folder.glob("*.db"), *files_of(folder / LOG)]
    for path in sorted(set(secrets)):
        if path.exists() and path.stat().st_mode & _OTHERS_READ:
            yield Finding(
                say("{path}", path=str(path.relative_to(folder))),
                say("other users can read it"),
                _command(f"chmod 600 {path}"),
            )
    # A folder of keys alone is read by the services of others; where the log lies, nobody else looks.
    if folder.stat().st_mode & (_OTHERS_READ if (folder / LOG).exists() else _OTHERS_WRITE):
        yield Finding(
            say("data folder"),
            say("other users can open {folder}", folder=str(folder)),
            _command(f"chmod 700 {folder}"),
        )


def _room(folder: Path) -> Iterator[Finding]:
    free = shutil.disk_usage(folder).free
    yield Finding(
        say("disk"),
        say("{number} MiB are free", number=free >> 20),
        None if free >= _FREE_BYTES else say("free disk space: less than 1 GiB is left"),
    )
    system = os.statvfs(folder)
    if system.f_files and system.f_favail < _FREE_FILES:
        yield Finding(
            say("disk"),
            counted(
                system.f_favail,
                say("1 more file can be created"),
                say("{count} more files can be created", count=system.f_favail),
            ),
            say("remove files: the file system limits their number"),
        )


def _command(line: str) -> Message:
    return say("{command}", command=line)


def _make(folder: Path) -> Message:
    return _command(f"arbiter keys --data {folder}")
