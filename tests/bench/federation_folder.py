"""A data folder with the finished tournaments of a federation: a few are played, and the others are copies of them.

Each copy has its own IDs, people, root hashes, checkpoints and signatures, so it is audited like a played one.
"""

import re
import sqlite3
import tempfile
from binascii import b2a_base64
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from random import Random
from typing import Any, cast
from unittest.mock import patch

from deploy.server.embedded_desk import open_log, service_keys
from deploy.server.keys.house_signer import HouseSigner
from deploy.server.rules import RULES
from services.standings.rules import published_table
from services.standings.rules.commands import PublishStandings
from services.standings.rules.published_table import canonical_json
from shared import regulations
from shared.audit.checkpoints.checkpoint import Signer
from shared.audit.keys import key_files
from shared.core.terms import STANDINGS, Source
from shared.core.trust.merkle import Tree, leaf_hash
from shared.core.trust.service_keys import keys_by_source
from shared.desk.desk import Desk
from shared.log.port import NewRow, Row, Text
from shared.log.sqlite import SqliteLog
from shared.log.texts import text_hash
from shared.signing.service_keys import ServiceKeys, signed
from shared.wire.envelope import split_signature
from tests.bench.federation_year import CHIEF, KIND_OF_NUMBER, play

PEOPLE = 20_000
"""People of the federation. Each enters about nine of 10,000 tournaments."""
_PLAYED = 20
_AT_ONCE = 100
_NAME = "t00000"
_ID = re.compile(rb'"(?!0190aaaa)([0-9a-f]{8})(-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})"')
_TEXT = re.compile(rb'"(\w+)":\{"text":"([0-9a-f]{64})"')
_BASIS = re.compile(rb'"basis":(\d+),"basisroot":"[^"]*"')
_DIGEST = re.compile(rb'"digest":"([0-9a-f]{64})"')
_CHECKPOINT = re.compile(rb'"checkpoint":"([^"]+)"')


def make_folder(data: Path, tournaments: int) -> int:
    """Create a data folder with this number of tournaments. Return the number of their events."""
    log = open_log(data)
    signer, keys, events = HouseSigner(data), service_keys(data), 0
    sign = Signer(signer.verifier.name, key_files.read(data / "arbiter.key"))
    signer.memory.refusals()  # creates the file
    with closing(sqlite3.connect(signer.memory.path)) as memory, memory:
        tables: dict[str, bytes] = {}
        with patch.object(published_table, "canonical_json", partial(_canonical, tables)):
            played = list(_played(sign, keys))
        for first in range(0, tournaments, _AT_ONCE):
            copies = [
                _Copy(played[number % _PLAYED], number, sign, keys, tables)
                for number in range(first, min(first + _AT_ONCE, tournaments))
            ]
            with log.transaction() as tx:
                tx.append([row for copy in copies for row in copy.rows])
                tx.put_texts([text for copy in copies for text in copy.texts])
            heads = [copy.head for copy in copies]
            memory.executemany("INSERT INTO signed VALUES (?, ?, ?)", heads)
            events += sum(len(copy.rows) for copy in copies)
    log.close()
    return events


def _canonical(tables: dict[str, bytes], table: dict[str, Any]) -> bytes:
    """Return the canonical form of a table, and store it by its digest."""
    content = canonical_json(table)
    tables[sha256(content).hexdigest()] = content
    return content


def _played(sign: Signer, keys: ServiceKeys) -> Iterator[list[Row]]:
    """Yield the events of finished tournaments, each played on a database of its own."""
    for number in range(_PLAYED):
        kind = KIND_OF_NUMBER[number % len(KIND_OF_NUMBER)]
        with tempfile.TemporaryDirectory(prefix="arbiter-played-") as folder:
            desk = Desk(SqliteLog(Path(folder) / "log.db"), RULES, sign.sign, keys=keys, threads=False)
            try:
                play(desk, _NAME, kind, Random(f"played {number}"), fide_ids=True)
                book = regulations.load(kind.regulations)
                order = book.ranking.order(kind.format)
                final = PublishStandings(CHIEF, order, book.ranking.rules, kind.rounds, final=True)
                outcome: Any = desk.submit(STANDINGS, _NAME, final)
                assert outcome.status == 201, outcome
                yield desk.lines(f"tournaments/{_NAME}")
            finally:
                desk.close()


class _Copy:
    """A copy of a played tournament: its ``rows`` and ``texts``, and the ``head`` that its last publication signs."""

    def __init__(
        self, played: Sequence[Row], number: int, sign: Signer, keys: ServiceKeys, tables: Mapping[str, bytes]
    ) -> None:
        self._tables = tables
        self._name, self._number, self._sign, self._keys = f"t{number:05}", number, sign, keys
        self._chance, self._tree = Random(f"copy {number}"), Tree()
        self._people = iter(self._chance.sample(range(PEOPLE), 40))
        self._person = 0
        self.rows: list[NewRow] = []
        self.texts: list[Text] = []
        self.head: tuple[str, int, bytes] = ("", 0, b"")
        for _, record in groupby(played, key=lambda row: (row.source, row.command)):
            self._add(list(record))

    def _add(self, record: Sequence[Row]) -> None:
        lines = [self._changed(row.line) for row in record]
        if split_signature(record[-1].line)[1]:
            signer = self._keys.signer(keys_by_source(self._keys.announced)[cast(Source, record[0].source)])
            assert signer is not None
            lines = signed(lines, signer)
        for row, line in zip(record, lines, strict=True):
            self._tree.append(leaf_hash(line))
            command = self._new_id(row.command)
            self.rows.append(
                NewRow(
                    f"tournaments/{self._name}", row.seq, cast(Source, row.source), row.sourceseq, command, row.n, line
                )
            )

    def _changed(self, line: bytes) -> bytes:
        line = split_signature(line)[0].replace(_NAME.encode(), self._name.encode())
        line = _ID.sub(lambda found: b'"' + self._new_id(found[0].decode().strip('"')).encode() + b'"', line)
        line = _TEXT.sub(self._text, line)
        line = _BASIS.sub(self._basis, line)
        line = _DIGEST.sub(self._digest, line)
        return _CHECKPOINT.sub(self._checkpoint, line)

    def _new_id(self, id: str) -> str:
        return f"{int(id[:8], 16) ^ self._number:08x}{id[8:]}"

    def _text(self, found: re.Match[bytes]) -> bytes:
        member = found[1].decode()
        if member == "name":
            self._person = next(self._people)
        text = {"name": f"Player {self._person}", "fide_id": str(10_000_000 + self._person)}.get(member, "as reported")
        salt = f"{self._chance.getrandbits(128):032x}"
        hash = text_hash(salt, text)
        self.texts.append(Text(hash, salt, text, self._name))
        return f'"{member}":{{"text":"{hash}"'.encode()

    def _basis(self, found: re.Match[bytes]) -> bytes:
        root = b2a_base64(self._tree.root(int(found[1])), newline=False)
        return b'"basis":%b,"basisroot":"%b"' % (found[1], root)

    def _digest(self, found: re.Match[bytes]) -> bytes:
        table = self._tables.get(found[1].decode())
        if table is None:  # that of a rule text
            return found[0]
        table = table.replace(_NAME.encode(), self._name.encode())
        return b'"digest":"%b"' % sha256(table).hexdigest().encode()

    def _checkpoint(self, found: re.Match[bytes]) -> bytes:
        origin, size, *_ = found[1].decode().split("\\n")
        root = self._tree.root(int(size))
        self.head = origin, int(size), root
        note = self._sign.sign(origin, int(size), root).replace("\n", "\\n")
        return b'"checkpoint":"%b"' % note.encode()
