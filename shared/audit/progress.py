"""The progress of an audit, reported about a hundred times in each stage."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

Item = TypeVar("Item")

Stage = Literal["lines", "sheets", "signatures", "decisions"]
"""The stages of an audit, in order: events are read and chained, score sheets read, signatures checked, commands re-evaluated."""


class Progress(NamedTuple):
    """``done`` of ``total`` events, games or commands of a stage."""

    stage: Stage
    done: int
    total: int


OnProgress = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Ignore the progress."""


def with_progress(on_progress: OnProgress, stage: Stage, items: Sequence[Item]) -> Iterator[Item]:
    """Yield the items, and report before the first, after the last, and about a hundred times between."""
    total = len(items)
    step = max(1, total // 100)
    for done, item in enumerate(items):
        if done % step == 0:
            on_progress(Progress(stage, done, total))
        yield item
    on_progress(Progress(stage, total, total))
