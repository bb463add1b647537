"""How far an audit is, on a terminal; a pipe and a file get nothing."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars

from deploy.cli.language import words
from services.standings.audits import STAGES
from shared.audit.progress import Progress, Stage, Tell, silent


@contextmanager
def progress_bar() -> Iterator[Tell]:
    """A bar for each stage on standard error, where that is a terminal; they are gone when the audit is made."""
    if not sys.stderr.isatty():
        yield silent
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        shown: dict[Stage, TaskID] = {}

        def tell(progress: Progress) -> None:
            stage, done, total = progress
            if stage not in shown:
                shown[stage] = bars.add_task(words(STAGES[stage]), total=total)
            bars.update(shown[stage], completed=done)

        yield tell
