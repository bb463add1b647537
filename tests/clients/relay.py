"""A way to a house on which commands are lost: the house is killed before it hears them, while it decides, or when it has."""

import http.client
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

from tests.faults.killing import House

Moment = Literal["unheard", "deciding", "written"]
"""When the house is killed: before a command comes to it, once it has it, or when its answer is on the way back."""


class Relay(ThreadingHTTPServer):
    """Passes requests to the house on ``data``. Every ``each``-th POST is one after the other of ``moments``.

    ``imports`` False: the house does not import files, like one of an older release. ``module``: as in `House`; a house that
    ends is started again.
    """

    daemon_threads = True

    def __init__(self, data: Path, moments: Sequence[Moment], each: int, imports: bool, module: str) -> None:
        super().__init__(("127.0.0.1", 0), _Hop)
        self.house = House(data, module)
        self.killed: list[Moment] = []
        self.imports, self._module, self._ended = imports, module, False
        self._data, self._moments, self._each, self._posts = data, list(moments), each, 0
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def moment(self) -> Moment | None:
        """What becomes of the next command."""
        with self._lock:
            self._posts += 1
            return self._moments.pop(0) if self._moments and self._posts % self._each == 0 else None

    def kill(self, moment: Moment) -> None:
        """Kill the house with -9, and start another on what it leaves."""
        with self._lock:
            self.killed.append(moment)
            self.house.kill()
            self.house = House(self._data, self._module)

    def revive(self) -> None:
        """Start another house if this one has ended by itself."""
        with self._lock:
            if not self._ended and self.house.process.poll() is not None:
                self.house = House(self._data, self._module)

    def end(self) -> None:
        """Kill the house for good: a request that is cut off by this starts no other."""
        with self._lock:
            self._ended = True
            self.house.kill()


class _Hop(BaseHTTPRequestHandler):
    """One request on its way; the connection ends with it."""

    server: Relay

    def do_GET(self) -> None:
        self._pass(None)

    def do_POST(self) -> None:
        if not self.server.imports and self.path.startswith("/v1/imports"):
            self.path = "/v1/unknown"
            return self._pass(None)
        return self._pass(self.server.moment())

    def _pass(self, moment: Moment | None) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if moment == "unheard":
            return self.server.kill(moment)
        house = http.client.HTTPConnection(*self.server.house.address, timeout=60)
        try:
            house.request(self.command, self.path, body, {**self.headers, "Connection": "close"})
            if moment == "deciding":
                return self.server.kill(moment)
            answer = house.getresponse()
            if moment == "written":
                assert answer.status == 201, answer.read()
                return self.server.kill(moment)
            self._answer(answer)
        except (OSError, http.client.HTTPException):
            return self.server.revive()  # the house is gone, and so is this connection
        finally:
            house.close()

    def _answer(self, answer: http.client.HTTPResponse) -> None:
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("connection", "transfer-encoding"):
                self.send_header(name, value)
        self.end_headers()
        while piece := answer.read1(65536):
            self.wfile.write(piece)

    def log_message(self, *_: object) -> None:
        """Nothing: the house has a log."""


@contextmanager
def relay(
    data: Path, moments: Sequence[Moment] = (), each: int = 3, *, imports: bool = True, module: str = "deploy.cli.main"
) -> Iterator[Relay]:
    """A running relay and its house."""
    data.mkdir(exist_ok=True)
    made = Relay(data, moments, each, imports, module)
    serving = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.05})
    serving.start()
    try:
        yield made
    finally:
        made.shutdown()
        serving.join()
        made.server_close()
        made.end()
