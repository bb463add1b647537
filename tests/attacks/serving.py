"""Serves an embedded house with what the environment sets: `python -m tests.attacks.serving DATA`; prints its address."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]


@contextmanager
def serving(data: Path, **environment: str) -> Iterator[tuple[str, int]]:
    """The address of a real server on a folder, for as long as the block lasts."""
    command = [sys.executable, "-m", "tests.attacks.serving", str(data)]
    with (data / "stderr").open("wb") as errors:
        process = subprocess.Popen(
            command, cwd=ROOT, env=os.environ | environment, stdout=subprocess.PIPE, stderr=errors
        )
        assert process.stdout is not None
        try:
            address = urlsplit(process.stdout.readline().decode().strip())
            assert address.hostname and address.port, (data / "stderr").read_text()
            yield address.hostname, address.port
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(20)
            process.stdout.close()


if __name__ == "__main__":
    from deploy.server.embedded import serve

    serve(Path(sys.argv[1]), "127.0.0.1", 0, ready=lambda address: print(address, flush=True))
