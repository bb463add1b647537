"""Writes the descriptions of the HTTP services from their schemas: `python -m deploy.build.openapi_build [FOLDER]`."""

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from flask import Flask

from deploy.server.embedded import make_app
from deploy.server.settings import SERVICES
from shared.http.app import close
from shared.http.limits.rate_limits import Limits
from shared.http.openapi import openapi
from shared.http.requests.app_context import EXTENSION

FOLDER = Path(__file__).parents[1] / "openapi"
UNION = "arbiter"
"""The name of the description of all four behind one address."""


@contextmanager
def scratch_app(limits: Limits | None = None) -> Iterator[tuple[Flask, Path]]:
    """Yield the app of all services on a new data folder, and the folder, which is removed afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Path(folder), limits)
        try:
            yield app, Path(folder)
        finally:
            close(app)


def documents() -> dict[str, dict[str, Any]]:
    """File name -> its OpenAPI document."""
    with scratch_app() as (app, _):
        version = app.extensions[EXTENSION].version
        descriptions = {f"{UNION}.json": openapi.specification(app, "Arbiter", version)}
        for service in SERVICES:
            descriptions[f"{service}.json"] = openapi.specification(
                app, f"Arbiter: {service}", version, f"/services/{service}"
            )
        return descriptions


def render(document: dict[str, Any]) -> str:
    """Return a document as the JSON text of its file."""
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write every document into the folder named; ``arguments``: in place of those of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m deploy.build.openapi_build", description="Write the OpenAPI documents."
    )
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help=f"where to (else {FOLDER})")
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        (folder / name).write_text(render(document), encoding="utf-8")


if __name__ == "__main__":
    main()
