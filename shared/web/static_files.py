"""The files that pages take with them: the style sheets, the vendored scripts (`static/vendored.txt`) and our own."""

from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, request

from shared.core.language.messages import say
from shared.http.problems import of_status

_HERE = Path(__file__).parent
_KEPT = "public, max-age=31536000, immutable"
_ASKED = "public, max-age=86400"
_TYPES = {".css": "text/css", ".js": "text/javascript"}
_PATHS = [_HERE / "style.css", *sorted(path for path in (_HERE / "static").iterdir() if path.suffix in _TYPES)]
_FILES = {path.name: path.read_bytes() for path in _PATHS}
TAGS = {name: sha256(content).hexdigest()[:16] for name, content in _FILES.items()}
"""By name: the start of its SHA-256, which its address bears, so that a browser keeps it for good."""


def static_files(bp: Blueprint) -> None:
    """The routes of the files, under the blueprint that shows pages."""

    @bp.get("/web/style.css")
    def style_sheet() -> Response:
        return _file("style.css")

    @bp.get("/web/static/<name>")
    def static_file(name: str) -> Response:
        if name not in _FILES:
            raise of_status(404, say("nothing exists at this address"))
        return _file(name)


def _file(name: str) -> Response:
    response = Response(_FILES[name], mimetype=_TYPES[Path(name).suffix])
    response.headers["Cache-Control"] = _KEPT if request.args.get("v") == TAGS[name] else _ASKED
    return response
