"""What verbs print: JSON for machines, tables for people, remarks on standard error."""

import json
import os
import sys
from typing import Any

import click

from deploy.cli.terminal.language import words
from shared.core.language.messages import Message

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""What names in Persian, Sinhala and other scripts are spelled with; they change the letters beside them, and nothing else."""


def print_json(value: Any) -> None:
    """One line of JSON on standard output, in UTF-8 wherever it goes (RFC 8259, 8.1)."""
    sys.stdout.flush()
    write_bytes(json.dumps(value, ensure_ascii=False, allow_nan=False).encode() + b"\n")


def plain(text: str | None) -> str:
    """Return a text without anything that a terminal would obey."""
    return "".join(c if c.isprintable() or c in _JOINERS else "\N{REPLACEMENT CHARACTER}" for c in text or "")


def show(text: str, *, colour: str | None = None, bold: bool = False, end: str = "\n") -> None:
    """Print a text on standard output; colours appear on a terminal only."""
    shown = "\n".join(map(plain, text.split("\n")))
    if (colour or bold) and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR"):
        shown = click.style(shown, fg=colour, bold=bold or None)
    click.echo(shown + end, nl=False)


def note(message: Message | str) -> None:
    """Progress and remarks, on standard error."""
    print(words(message), file=sys.stderr, flush=True)


def write_bytes(content: bytes) -> None:
    """Bytes on standard output, as they are."""
    sys.stdout.buffer.write(content)
    sys.stdout.buffer.flush()
