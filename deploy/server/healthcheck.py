"""For a container's health check: `python -m deploy.server.healthcheck /readyz` asks this service; 0 if it answers 200."""

import os
import sys
from http.client import HTTPConnection

_SECONDS = 4  # less than the five seconds that docker-compose.yml gives the check


def main(path: str) -> int:
    """Ask this service for ``path`` and print its answer; 0 where that is 200, else 1."""
    connection = HTTPConnection("127.0.0.1", int(os.environ["ARBITER_PORT"]), timeout=_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        print(answer.read().decode("utf-8", "replace"))
    except OSError as problem:
        print(problem)
        return 1
    return 0 if answer.status == 200 else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
