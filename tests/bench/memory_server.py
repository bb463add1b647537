"""The server's own worker and sender, with lines only flushed to a file: `python -m tests.bench.memory_server FOLDER PORT`.

``POST /lines`` writes a line with its time, and flushes it to a file as a commit would. Nothing is decided.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

import msgspec
from flask import Flask, Response, jsonify, request

from deploy.server import gunicorn_app
from shared.desk.desk import Desk
from shared.desk.views import stream_of
from shared.http.identity.tokens import Keyring
from shared.http.limits.rate_limits import Buckets, Limits, Places, Slots
from shared.http.reads.stream import MEDIA, Lines, Stream, every
from shared.http.requests.app_context import EXTENSION, Context, Metrics
from tests.memory_lines import MemoryLines

T = "B"


def load() -> Flask:
    app, lines, limits = Flask("memory"), MemoryLines(), Limits()
    keyring, free = Keyring(Path(sys.argv[1])), Buckets("reads", 0, 1)
    desk = cast(Desk, lines)
    places, slots = Places(limits.streams), Slots(1)
    context = Context("memory", "", desk, keyring, limits, Metrics(), free, free, places, slots, slots)
    app.extensions[EXTENSION] = context
    file = os.open(Path(sys.argv[1]) / "lines", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    @app.get("/readyz")
    def ready() -> Response:
        return jsonify({})

    @app.post("/lines")
    def write() -> tuple[Response, int]:
        time = datetime.now(UTC).isoformat(timespec="microseconds")
        line = msgspec.json.encode({"type": "line.v1", "time": time, "data": request.get_json()})
        os.write(file, line)
        os.fdatasync(file)
        return jsonify(seq=lines.write(T, line)), 201

    @app.get("/events")
    def events() -> Response:
        places.take_for("viewer")
        return Response(
            Stream(context, "viewer", stream_of(T), int(request.args["after"]), Lines(every)),
            mimetype=MEDIA,
            direct_passthrough=True,
        )

    return app


if __name__ == "__main__":
    gunicorn_app.run(load, "127.0.0.1", int(sys.argv[2]))
