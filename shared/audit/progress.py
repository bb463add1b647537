"""How far an audit is: told as it goes on, about a hundred times a stage."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeVar

Item = TypeVar("Item")

Stage = Literal["lines", "sheets", "signatures", "decisions"]
"""What an audit does, one after the other: lines are read and chained, score sheets read, signatures checked, commands decided
again."""


class Progress(NamedTuple):
    """``done`` of ``total`` lines, games or commands of a stage."""

    stage: Stage
    done: int
    total: int


Tell = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Tells nobody."""


def told(tell: Tell, stage: Stage, items: Sequence[Item]) -> Iterator[Item]:
    """The items, one after the other, telling before the first, after the last and some hundred times between."""
    total = len(items)
    step = max(1, total // 100)
    for done, item in enumerate(items):
        if done % step == 0:
            tell(Progress(stage, done, total))
        yield item
    tell(Progress(stage, total, total))
