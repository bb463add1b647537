"""Working on the services' databases while none of their workers does."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from shared.core.language.messages import say
from shared.log.distributed import DistributedLog
from shared.log.sql import worker_state
from shared.log.worker import worker_lock

_LOCK_SECONDS = 3.0


class NotPossible(Exception):
    """Why nothing was rebuilt; nothing was changed."""


@contextmanager
def alone(logs: Sequence[DistributedLog]) -> Iterator[None]:
    """Hold the locks of relay and follower of every service named."""
    stop = threading.Event()
    timer = threading.Timer(_LOCK_SECONDS, stop.set)
    timer.daemon = True
    timer.start()
    try:
        with ExitStack() as stack:
            for log in logs:
                for name in (worker_state.FOLLOWER, worker_state.RELAY):
                    if stack.enter_context(worker_lock.hold(log, name, stop)) is None:
                        raise NotPossible(
                            say("a worker of {source} is running: stop the workers first", source=log.source)
                        )
            yield
    finally:
        timer.cancel()
