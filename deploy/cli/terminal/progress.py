"""How far an audit is, on a terminal; a pipe and a file get nothing."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from deploy.cli.terminal.language import words
from services.standings.audit.audits import STAGES
from shared.audit.progress import Progress, Tell, silent

_ERASE = "\r\x1b[K"
"""Return to the beginning of the line and clear it."""


@contextmanager
def progress_bar() -> Iterator[Tell]:
    """Show the stage and its progress in one line of standard error, if that is a terminal; clear it at the end."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield silent
        return

    def tell(progress: Progress) -> None:
        stage, done, total = progress
        print(f"{_ERASE}{words(STAGES[stage])} {done}/{total}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        print(_ERASE, end="", file=sys.stderr, flush=True)
