"""Writes the descriptions of the HTTP services from their schemas: `python -m deploy.docs_build [FOLDER]`."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from deploy.embedded import make_app
from deploy.settings import SERVICES
from shared.http import openapi
from shared.http.app import close
from shared.http.context import EXTENSION

FOLDER = Path(__file__).parent / "openapi"
UNION = "arbiter"
"""The name of the description of all four behind one address."""


def descriptions() -> dict[str, dict[str, Any]]:
    """Name -> its OpenAPI document."""
    with tempfile.TemporaryDirectory() as folder:
        app = make_app(Path(folder))
        try:
            version = app.extensions[EXTENSION].version
            made = {UNION: openapi.specification(app, "Arbiter", version)}
            for service in SERVICES:
                made[service] = openapi.specification(app, f"Arbiter: {service}", version, f"/services/{service}")
            return made
        finally:
            close(app)


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, document in descriptions().items():
        text = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
        (folder / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
