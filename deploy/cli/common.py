"""What several verbs share: input, output, and the work on many files at once."""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from services.standings.formats.trf.model import TrfError, TrfFile
from services.standings.formats.trf.reader import read

WIDE = 200
"""Columns of a table that goes into a file or a pipe."""


class Failure(Exception):
    """Why a command ends early: one line, and the exit code (1: refused or differs; 2: cannot be used)."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.message, self.code = message, code


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one of many files: its answer, or a message and an exit code."""

    file: str
    answer: Any = None
    message: str = ""
    code: int = 0


data_option = click.option("--data", type=click.Path(path_type=Path), default=None, help="Data folder (./data).")
json_option = click.option("--json", "as_json", is_flag=True, help="For machines.")


def read_bytes(path: str) -> bytes:
    """A file's content, or standard input for ``-``."""
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()


def read_trf(path: str) -> TrfFile:
    """A TRF file, or the one on standard input; its errors name it as the caller did."""
    return read(read_bytes(path), "standard input" if path == "-" else path)


def print_json(value: Any) -> None:
    """One line of JSON on standard output."""
    print(json.dumps(value, ensure_ascii=False, allow_nan=False))


def console() -> Console:
    """Standard output for tables: as wide as the terminal, wider where nobody looks."""
    return Console(width=None if sys.stdout.isatty() else WIDE, highlight=False)


def told(message: str) -> None:
    """Progress and remarks, on standard error."""
    print(message, file=sys.stderr, flush=True)


def over(files: Sequence[str], work: Callable[[str], Any]) -> Iterator[Outcome]:
    """Each file's outcome, in order; several files are worked on in processes. ``work`` is picklable."""
    guarded = partial(_guarded, work)
    if len(files) == 1:
        yield guarded(files[0])
        return
    if files.count("-") > 0:
        raise Failure("standard input (-) stands alone")
    with ProcessPoolExecutor(min(len(files), os.cpu_count() or 1)) as pool:
        yield from pool.map(guarded, files)


def _guarded(work: Callable[[str], Any], file: str) -> Outcome:
    try:
        return Outcome(file, work(file))
    except Failure as failure:
        return Outcome(file, None, failure.message, failure.code)
    except TrfError as failure:
        return Outcome(file, None, str(failure), 2)
    except OSError as failure:
        return Outcome(file, None, f"{file}: {failure.strerror or failure}", 2)


def exit_code(outcomes: Sequence[Outcome]) -> int:
    """The worst of several outcomes; says on standard error what went wrong."""
    for outcome in outcomes:
        if outcome.message:
            told(f"arbiter: {' '.join(outcome.message.split())}")
    return max((o.code for o in outcomes), default=0)
