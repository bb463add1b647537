"""Serves the small house with the real server: `python -m tests.http.serving DATA`; prints its address."""

import sys
from pathlib import Path

from flask import Flask

from deploy.server import gunicorn_app as server
from shared import structured_log
from shared.http.limits.rate_limits import Limits
from tests.http.house import an_app


def load() -> Flask:
    structured_log.configure()
    return an_app(Path(sys.argv[1]), Limits(heartbeat=0.2))


if __name__ == "__main__":
    server.run(load, "127.0.0.1", 0, lambda address: print(address, flush=True))
