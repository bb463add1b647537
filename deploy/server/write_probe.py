"""Whether the data folder of an embedded server can be written, for ``/readyz``."""

import os
import threading
import time
from contextlib import suppress
from pathlib import Path

from deploy.server.keys.signing_key import LOG
from shared.core.language.messages import Message, say
from shared.log.port import LogFull, LogUnavailable
from shared.log.sqlite import SqliteLog

ROOM_BYTES = 256 * 1024
"""Free space required to be ready: a few commits of usual size."""
_FRESH_SECONDS = 1.0
_FILE = ".room"


class WriteProbe:
    """Looks at the folder and its database when it is called, at most once per second."""

    def __init__(self, data: Path, log: SqliteLog) -> None:
        self._data, self._log = data, log
        self._lock = threading.Lock()
        self._due, self._answer = 0.0, None  # type: float, Message | None

    def __call__(self) -> Message | None:
        """Return why the server cannot write, or None if it can."""
        with self._lock:
            if time.monotonic() >= self._due:
                self._answer = self._look()
                self._due = time.monotonic() + _FRESH_SECONDS
            return self._answer

    def _look(self) -> Message | None:
        if self._log.damaged:
            path = str(self._data / LOG)
            return say("the database {path} is damaged; `arbiter doctor` reports what to do", path=path)
        try:
            self._take_room()
            if self._log.full:
                self._log.try_commit()
        except LogFull:
            return say("the disk that holds the log is full")
        except LogUnavailable:
            return None  # another process writes now, so the disk has room
        except OSError as problem:
            return say("{folder} cannot be written: {problem}", folder=str(self._data), problem=str(problem.strerror))
        return None

    def _take_room(self) -> None:
        """Write a file of `ROOM_BYTES` and remove it. Raises OSError if the disk is full."""
        path = self._data / _FILE
        try:
            with os.fdopen(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "wb") as file:
                file.write(bytes(ROOM_BYTES))
        finally:
            with suppress(OSError):
                path.unlink()
