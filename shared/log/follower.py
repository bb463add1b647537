"""The follower: appends what the topics hold to the ledger, in one transaction with its position."""

import threading

from shared.log.apart import ApartLog
from shared.log.broker import Broker


class Halted(Exception):
    """The service must not go on by itself; the text says what was found and the command that mends it."""


class Follower:
    """One of them works at a time (a lock in the database); more may stand by.

    At start it restores what the database lacks (`restore`). ``run`` returns when ``stop`` is
    set; what passes by itself is tried again. Raises `Halted` (stored too, so that the web processes show it).
    """

    def __init__(self, log: ApartLog, broker: Broker, stop: threading.Event) -> None:
        self.holds = False
        """Whether this one has the lock."""
        self.taken = 0
        """Lines appended to the ledger since it was made."""
        self.forks = 0
        """Forks and root mismatches found since it was made."""
        self.strangers = 0
        """Records that are no lines, read since it was made."""

    def run(self) -> None:
        raise NotImplementedError

    def lag(self) -> int | None:
        """Records between the position and the topics' end, as of the last look; None before the first."""
        raise NotImplementedError
