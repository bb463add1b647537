"""The relay: sends a service's outbox to Kafka, in order, and deletes only what is confirmed."""

import threading

from shared.log.apart import ApartLog
from shared.log.broker import Broker


class Relay:
    """One of them works at a time (a lock in the database); more may stand by.

    ``run`` returns when ``stop`` is set; what goes wrong with Kafka or the database is tried again.
    Raises `follower.Halted` where an operator must act.
    """

    def __init__(self, log: ApartLog, broker: Broker, stop: threading.Event) -> None:
        self.holds = False
        """Whether this one has the lock."""
        self.sent = 0
        """Records confirmed since it was made."""
        self.failures = 0
        """How often it went back to the front."""

    def run(self) -> None:
        raise NotImplementedError
