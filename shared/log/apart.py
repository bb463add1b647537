"""One service's side of the distributed log, on its own SQL database (PostgreSQL or SQLite)."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

from shared.log.broker import Broker
from shared.log.port import Row
from shared.terms import Source


class ApartLog:
    """``url`` is SQLAlchemy's (``postgresql+psycopg://…`` or ``sqlite:///…``).

    A web process gives ``broker`` so that it can ask for the log's end; the worker's relay and
    follower have their own clients. Nothing is connected before its first use (make it after a fork).
    """

    immediate = False

    def __init__(self, url: str, source: Source, broker: Broker | None = None) -> None:
        self.sources: tuple[Source, ...] = (source,)
        raise NotImplementedError

    def transaction(self, streams: Sequence[str] = ()) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def tail(self, after: int, limit: int | None = None) -> list[Row]:
        raise NotImplementedError

    def lines(self, stream: str, after: int = 0, upto: int | None = None) -> list[Row]:
        raise NotImplementedError

    def unready(self) -> str | None:
        """Why no command is taken (the worker was not seen at the topics' end, or it has halted); None: ready."""
        raise NotImplementedError

    def watch(self, changed: Callable[[], None]) -> None:
        """Call ``changed`` (in a thread of this log) whenever the ledger may have new lines."""

    def catch_up(self, timeout: float) -> bool:
        raise NotImplementedError

    def lag(self) -> int | None:
        """Records of the topics that this service's follower has not read yet; None where Kafka does not answer."""
        raise NotImplementedError

    def waiting(self) -> tuple[int, float]:
        """Records in the outbox, and the age of the oldest in seconds."""
        raise NotImplementedError

    def parked(self) -> dict[str, str]:
        """Stopped tournaments (stream → why), those resumed left out."""
        raise NotImplementedError

    def resume(self, stream: str) -> bool:
        """Go on past the fork or root mismatch at which a tournament stopped; False where nothing is stopped."""
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError
