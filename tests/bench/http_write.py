"""One HTTP write against bare Flask under the same gunicorn, which only validates the same body."""

import http.client
import json
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from shared.http.identity.tokens import issue
from tests.bench.measure import Ratio, compare
from tests.stack.process import free_port

CALLERS, EACH = 8, 60

BARE = """
from flask import Flask, request
from marshmallow import RAISE, Schema, fields

class Official(Schema):
    class Meta:
        unknown = RAISE
    name = fields.String(required=True)
    role = fields.String(required=True)

app = Flask(__name__)

@app.post("/v1/tournaments/<t>/officials")
def officials(t):
    return {"events": [], **Official().load(request.get_json())}, 201

@app.get("/readyz")
def ready():
    return {}
"""


@contextmanager
def running(command: list[str], folder: str, port: int) -> Iterator[int]:
    """Run a server until the block ends; its process ID."""
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                if call(port, "GET", "/readyz", None, "")[0] == 200:
                    break
            except OSError:
                time.sleep(0.05)
        yield process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def call(port: int, method: str, path: str, body: dict | None, token: str, **more: str) -> tuple[int, bytes]:
    """Status and body of the answer; ``more`` are headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


def callers(port: int, token: str) -> Callable[[], int]:
    """8 callers, each posting 60 officials, one after the other."""
    turn = iter(range(10**9))

    def run() -> int:
        base = next(turn)

        def caller(number: int) -> None:
            for n in range(EACH):
                body = {"name": f"o{base}-{number}-{n}", "role": "arbiter"}
                status, content = call(port, "POST", "/v1/tournaments/B/officials", body, token)
                assert status == 201, content

        threads = [threading.Thread(target=caller, args=(i,)) for i in range(CALLERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return CALLERS * EACH

    return run


def benchmarks() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bare.py").write_text(BARE)
        ours, bare = free_port(), free_port()
        program = str(Path(sys.executable).parent / "arbiter")
        gunicorn = [
            sys.executable,
            "-m",
            "gunicorn",
            "-k",
            "gthread",
            "--threads",
            "32",
            "-w",
            "1",
            "-b",
            f"127.0.0.1:{bare}",
        ]
        data = f"{folder}/data"
        with (
            running([program, "serve", "--data", data, "--port", str(ours)], folder, ours),
            running([*gunicorn, "bare:app"], folder, bare),
        ):
            token = issue(Path(data), "chief_arbiter", "bench")
            tournament = {
                "id": "B",
                "name": "B",
                "game": "chess",
                "format": "swiss",
                "rounds": 3,
                "regulations": "campus",
            }
            status, content = call(ours, "POST", "/v1/tournaments", tournament, token)
            assert status == 201, content
            name = "HTTP write, 8 callers, Flask + gunicorn"
            yield compare(name, "writes/s", 0.5, callers(ours, token), callers(bare, ""))
