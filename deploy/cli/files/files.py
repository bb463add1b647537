"""Files that verbs work on: their content, and the outcome of each of many."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from deploy.cli.terminal.language import words
from deploy.cli.terminal.output import note
from deploy.failure import Failure
from shared.core.language.charset import named
from shared.core.language.messages import Message, message_of, say
from shared.core.rulebook.formats import Format
from shared.core.rulebook.regulations import Points, Regulations
from shared.trf.comparison import differences, not_understood
from shared.trf.model.difference import Difference
from shared.trf.model.errors import TrfError
from shared.trf.model.model import TrfFile
from shared.trf.reader import read
from shared.trf.stated_format import other_format
from shared.trf.stated_regulations import other_regulations

MOST_TOLD = 20
"""Differences that are told of one file; `arbiter check` lists them all."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one of many files: its answer, or a message and an exit code."""

    file: str
    answer: Any = None
    message: str = ""
    code: int = 0


def read_bytes(path: str) -> bytes:
    """A file's content, or standard input for ``-``."""
    return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()


def read_trf(path: str, encoding: str | None = None) -> TrfFile:
    """A TRF file, or the one on standard input; its errors name it as the caller did. ``encoding``: as `encoding_option`."""
    return read(
        read_bytes(path), "standard input" if path == "-" else path, None if encoding is None else named(encoding)
    )


def tell_differences(trf: TrfFile, points: Points) -> tuple[Difference, ...]:
    """Says on standard error what the file says otherwise than its results, and what of it is not understood."""
    found = differences(trf, points)
    for difference in found[:MOST_TOLD]:
        note(_at_its_place(trf, difference))
    if len(found) > MOST_TOLD:
        more = say(
            "{count} more points and ranks are not those of its results; see `arbiter check`",
            count=len(found) - MOST_TOLD,
        )
        note(say("{file}: {more}", file=trf.file, more=more))
    kept = not_understood(trf)
    if kept is not None:
        note(say("{file}: {kept}", file=trf.file, kept=kept))
    return found


def tell_regulations(trf: TrfFile, taken: Regulations) -> None:
    """Says on standard error where the file says that it was played by other regulations than are taken."""
    _tell(trf, other_regulations(trf, taken))


def tell_format(trf: TrfFile, taken: Format) -> None:
    """Says on standard error where the file names a format, and is taken as a Swiss."""
    _tell(trf, other_format(trf, taken))


def _tell(trf: TrfFile, other: Difference | None) -> None:
    if other is not None:
        note(_at_its_place(trf, other))


def _at_its_place(trf: TrfFile, one: Difference) -> Message:
    return say("{file}:{line}:{column}: {detail}", file=trf.file, line=one.line, column=one.column, detail=one.detail)


def each_outcome(files: Sequence[str], work: Callable[[str], Any]) -> Iterator[Outcome]:
    """Each file's outcome, in order; several files are worked on in processes. ``work`` is picklable."""
    guarded = partial(_guarded, work)
    if len(files) == 1:
        yield guarded(files[0])
        return
    if files.count("-") > 0:
        raise Failure(say("standard input (-) stands alone"))
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
        return Outcome(file, None, f"{file}: {failure.strerror or failure}", 2)


def exit_code(outcomes: Sequence[Outcome]) -> int:
    """The worst of several outcomes; says on standard error what went wrong."""
    for outcome in outcomes:
        if outcome.message:
            note(f"arbiter: {' '.join(words(outcome.message).split())}")
    return max((o.code for o in outcomes), default=0)
