"""Mending what was lost: a ledger from the topic; a topic from the longest ledger, then from the services' events."""

from collections.abc import Sequence

from shared.log.apart import ApartLog
from shared.log.broker import Broker


class NotPossible(Exception):
    """Why nothing was rebuilt; nothing was changed."""


def rebuild_ledger(log: ApartLog) -> None:
    """Forget ledger and positions of one service, so that its follower reads the topic from the start.

    Raises `NotPossible` while a worker of the service runs.
    """
    raise NotImplementedError


def rebuild_topics(logs: Sequence[ApartLog], broker: Broker) -> dict[str, int]:
    """Make the three topics anew: from the longest ledger, the services' events and texts; topic → records.

    ``logs`` are those of all four services. Raises `NotPossible` while a worker runs, or where a
    ledger is no prefix of the longest.
    """
    raise NotImplementedError
