"""gunicorn around an app: one worker with threads, ended in at most ten seconds."""

import json
import logging
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication

from deploy.server.front.listener import hold_back_connections
from deploy.server.front.worker import BufferedWorker
from shared import structured_log
from shared.http.app import close, end_streams

GRACE_SECONDS = 10  # less than stop_grace_period in docker-compose.yml: requests end before the container is killed
_WORKER_GRACE_SECONDS = 7
"""Time that a worker waits for its requests, so that the desk can close before gunicorn's own time limit."""
_CLOSE_SECONDS = 2.0
_HANDSHAKE_SECONDS = 0.1
"""Time for the handshakes under way when a worker ends, so that their connections can be accepted."""
SWITCH_SECONDS = 0.0005
"""Time for which a thread keeps the interpreter while others want it.

A command needs the interpreter about ten times. With Python's default of 0.005 s it would wait that often for each
answer that is being computed.
"""


class Worker(BufferedWorker):
    """A worker that ends its streams on SIGTERM, and treats Ctrl-C in the same way. It answers the requests that still come."""

    def handle_exit(self, sig: int, frame: Any) -> None:
        if isinstance(getattr(self, "wsgi", None), Flask):  # a worker that is still loading has no app
            end_streams(self.wsgi)
        super().handle_exit(sig, frame)

    handle_quit = handle_exit

    def set_accept_enabled(self, enabled: bool) -> None:
        """Start or stop accepting. A worker that ends first accepts every connection in the queue (`front.listener`)."""
        if enabled or self.alive:
            super().set_accept_enabled(enabled)
            return
        super().set_accept_enabled(True)
        end = time.monotonic() + _HANDSHAKE_SECONDS
        while (left := end - time.monotonic()) > 0:
            self.wait_for_and_dispatch_events(left)
        super().set_accept_enabled(False)
        for listener in self.sockets:
            while self.accept(listener):
                pass
            listener.close()


def _forked(server: Any, worker: Any) -> None:
    sys.setswitchinterval(SWITCH_SECONDS)
    worker.cfg.set("graceful_timeout", _WORKER_GRACE_SECONDS)
    structured_log.write_beside()


def _starting(server: Any) -> None:
    """Make the process that holds the sockets hold new connections back before its workers end."""
    stop = server.stop

    def hold_back_and_stop(graceful: bool = True) -> None:
        # A process that was started in place of this one (SIGUSR2), or systemd, shares the sockets and keeps them open.
        if server.reexec_pid == server.master_pid == 0 and not server.systemd:
            for listener in server.LISTENERS:
                hold_back_connections(listener.sock)
        stop(graceful)

    server.stop = hold_back_and_stop


def _ended(server: Any, worker: Any) -> None:
    if isinstance(getattr(worker, "wsgi", None), Flask):  # a worker that failed to load has no app
        close(worker.wsgi, _CLOSE_SECONDS)
    structured_log.write_at_once()


OPTIONS: dict[str, Any] = {
    "worker_class": "deploy.server.gunicorn_app.Worker",
    "workers": 1,  # one writer thread per process: more workers are correct but slower
    "threads": 64,
    "worker_connections": 1000,
    "keepalive": 15,
    "timeout": 60,
    "graceful_timeout": GRACE_SECONDS,
    "preload_app": False,  # the desk's threads do not survive a fork
    "sendfile": False,  # answers are gathered, see `front.worker`
    "limit_request_line": 4094,
    "limit_request_fields": 100,
    "limit_request_field_size": 8190,
    "loglevel": "warning",
    "control_socket_disable": True,
    "on_starting": _starting,
    "post_fork": _forked,
    "worker_exit": _ended,
}


class JsonLines(logging.Formatter):
    """A formatter that writes gunicorn's own log records as lines of JSON, like the services' logs."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {"event": record.getMessage(), "level": record.levelname.lower(), "logger": record.name}
        entry["time"] = datetime.fromtimestamp(record.created, UTC).isoformat().replace("+00:00", "Z")
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=False)


JSON_LOG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "deploy.server.gunicorn_app.JsonLines"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"level": "WARNING", "handlers": ["stderr"]},
    "loggers": {
        "gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False},
        # It warns at each connection without TLS that credentials are sent in the clear; SCRAM never sends the password.
        "kafka.net.sasl.scram": {"level": "ERROR"},
    },
}


class Server(BaseApplication):  # type: ignore[misc]
    """gunicorn's own application object, loaded in the worker."""

    def __init__(self, load: Callable[[], Flask], options: dict[str, Any]) -> None:
        self._load, self._options = load, options
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._options.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        return self._load()


def run(load: Callable[[], Flask], host: str, port: int, ready: Callable[[str], None] | None = None) -> None:
    """Serve the app that ``load`` creates in the worker until SIGTERM or Ctrl-C, then end the process (SystemExit).

    ``ready`` is called once, with the address, when the server accepts connections.
    """

    def listening(server: Any) -> None:
        if ready is not None:
            at, chosen = server.LISTENERS[0].sock.getsockname()[:2]
            ready(f"http://{f'[{at}]' if ':' in at else at}:{chosen}")

    bind = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    Server(load, OPTIONS | {"bind": [bind], "when_ready": listening}).run()
