"""A worker of a service in a process that can be killed or stopped: ``python -m tests.log.worker_process FILE SOURCE``."""

import signal
import sys
import threading
from pathlib import Path

from shared.core.terms import SOURCES
from tests.log.distributed import Worker, read_world


def main(file: str, name: str) -> None:
    (source,) = (source for source in SOURCES if source.endswith(name))
    ended = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: ended.set())
    urls, broker = read_world(Path(file))
    worker = Worker(urls[source], source, broker)
    ended.wait()
    worker.end()


if __name__ == "__main__":
    main(*sys.argv[1:])
