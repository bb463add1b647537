"""The topic of revoked tokens, as every service follows it: what pairing signed is kept, and nothing else believed."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from shared.core.language.messages import Message, message_of, say
from shared.core.terms import PAIRING, Source
from shared.core.trust.token_revocations import Revocation
from shared.log.distributed_transaction import DistributedTransaction
from shared.log.kafka import consumer
from shared.log.kafka.broker import TOKENS
from shared.log.port import RevokedRow
from shared.log.sql import invitations as tables
from shared.log.sql.tables import OUTBOX
from shared.log.worker.listed_announcements import Keys, ListedAnnouncements
from shared.log.worker.records.record_numbers import stranger
from shared.log.worker.worker_lock import Lock
from shared.signing.announcement_lists import KEY as LIST
from shared.signing.revocation_records import BadRevocation, believed, read_record, record_of, signed_by
from shared.signing.service_keys import NO_KEYS, ServiceKeys

_TOMBSTONE = say("ignored tombstone: a revoked token stays revoked")


class RevocationTopic:
    """Takes records of the topic into the table ``revoked``, from which none is ever taken away.

    ``keys`` are pairing's public ones; ``own`` has the private ones, where the service is pairing. Where the last record
    under a key is not the one that pairing holds (a tombstone, poison, an old one again, none at all), pairing sends it
    again, so that who reads the topic for the first time finds it. ``listed`` is what the topic tells of former keys.
    """

    def __init__(self, source: Source, keys: Keys = tuple, own: ServiceKeys = NO_KEYS) -> None:
        self._source, self._keys = source, keys
        self.listed = ListedAnnouncements(keys, own)
        self._newest = own.own(PAIRING)[:1]
        self._sign = own.signer(str(self._newest[0])) if self._newest else None

    def take(self, connection: Connection, records: Sequence[Any]) -> list[dict[str, Any]]:
        """Keep what the records revoke; those that are no revocations of pairing's, as findings."""
        tx, findings = DistributedTransaction(connection, self._source), []
        for record in records:
            why = self.listed.take(record.value) if record.key == LIST else self._keep(tx, record)
            if why is not None:
                findings.append(stranger(record, why))
        if self._source == PAIRING:
            held = tables.standing(connection)
            for key, value in {record.key: record.value for record in records}.items():
                row = held.get((key or b"").decode("utf-8", "replace"))
                if row is not None and row.record != value:
                    self._publish(tx, row)
                if key == LIST:
                    self.listed.publish(connection, value)
        return findings

    def note_lists(self, records: Sequence[Any]) -> None:
        """Take only the lists from the topic, because another worker takes the revocations."""
        for record in records:
            if record.key == LIST:
                self.listed.take(record.value)

    def look(self, lock: Lock) -> None:
        """List what former keys announced, where pairing's newest has not yet."""
        if self.listed.due():
            with lock.begin() as connection:
                self.listed.publish(connection, None)

    def read_list(self, reader: Any) -> ListedAnnouncements:
        """What the topic tells of former keys, before anything is put back that they may have announced."""
        for record in self._whole(reader):
            if record.key == LIST:
                self.listed.take(record.value)
        return self.listed

    def read_again(self, lock: Lock, reader: Any) -> None:
        """Read the whole topic, before it is followed: what was not believed for want of a key may be now.

        Pairing signs by its newest key what it holds, and sends what the topic lacks.
        """
        records = self._whole(reader)
        with lock.begin() as connection:
            tx = DistributedTransaction(connection, self._source)
            for record in records:
                if record.key != LIST:
                    self._keep(tx, record)
            last = {record.key: record.value for record in records}
            self.listed.publish(connection, last.get(LIST))
            if self._sign is not None:
                for row in tables.standing(connection).values():
                    current = self._signed(connection, row)
                    if last.get(row.key.encode()) != current.record:
                        self._publish(tx, current)

    @staticmethod
    def _whole(reader: Any) -> list[Any]:
        places = consumer.partitions(reader, TOKENS)
        return list(consumer.stretch(reader, consumer.begins(reader, places), consumer.ends(reader, places)))

    def _keep(self, tx: DistributedTransaction, record: Any) -> Message | None:
        """Why a record is not believed; None for one that is, now kept."""
        if record.value is None:
            return _TOMBSTONE
        try:
            revocation = believed(record.key, record.value, tuple(self._keys()))
        except BadRevocation as bad:
            return message_of(bad)
        known = tables.latest(tx.connection, revocation.key)
        if revocation.adds_to(None if known is None else _read(known)):
            tx.keep_revoked(RevokedRow(revocation.key, revocation.at, record.value))
        return None

    def _signed(self, connection: Connection, row: RevokedRow) -> RevokedRow:
        """The row with a record by the newest key."""
        if self._sign is None or signed_by(row.record, self._newest):
            return row
        anew = row._replace(record=record_of(_read(row), self._sign))
        tables.sign_again(connection, anew)
        return anew

    @staticmethod
    def _publish(tx: DistributedTransaction, row: RevokedRow) -> None:
        """Send a row, unless it waits already."""
        waits = sa.select(OUTBOX.c.id).where(
            OUTBOX.c.topic == TOKENS, OUTBOX.c.key == row.key, OUTBOX.c.record == row.record
        )
        if tx.connection.execute(waits.limit(1)).first() is None:
            tx.publish(row)


def _read(row: RevokedRow) -> Revocation:
    return read_record(row.record)
