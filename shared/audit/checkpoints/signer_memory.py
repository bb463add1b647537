"""The memory of a checkpoint signer: one SQLite file next to its key, which no backup restores.

For each origin it contains the largest tree head ever signed, on disk before the note leaves, and the results of witnesses.
All processes that sign with the key share the file.
"""

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

from shared.audit.checkpoints.note import CosignedNote, SignedHead
from shared.core.language.messages import Message, message_of, say
from shared.core.language.stored_messages import message_from, message_to_text

FILE = "signed.db"
_RECENT_SECONDS = 60.0
_WAIT_SECONDS = 5.0  # another process may be writing: SQLite has one writer
_TABLES = """
CREATE TABLE IF NOT EXISTS signed
    (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL)
    STRICT;
CREATE TABLE IF NOT EXISTS refused (origin TEXT PRIMARY KEY, why TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS cosigned (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, note TEXT NOT NULL, at REAL NOT NULL)
    STRICT;
CREATE TABLE IF NOT EXISTS asked (origin TEXT NOT NULL, witness TEXT NOT NULL, size INTEGER NOT NULL,
    PRIMARY KEY (origin, witness)) STRICT;
CREATE TABLE IF NOT EXISTS witnesses (name TEXT PRIMARY KEY, trouble TEXT NOT NULL, at REAL NOT NULL) STRICT;
"""


_DAMAGED = {"SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR"}
"""SQLite's error codes for damaged contents. The other codes are about permissions and locks."""


class MemoryLost(Exception):
    """The signer's file cannot be read or written, with the reason. ``damaged``: True if its contents are the cause."""

    def __init__(self, why: Message, damaged: bool) -> None:
        super().__init__(why)
        self.damaged = damaged


class SignerMemory:
    """The memory in the file ``path``, which is created (0600) if it is missing. Each call is one transaction.

    ``readonly``: nothing is created or changed. Every call raises `MemoryLost` if the file cannot be used.
    """

    def __init__(self, path: Path, *, readonly: bool = False) -> None:
        self.path, self._readonly = path, readonly

    # ------------------------------------------------------------ what was signed

    def largest_head(self, origin: str) -> SignedHead | None:
        """Return the largest tree head that was signed, or None."""
        with self._open() as db:
            row = db.execute("SELECT size, root FROM signed WHERE origin = ?", (origin,)).fetchone()
        return None if row is None else SignedHead(*row)

    def heads(self) -> Mapping[str, SignedHead]:
        """Return the largest tree head that was signed, for each origin."""
        with self._open() as db:
            rows = db.execute("SELECT origin, size, root FROM signed ORDER BY origin").fetchall()
        return {origin: SignedHead(size, root) for origin, size, root in rows}

    def remember(self, origin: str, before: SignedHead | None, head: SignedHead) -> bool:
        """Replace a log's stored tree head ``before`` (None: no head) by ``head``, and delete a refusal of this log.

        Return False without a change if a different head is stored now. The change is on disk when the method returns.
        """
        with self._open() as db:
            db.execute("BEGIN IMMEDIATE")
            row = db.execute("SELECT size, root FROM signed WHERE origin = ?", (origin,)).fetchone()
            if (None if row is None else SignedHead(*row)) != before:
                return False
            db.execute("INSERT OR REPLACE INTO signed VALUES (?, ?, ?)", (origin, *head))
            db.execute("DELETE FROM refused WHERE origin = ?", (origin,))
            db.execute("COMMIT")
        return True

    def refuse(self, origin: str, why: Message) -> None:
        """Store that the log ``origin`` was not signed, and why."""
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO refused VALUES (?, ?)", (origin, message_to_text(why)))

    def clear_refusal(self, origin: str) -> None:
        """Delete the stored refusal of the log ``origin``, which turned out to continue the log signed before."""
        if origin in self.refusals():
            with self._open() as db:
                db.execute("DELETE FROM refused WHERE origin = ?", (origin,))

    def refusals(self) -> Mapping[str, Message]:
        """Return the logs, by origin, whose last request for a checkpoint was refused, with the reason."""
        with self._open() as db:
            rows = db.execute("SELECT origin, why FROM refused ORDER BY origin").fetchall()
        return {origin: message_from(why) for origin, why in rows}

    # ------------------------------------------------------------ what witnesses made of it

    def cosigned(self, origin: str) -> CosignedNote | None:
        """Return the last note that a witness cosigned, or None.

        None also if the file cannot be used: the note is only shown, never required.
        """
        try:
            with self._open() as db:
                row = db.execute("SELECT size, note, at FROM cosigned WHERE origin = ?", (origin,)).fetchone()
        except MemoryLost:
            return None
        return None if row is None else CosignedNote(row[0], row[1], time.time() - row[2] <= _RECENT_SECONDS)

    def keep_cosigned(self, origin: str, size: int, note: str) -> None:
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO cosigned VALUES (?, ?, ?, ?)", (origin, size, note, time.time()))

    def last_cosigned_size(self, origin: str, witness: str) -> int:
        """Return the size of the log in the last checkpoint that a witness is known to have cosigned, or 0."""
        with self._open() as db:
            row = db.execute("SELECT size FROM asked WHERE origin = ? AND witness = ?", (origin, witness)).fetchone()
        return 0 if row is None else int(row[0])

    def store_cosigned_size(self, origin: str, witness: str, size: int) -> None:
        with self._open() as db:
            db.execute("INSERT OR REPLACE INTO asked VALUES (?, ?, ?)", (origin, witness, size))

    def store_answer(self, witness: str, trouble: Message | None = None) -> None:
        """Store that a witness cosigned (``trouble`` None), or why it did not."""
        with self._open() as db:
            db.execute(
                "INSERT OR REPLACE INTO witnesses VALUES (?, ?, ?)",
                (witness, message_to_text(trouble) if trouble else "", time.time()),
            )

    def witnesses(self) -> Mapping[str, Message | None]:
        """Return each requested witness with the reason why it did not cosign last time (None: it did)."""
        with self._open() as db:
            rows = db.execute("SELECT name, trouble FROM witnesses ORDER BY name").fetchall()
        return {name: message_from(trouble) if trouble else None for name, trouble in rows}

    # ------------------------------------------------------------ the file

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(self._reading() if self._readonly else self._writing()) as db:
                yield db
        except (sqlite3.Error, OSError) as problem:
            damaged = getattr(problem, "sqlite_errorname", "") in _DAMAGED
            raise MemoryLost(
                say(
                    "the signer's memory {path} cannot be used: {problem}",
                    path=str(self.path),
                    problem=message_of(problem),
                ),
                damaged,
            ) from None

    def _reading(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{quote(str(self.path))}?mode=ro", timeout=_WAIT_SECONDS, uri=True)

    def _writing(self) -> sqlite3.Connection:
        if not self.path.exists():
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        db = sqlite3.connect(self.path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            db.execute("PRAGMA synchronous=FULL")
            if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
                db.executescript(f"BEGIN IMMEDIATE; {_TABLES} COMMIT;")
        except BaseException:
            db.close()
            raise
        return db
