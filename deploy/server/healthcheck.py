"""For a container's health check: `python -m deploy.server.healthcheck /readyz` asks this service; 0 if it answers 200."""

import os
import sys
from http.client import HTTPConnection, HTTPException

_SECONDS = 4  # less than the five seconds that docker-compose.yml gives the check


def ask(port: int, path: str) -> tuple[bool, str]:
    """Ask the service at a port of this machine. Return whether it answers 200, and its answer or the error."""
    connection = HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status == 200, answer.read().decode("utf-8", "replace")
    except (OSError, HTTPException) as problem:
        return False, str(problem)
    finally:
        connection.close()


def main(path: str) -> int:
    """Ask this service for ``path`` and print its answer. Return 0 if the status is 200, else 1."""
    healthy, answer = ask(int(os.environ["ARBITER_PORT"]), path)
    print(answer)
    return 0 if healthy else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
