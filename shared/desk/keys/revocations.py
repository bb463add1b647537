"""Revoked tokens, as one process knows them, and how it revokes more."""

import threading
from collections.abc import Callable
from contextlib import suppress

from shared.core.language.messages import say
from shared.core.terms import PAIRING
from shared.core.trust.token_revocations import Revocation, Revoked
from shared.log.port import Log, LogUnavailable, RevokedRow
from shared.signing.revocation_records import read_record, record_of
from shared.signing.service_keys import ServiceKeys


class NoKey(Exception):
    """Raised if this process cannot revoke tokens: only pairing has the key that signs revocations."""


class Revocations(Revoked):
    """The revocations of one log, as of the last `refresh`. A check takes the same time, however many there are."""

    def __init__(self, log: Log, keys: ServiceKeys, keep: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._log, self._keys = log, keys
        self.keep = keep
        """Called when something was revoked here."""
        self._lock = threading.Lock()
        self._seen = 0

    def refresh(self) -> None:
        """Read new revocations. Raises `port.LogUnavailable`."""
        count = self._log.revocations()
        if count == self._seen:
            return
        fresh = Revoked()
        for record in self._log.revoked():
            fresh.add(read_record(record))
        with self._lock:
            self.tokens, self.names, self._seen = fresh.tokens, fresh.names, count

    def revoke(self, revocation: Revocation) -> None:
        """Revoke tokens: here at once, in every process of this log at its next `refresh`, elsewhere through the topic.

        A token that is already revoked is not revoked again. Raises ValueError if the values revoke nothing, `NoKey`,
        `port.LogUnavailable` and `port.LogFull`.
        """
        if why := revocation.invalid_reason():
            raise ValueError(why)
        self.refresh()
        if revocation.jti in self.tokens:
            return
        newest = self._keys.own(PAIRING)[:1]
        sign = self._keys.signer(str(newest[0])) if newest else None
        if sign is None:
            raise NoKey(say("the private key of pairing, which signs revocations, is missing on this server"))
        with self._log.transaction() as tx:
            tx.revoke(RevokedRow(revocation.key, revocation.at, record_of(revocation, sign)))
        with self._lock:
            self.add(revocation)
        self.keep()
        with suppress(LogUnavailable):  # It is written, and known here.
            self.refresh()
