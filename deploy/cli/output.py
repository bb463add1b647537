"""What verbs print: JSON for machines, tables for people, remarks on standard error."""

import json
import sys
from typing import Any

from rich.console import Console

from deploy.cli.language import words
from shared.core.messages import Message

WIDE = 200
"""Columns of a table that goes into a file or a pipe."""


def print_json(value: Any) -> None:
    """One line of JSON on standard output, in UTF-8 wherever it goes (RFC 8259, 8.1)."""
    sys.stdout.flush()
    write_bytes(json.dumps(value, ensure_ascii=False, allow_nan=False).encode() + b"\n")


def console() -> Console:
    """Standard output for tables: as wide as the terminal, wider where nobody looks."""
    return Console(width=None if sys.stdout.isatty() else WIDE, highlight=False)


def note(message: Message | str) -> None:
    """Progress and remarks, on standard error."""
    print(words(message), file=sys.stderr, flush=True)


def write_bytes(content: bytes) -> None:
    """Bytes on standard output, as they are."""
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
