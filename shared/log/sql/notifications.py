"""One thread per process that notices new events in the ledger: LISTEN on PostgreSQL, polling on SQLite and on a replica."""

import threading
from collections.abc import Callable

import psycopg
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from shared import structured_log
from shared.log.port import LogUnavailable
from shared.log.sql.worker_state import CHANNEL

_LOOK_SECONDS = 0.02
_LISTEN_SECONDS = 0.1  # the thread stops within this time; psycopg itself wakes as often
_AGAIN_SECONDS = 0.5


class ChangeNotifier:
    """Calls every subscriber after each change, and once after each connection."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._subscribers: list[Callable[[], None]] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="change-notifier", daemon=True)

    def add(self, changed: Callable[[], None]) -> None:
        self._subscribers = [*self._subscribers, changed]

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._stop.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with self._engine.connect() as connection:
                    if self._notifies(connection):
                        self._listen(connection)
                    else:
                        self._look(connection)
            except (LogUnavailable, sa.exc.DBAPIError, psycopg.Error):
                # The database is unavailable. Its readers report that, and this thread only tries again.
                self._stop.wait(_AGAIN_SECONDS)
            except Exception as problem:
                # A subscriber failed. A late notification is better than a process that receives no more of them.
                structured_log.crash("change-notifier", problem)
                self._stop.wait(_AGAIN_SECONDS)

    def _notifies(self, connection: Connection) -> bool:
        """Return whether the database sends notifications. A copy that follows another PostgreSQL does not (hot standby)."""
        if self._engine.dialect.name != "postgresql":
            return False
        return not connection.exec_driver_sql("SELECT pg_is_in_recovery()").scalar_one()

    def _listen(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"LISTEN {CHANNEL}")
        driver = connection.connection.driver_connection
        assert driver is not None
        try:
            self._notify()
            while not self._stop.is_set():
                heard = list(driver.notifies(timeout=_LISTEN_SECONDS, stop_after=1))
                if heard:
                    self._notify()
        finally:
            # It listens, and may be broken in a way the pool does not see, so nobody else may get it.
            connection.invalidate()

    def _look(self, connection: Connection) -> None:
        seen = None
        look = sa.text("SELECT (SELECT coalesce(max(pos), 0) FROM ledger), (SELECT sum(next) FROM positions)")
        while not self._stop.is_set():
            now = tuple(connection.execute(look).one())
            if now != seen:
                seen = now
                self._notify()
            self._stop.wait(_LOOK_SECONDS)

    def _notify(self) -> None:
        for changed in self._subscribers:
            changed()
