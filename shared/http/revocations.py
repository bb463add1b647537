"""Tokens that were taken back before their time: one, or all that a name had.

They stand in ``DIR/token-keys/revoked.json``, beside the keys that every service looks at once a second, so that whoever
knows the keys knows them too, and no restored database brings a token back.
"""

import fcntl
import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import msgspec

from shared.audit import key_files
from shared.audit.key_files import BadKeys

FILE = "revoked.json"
LONGEST_SECONDS = 3650 * 86_400
"""How long a token may be good: one that says more is refused, so that what is revoked can be forgotten after that."""


@dataclass(frozen=True, slots=True)
class Revocation:
    """Of the token ``jti``, or of all that ``name`` had been issued until ``at`` (Unix seconds), of one ``tournament`` where
    it is named. ``by``: who revoked."""

    at: int
    by: str
    jti: str | None = None
    name: str | None = None
    tournament: str | None = None

    def covers(self, jti: str, name: str, tournament: str | None, issued: int) -> bool:
        if self.jti is not None:
            return jti == self.jti
        return name == self.name and issued <= self.at and self.tournament in (None, tournament)


_READER = msgspec.json.Decoder(tuple[Revocation, ...], strict=True)


def read_revocations(folder: Path) -> tuple[Revocation, ...]:
    """Those of a folder of public keys. Raises `BadKeys` for a file that cannot be read: nothing is taken as not revoked."""
    path = folder / FILE
    try:
        return _READER.decode(path.read_bytes())
    except FileNotFoundError:
        return ()
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as problem:
        raise BadKeys(f"{path} cannot be read: {problem}") from None


def revoke(folder: Path, revocation: Revocation) -> None:
    """Add one, and forget those whose tokens have all expired. Raises `BadKeys`, and OSError where nothing may be written."""
    with _alone(folder):
        since = time.time() - LONGEST_SECONDS - 86_400
        kept = [one for one in read_revocations(folder) if one.at >= since]
        rows = [{k: v for k, v in asdict(one).items() if v is not None} for one in (*kept, revocation)]
        key_files.publish(folder / FILE, json.dumps(rows, ensure_ascii=False, indent=1).encode())


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One process at a time."""
    handle = os.open(folder / ".revoked.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
