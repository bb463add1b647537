"""The lines of a log as pages show them: each as a sentence, with who wrote it and what was written with it."""

from collections.abc import Iterable
from dataclasses import dataclass

from services.standings import queries
from services.standings.descriptions.registry import sentence
from services.standings.descriptions.words import texts
from services.standings.page_context import PageContext
from shared.core.events import Event
from shared.core.language.messages import Message
from shared.desk.desk import Desk
from shared.log.port import Row


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line; ``event`` and ``sentence`` are None where this version cannot read it. ``texts`` are for those who may read
    them, None for the others."""

    seq: int
    event: Event | None
    sentence: Message | None
    texts: tuple[str | None, ...]


def log_lines(page: PageContext, desk: Desk, rows: Iterable[Row]) -> list[LogLine]:
    """Rows of the log as lines of a page."""
    return [_line(page, desk, row) for row in rows]


def _line(page: PageContext, desk: Desk, row: Row) -> LogLine:
    event = queries.event_of(row)
    if event is None:
        return LogLine(row.seq, None, None, ())
    words = sentence(page.state, event.data, page.call)
    return LogLine(row.seq, event, words, tuple(page.texts_of(desk, texts(event.data))))
