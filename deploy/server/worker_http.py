"""The worker's own small server: ``/healthz``, ``/readyz`` and ``/metrics``."""

import json
import threading
from collections.abc import Callable, Iterable
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
        self._server = make_server(host, port, app, ThreadingWSGIServer, _Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="worker-http", daemon=True)
        self.port = self._server.server_port

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()


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
