"""The garbage collector held off: what only makes and keeps things has no cycles for it to find."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """No collection inside: where a fold or a table is made, a collector that walks all of it takes as long as the making.

    Nothing that is made there has cycles, so nothing waits for it. The collector is the process's: other threads
    allocate without it meanwhile, and of two pauses at once the first to end switches it on again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
