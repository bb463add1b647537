"""A pause of the garbage collector, for code that only creates long-lived values without cycles."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_collector() -> Iterator[None]:
    """Pause the garbage collector inside a ``with`` block.

    When a state or a table is made, a collector that visits all of it takes as long as the work itself. The values made there
    have no cycles, so nothing waits to be collected. The pause applies to the whole process: other threads allocate without a
    collector meanwhile. If two pauses overlap, the first to end switches the collector on again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
