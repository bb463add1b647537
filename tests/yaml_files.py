"""YAML files of the project, read once a process by the fast reader where it is there."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
ASYNCAPI = Path(__file__).parents[1] / "deploy" / "asyncapi.yaml"


@cache
def document(path: Path) -> Any:
    """What a file holds; whoever asks changes nothing in it."""
    return yaml.load(path.read_text(encoding="utf-8"), _LOADER)
