"""What a terminal shows."""

import os
from contextlib import suppress


def shown_on(terminal: int) -> bytes:
    """All that is written to a pseudo-terminal until its other end is closed; it is closed then. To be read while the writer
    runs: a terminal that nobody reads is full, and waited for."""
    shown = b""
    with suppress(OSError):  # which the end of a terminal is
        while piece := os.read(terminal, 1 << 16):
            shown += piece
    os.close(terminal)
    return shown
