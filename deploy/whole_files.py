"""Files that are written whole or not at all, and locks of files."""

import fcntl
import os
from pathlib import Path
from typing import IO


def write_whole(path: Path, content: bytes, mode: int | None = None) -> None:
    """Replace a file by one with this content, and with this ``mode`` if one is named; another reader sees either file whole.

    Raises `OSError`, and leaves nothing behind then.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    try:
        created = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666 if mode is None else 0o600)
        with os.fdopen(created, "wb") as file:
            if mode is not None:
                os.fchmod(created, mode)
            file.write(content)
            file.flush()
            os.fsync(created)
        fresh.replace(path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def take_lock(file: IO[str]) -> bool:
    """Return whether this process now has the lock of a file, which it keeps until it closes the file or ends."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
