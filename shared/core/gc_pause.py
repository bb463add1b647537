"""The garbage collector held off: what only makes and keeps things has no cycles for it to find."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collector() -> Iterator[None]:
    """Where a fold or a table is made, a collector that walks all of it again and again takes as long as the making."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
