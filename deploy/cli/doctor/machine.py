"""The machine: versions of what runs here."""

import platform
import sqlite3
import sys
from collections.abc import Iterator
from importlib.metadata import version

from deploy.cli.doctor.finding import Finding
from shared.core.language.messages import Message, say

PYTHON, SQLITE = (3, 11), (3, 35)


def look_at_machine() -> Iterator[Finding]:
    old = sys.version_info < PYTHON
    yield Finding(
        say("Python"), _version(platform.python_version()), say("install Python 3.11 or newer") if old else None
    )
    lite = sqlite3.sqlite_version_info < SQLITE
    yield Finding(
        say("SQLite"), _version(sqlite3.sqlite_version), say("install SQLite 3.35 or newer") if lite else None
    )
    for name in ("arbiter-federation", "gacrux", "rustworkx", "sqlalchemy", "kafka-python"):
        yield Finding(_version(name), _version(version(name)))


def _version(text: str) -> Message:
    return say("{text}", text=text)
