"""Ed25519 private keys in files: made once, readable by their owner only."""

import os
import threading
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.core.language.messages import message_of, say

_BEGIN = b"-----BEGIN "


class BadKeys(Exception):
    """Keys that cannot be used; says why."""


def make(path: Path, *, replace: bool = False, behind: bytes = b"") -> None:
    """Write a new private key (PEM, mode 0600), and ``behind`` it older ones; without ``replace`` one that is there stays.

    Of several processes at once one makes the key, and the others find it whole.
    """
    if path.exists() and not replace:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    fresh = _temporary(path)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(pem + behind)
        file.flush()
        os.fsync(file.fileno())
    if replace:
        fresh.rename(path)
        return
    try:
        path.hardlink_to(fresh)
    except FileExistsError:
        pass  # another process was first: its key counts
    finally:
        fresh.unlink()


def read(path: Path) -> Ed25519PrivateKey:
    """The first key of a file. Raises `BadKeys` where the file is missing or holds what is no Ed25519 private key."""
    return read_all(path)[0]


def read_all(path: Path) -> list[Ed25519PrivateKey]:
    """The keys of a file, one or more, in their order. Raises `BadKeys` as `read`."""
    try:
        content = path.read_bytes()
        pems = [_BEGIN + pem for pem in content.split(_BEGIN)[1:]] or [content]
        keys = [serialization.load_pem_private_key(pem, None) for pem in pems]
    except FileNotFoundError:
        raise BadKeys(say("{path} does not exist", path=str(path))) from None
    except (ValueError, TypeError, OSError) as problem:
        raise BadKeys(
            say("{path} is not a private key: {problem}", path=str(path), problem=message_of(problem))
        ) from None
    found = [key for key in keys if isinstance(key, Ed25519PrivateKey)]
    if len(found) < len(keys):
        raise BadKeys(say("{path} is not an Ed25519 key", path=str(path)))
    return found


def publish(path: Path, content: bytes) -> None:
    """Put a public file where readers find it whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = _temporary(path)
    fresh.write_bytes(content)
    fresh.rename(path)


def _temporary(path: Path) -> Path:
    """A name next to ``path`` that no other process or thread writes."""
    return path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
