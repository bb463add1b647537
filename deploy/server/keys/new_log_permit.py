"""Permits to begin a log: ``DIR/new/<service>/permit``, made with new keys or by ``arbiter keys --new-log``.

A worker takes its own away once the log has begun, so its container is given its own folder to write to, and no other's.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shared.core.terms import SOURCES, Source, service_of

FOLDER, _FILE = "new", "permit"


@dataclass(frozen=True, slots=True)
class NewLogPermit:
    """That of one service in a data folder, as it is when it is asked."""

    data: Path
    source: Source

    @property
    def path(self) -> Path:
        return self.data / FOLDER / service_of(self.source) / _FILE

    def given(self) -> bool:
        return self.path.exists()

    def spend(self) -> None:
        """One that is not there is spent; one that cannot be taken away stays, and lets the service begin again."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


def permits(data: Path, sources: Iterable[Source] = SOURCES) -> list[NewLogPermit]:
    """Those of all services."""
    return [NewLogPermit(data, source) for source in sources]


def give(data: Path) -> None:
    """Let every service begin a log with the keys of this folder."""
    for permit in permits(data):
        permit.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        permit.path.touch(0o600)
