"""The machine: versions of what runs here."""

import platform
import sqlite3
import sys
from collections.abc import Iterator
from importlib.metadata import version

from deploy.cli.doctor.finding import Finding

PYTHON, SQLITE = (3, 11), (3, 35)


def look_at_machine() -> Iterator[Finding]:
    old = sys.version_info < PYTHON
    yield Finding("Python", platform.python_version(), "install Python 3.11 or newer" if old else "")
    lite = sqlite3.sqlite_version_info < SQLITE
    yield Finding("SQLite", sqlite3.sqlite_version, "install SQLite 3.35 or newer" if lite else "")
    for name in ("arbiter", "gacrux", "rustworkx", "sqlalchemy", "kafka-python"):
        yield Finding(name, version(name))
