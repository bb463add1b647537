"""The worker's own small server: ``/healthz``, ``/readyz`` and ``/metrics``."""

import json
import threading
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.registry import Collector

from shared.http.metrics import MEDIA

State = Callable[[], tuple[bool, dict[str, Any]]]


class Told:
    """Answers in threads of its own until `end`. ``state`` says whether all is well, and what is to be told."""

    def __init__(self, host: str, port: int, state: State, numbers: Iterable[Collector]) -> None:
        registry = CollectorRegistry()
        for collector in numbers:
            registry.register(collector)
        self._server = ThreadingHTTPServer((host, port), _handler(state, registry))
        self._thread = threading.Thread(target=self._server.serve_forever, name="told", daemon=True)
        self.port = self._server.server_address[1]

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _handler(state: State, registry: CollectorRegistry) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/healthz":
                self._answer(200, "application/json", b'{"status":"ok"}')
            elif self.path == "/readyz":
                well, told = state()
                content = json.dumps({"status": "ready" if well else "not ready", **told}).encode()
                self._answer(200 if well else 503, "application/json", content)
            elif self.path == "/metrics":
                self._answer(200, MEDIA, generate_latest(registry))
            else:
                self._answer(404, "text/plain", b"there is nothing at this address\n")

        def _answer(self, status: int, media: str, content: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: asked every few seconds."""

    return Handler
