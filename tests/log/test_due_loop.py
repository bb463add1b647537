"""Who answers what is due, while the database is away."""

import threading
from collections.abc import Callable
from typing import Any, cast

from deploy.server.worker import worker
from shared.log.port import LogUnavailable


class _Away:
    """A log whose database is away, and which told of a change before it went."""

    def subscribe(self, changed: Callable[[], None]) -> None:
        changed()

    def unready(self) -> str | None:
        raise LogUnavailable("the database is away")


def test_a_change_that_was_told_wakes_it_once_while_the_database_is_away(monkeypatch):
    stop, woken = threading.Event(), []

    class Told(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            woken.append(self.is_set())
            if len(woken) == 2:
                stop.set()
            return True

    monkeypatch.setattr(worker.threading, "Event", Told)
    worker.Findings(cast(Any, None), cast(Any, _Away()), stop).run()
    assert woken == [True, False]
