"""The worker's own small server: ``/healthz``, ``/readyz`` and ``/metrics``."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from http import HTTPStatus
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.exposition import ThreadingWSGIServer
from prometheus_client.registry import Collector

State = Callable[[], tuple[bool, dict[str, Any]]]


class WorkerServer:
    """Answers in threads of its own until `end`. ``state`` says whether all is well, and what ``/readyz`` shows."""

    def __init__(self, host: str, port: int, state: State, numbers: Iterable[Collector]) -> None:
        registry = CollectorRegistry()
        for collector in numbers:
            registry.register(collector)
        app = _app(state, make_wsgi_app(registry))
        self._server = make_server(host, port, app, _Server, _Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="worker-http", daemon=True)
        self.port = self._server.server_port

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingWSGIServer):
    """A connection is one request here: each ends after ``seconds``, and the oldest where there are too many."""

    seconds = 10.0
    most = 64

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._open: dict[Any, float] = {}
        self._changed = threading.Lock()

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._changed:
            while len(self._open) >= self.most:
                self._end(next(iter(self._open)))
            self._open[request] = time.monotonic()
        super().process_request(request, client_address)

    def close_request(self, request: Any) -> None:
        with self._changed:
            self._open.pop(request, None)
        super().close_request(request)

    def service_actions(self) -> None:
        """Called twice a second."""
        late = time.monotonic() - self.seconds
        with self._changed:
            for request in [request for request, since in self._open.items() if since < late]:
                self._end(request)

    def _end(self, request: Any) -> None:
        """Its thread sees the end of what it reads."""
        del self._open[request]
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: whoever asked went away."""


class _Handler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: asked every few seconds."""


def _app(state: State, metrics: Callable[..., Any]) -> Callable[..., Any]:
    def answer(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        path = environ["PATH_INFO"]
        if path == "/metrics":
            return metrics(environ, start_response)
        status, document = HTTPStatus.NOT_FOUND, {"detail": "there is nothing at this address"}
        if path == "/healthz":
            status, document = HTTPStatus.OK, {"status": "ok"}
        elif path == "/readyz":
            ready, facts = state()
            status = HTTPStatus.OK if ready else HTTPStatus.SERVICE_UNAVAILABLE
            document = {"status": "ready" if ready else "not ready", **facts}
        content = json.dumps(document).encode()
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(content)))]
        start_response(f"{status.value} {status.phrase}", headers)
        return [content]

    return answer
