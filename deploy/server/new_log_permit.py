"""Permits to begin a log, one for each service: files in ``DIR/new``, made with new keys or by ``arbiter keys --new-log``.

A container of a worker is given that folder to write to, for it takes its permit away once the log has begun.
"""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from shared.core.terms import SOURCES, Source, service_of

FOLDER = "new"


@dataclass(frozen=True, slots=True)
class NewLogPermit:
    """That of one service in a data folder, as it is when it is asked."""

    data: Path
    source: Source

    @property
    def path(self) -> Path:
        return self.data / FOLDER / service_of(self.source)

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
    (data / FOLDER).mkdir(mode=0o700, parents=True, exist_ok=True)
    for permit in permits(data):
        permit.path.touch(0o600)
