"""Writes the newest versions' shapes into `shared/wire/shapes.json`; older ones stay: `python -m deploy.build.shapes_build`."""

import json
from pathlib import Path

from shared.wire import shapes
from shared.wire.event_data import FORMS

FILE = Path(str(shapes.FILE))


def render() -> str:
    """Return the text of the table, with one version per line."""
    table = shapes.kept() | {name: shapes.shape_of(form) for name, form in FORMS.items()}
    rows = (f"{json.dumps(name)}: {json.dumps(table[name], separators=(',', ':'))}" for name in sorted(table))
    return "{\n" + ",\n".join(rows) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(render(), encoding="utf-8")
