"""Ed25519 private keys in files: created once, readable only by their owner."""

import os
import threading
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from shared.core.language.messages import message_of, say

_BEGIN = b"-----BEGIN "


class BadKeys(Exception):
    """Keys that cannot be used, with the reason."""


def make(path: Path, *, replace: bool = False, behind: bytes = b"") -> None:
    """Write a new private key (PEM, mode 0600), followed by the older keys in ``behind``.

    Without ``replace``, an existing file stays. If several processes run this at once, one creates the key, and the others find
    the complete file.
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
    """Return the first key of a file. Raises `BadKeys` if the file is missing or contains anything but Ed25519 private keys."""
    return read_all(path)[0]


def read_all(path: Path) -> list[Ed25519PrivateKey]:
    """Return the keys of a file, one or more, in order. Raises `BadKeys` like `read`."""
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
    ed25519_keys = [key for key in keys if isinstance(key, Ed25519PrivateKey)]
    if len(ed25519_keys) < len(keys):
        raise BadKeys(say("{path} is not an Ed25519 key", path=str(path)))
    return ed25519_keys


def publish(path: Path, content: bytes) -> None:
    """Write a public file atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = _temporary(path)
    fresh.write_bytes(content)
    fresh.rename(path)


def _temporary(path: Path) -> Path:
    """Return a name next to ``path`` that no other process or thread uses."""
    return path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
