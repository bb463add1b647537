"""What is the same in every house that a test opens is made once a process: an empty database's schema, a route's address.

The first time it is made by the product's own way, and what came of that is used again. A database that is not empty, and
a folder of migrations of a test's own, go that way each time. The disk is not waited for: that it is, only a machine that
loses its power can tell.
"""

import os
import sqlite3
from collections import defaultdict
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.when_imported import when_imported

_NO_SYNC = "PRAGMA synchronous=OFF"
_OVERWRITES = 1
"""The ``user_version`` of a database that the product has rewritten without its deleted rows."""
_IDLE: defaultdict[tuple[int, int], list[tuple[Any, Any]]] = defaultdict(list)
"""Child processes that compute nothing, with their pipes, by parent and limit of memory."""


def begin() -> None:
    """Begin now, in this process, with each module as soon as it is imported."""
    ignore_disk()
    when_imported("shared.log.sql.migration", _schema)
    when_imported("werkzeug.routing.rules", _addresses)
    when_imported("shared.desk.computations.child_process", _children)


def ignore_disk() -> None:
    """Write in this process, and in those that it forks, without waiting for the disk."""
    os.fsync = lambda fd: None
    when_imported("shared.log.sql.engines", _disk)
    when_imported("shared.audit.checkpoints.signer_memory", _memory)


def _disk(engines: Any) -> None:
    configure = engines._configure

    def as_before(connection: Any, record: Any) -> None:
        connection.execute(_NO_SYNC)  # the change to a WAL is a write as well
        configure(connection, record)
        connection.execute(_NO_SYNC)

    engines._configure = as_before


def _memory(signer_memory: Any) -> None:
    """Write the signer's tables, a file of each app, without a wait."""

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
            return super().execute(_NO_SYNC if sql == "PRAGMA synchronous=FULL" else sql, *parameters)

    signer_memory.sqlite3 = SimpleNamespace(**vars(sqlite3) | {"connect": partial(sqlite3.connect, factory=Connection)})


def _schema(migration: Any) -> None:
    """An empty SQLite database is given the statements that the migrations led to the first time.

    It holds nothing that an earlier version had only marked as deleted.
    """
    upgrade: Any = migration._upgrade
    statements: list[str] = []

    def as_before(connection: Any, folder: Path, contract: bool) -> None:
        raw = connection.connection.driver_connection
        if folder != migration.MIGRATIONS or not isinstance(raw, sqlite3.Connection) or _tables(raw):
            upgrade(connection, folder, contract)
            return
        if not statements:
            upgrade(connection, folder, contract)
            statements.extend(s for s in raw.iterdump() if s not in ("BEGIN TRANSACTION;", "COMMIT;"))
        else:
            for statement in (*statements, f"PRAGMA user_version={_OVERWRITES}"):
                raw.execute(statement)

    migration._upgrade = as_before


def _tables(raw: sqlite3.Connection) -> int:
    found: int = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    return found


def _addresses(rules: Any) -> None:
    """Werkzeug reads each route of each app again, and compiles a function for it that builds its address from its path alone."""
    compiled: dict[tuple[str, bool], Any] = {}
    compile = rules.Rule.compile

    def as_before(rule: Any) -> None:
        key = rule.rule, rule.merge_slashes
        own = rule.defaults or rule.host or rule.subdomain
        model = None if own else compiled.get(key)
        if model is not None:
            rule._parts, rule._trace, rule._converters = model._parts, model._trace, model._converters
            rule.arguments |= model.arguments
            rule._build = model._build.__func__.__get__(rule, None)
            rule._build_unknown = model._build_unknown.__func__.__get__(rule, None)
            return
        compile(rule)
        if not own:
            compiled[key] = rule

    rules.Rule.compile = as_before


def forget_children() -> None:
    """Have the next app start a child process of its own, which takes its time."""
    for waiting in _IDLE.values():
        while waiting:
            process, pipe = waiting.pop()
            process.kill()
            process.join()
            pipe.close()


def _children(child_process: Any) -> None:
    """Give the child process of an app that ends to the next app: to start one is to import the whole product in it.

    One that is computing is ended with its app, and so is one without the limit of memory that every app sets. None yields to
    other processes, which here are other tests: the one that waits for its result would wait for those, too.
    """
    owner = child_process.ChildProcess
    start, end = owner._start, owner.end

    def waiting_for(self: Any) -> list[tuple[Any, Any]]:
        return _IDLE[os.getpid(), self._memory]

    def started(self: Any) -> Any:
        self._nice = 0
        waiting = waiting_for(self)
        while waiting and not self._ended:
            process, pipe = waiting.pop()
            if process.is_alive():
                self._process, self._pipe = process, pipe
                return pipe
        return start(self)

    def ended(self: Any) -> None:
        if self._memory and self._pipe is not None and self._turn.acquire(blocking=False):
            try:
                waiting_for(self).append((self._process, self._pipe))
                self._process = self._pipe = None
            finally:
                self._turn.release()
        end(self)

    owner._start, owner.end = started, ended
