"""A process that appends twenty commands to a backend: ``python -m tests.log.writer KIND FOLDER``."""

import sys
from pathlib import Path

from tests.log.conftest import Backend

COMMANDS = 20

if __name__ == "__main__":
    backend = Backend(sys.argv[1], Path(sys.argv[2]))
    opened = backend.open()
    for _ in range(COMMANDS):
        backend.append(opened)
