"""Files that verbs work on: their content, and the outcome of each of many."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from deploy.cli.terminal.os_problems import os_problem
from deploy.cli.terminal.verb import note, words
from deploy.failure import Failure
from shared.core.language.charset import find_encoding
from shared.core.language.messages import Message, message_of, say
from shared.trf.model.columns import TrfError
from shared.trf.model.model import TrfFile
from shared.trf.reader import read


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome for one of several files: its answer, or a message and an exit code."""

    file: str
    answer: Any = None
    message: str = ""
    code: int = 0


def read_bytes(path: str) -> bytes:
    """Return the content of a file, or standard input for ``-``."""
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()


def read_trf(path: str, encoding: str | None = None) -> TrfFile:
    """Return a TRF file, or the one on standard input for ``-``. Errors contain the ``path`` as given.

    ``encoding``: as for `encoding_option`, or None to detect it.
    """
    return read(
        read_bytes(path),
        "standard input" if path == "-" else path,
        None if encoding is None else find_encoding(encoding),
    )


def tell(remarks: Iterable[Message]) -> None:
    """Print remarks on a file on standard error."""
    for remark in remarks:
        note(remark)


def each_outcome(files: Sequence[str], work: Callable[[str], Any]) -> Iterator[Outcome]:
    """Yield the outcome of each file, in order. Several files are processed in parallel, so ``work`` must be picklable.

    Raises `Failure` if standard input is one of several files.
    """
    guarded = partial(_guarded, work)
    if len(files) == 1:
        yield guarded(files[0])
        return
    if files.count("-") > 0:
        raise Failure(say("standard input (-) cannot be combined with other files"))
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(min(len(files), os.cpu_count() or 1)) as pool:
        yield from pool.map(guarded, files)


def _guarded(work: Callable[[str], Any], file: str) -> Outcome:
    try:
        return Outcome(file, work(file))
    except Failure as failure:
        return Outcome(file, None, words(failure.message), failure.code)
    except TrfError as failure:
        return Outcome(file, None, words(message_of(failure)), 2)
    except OSError as failure:
        return Outcome(file, None, f"{file}: {words(os_problem(failure))}", 2)


def exit_code(outcomes: Sequence[Outcome]) -> int:
    """Print the messages of outcomes on standard error, and return the highest exit code."""
    for outcome in outcomes:
        if outcome.message:
            note(f"arbiter: {' '.join(words(outcome.message).split())}")
    return max((o.code for o in outcomes), default=0)
