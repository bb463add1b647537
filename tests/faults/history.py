"""What callers sent and what they were told, with the moments of both, from one counter."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.faults.checker import Operation, Outcome, Read

LIVES_SECONDS = 90
"""Where nothing is acknowledged for so long, the campaign has failed: a fault that is healed must be got over."""


@dataclass(slots=True)
class Entry:
    """One operation while it goes on; ``told`` are the bodies of its acknowledgements."""

    mark: str
    stream: str
    source: str
    began: int
    ended: int = 0
    outcome: Outcome = "unknown"
    seq: int | None = None
    told: list[bytes] = field(default_factory=list)

    def operation(self) -> Operation:
        events = json.loads(self.told[0])["events"] if self.told else []
        contents = {event["id"]: content(event) for event in events}
        return Operation(
            self.mark, self.stream, self.source, self.began, self.ended, self.outcome, contents, self.seq,
            tuple(self.told),
        )  # fmt: skip


def content(event: dict[str, Any]) -> str:
    """An event's JSON, however it was written."""
    return json.dumps(event, sort_keys=True)


class History:
    """Written to by all callers and readers at once."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._moment = 0
        self._entries: list[Entry] = []
        self.reads: list[Read] = []
        self.answers: Counter[str] = Counter()
        """How often each kind of answer came."""
        self._last = time.monotonic()

    def begin(self, mark: str, stream: str, source: str) -> Entry:
        with self._changed:
            self._moment += 1
            entry = Entry(mark, stream, source, self._moment)
            self._entries.append(entry)
            return entry

    def settle(self, answer: str) -> None:
        """A call came back, answered or not."""
        with self._changed:
            self.answers[answer] += 1
            if answer == "ok":
                self._last = time.monotonic()
            self._changed.notify_all()

    def end(self, entry: Entry, outcome: Outcome) -> None:
        with self._changed:
            self._moment += 1
            entry.ended, entry.outcome = self._moment, outcome

    def read(self, read: Read) -> None:
        with self._changed:
            self.reads.append(read)

    def wait(self, condition: Callable[[], bool], seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def acknowledged(self) -> int:
        return self.answers["ok"]

    def settled(self) -> int:
        return self.answers.total()

    def silent(self) -> float:
        """Seconds since the last acknowledgement."""
        return time.monotonic() - self._last

    def operations(self) -> list[Operation]:
        """All of them, once everybody has ended; one under way then counts as not answered."""
        for entry in self._entries:
            if not entry.ended:
                self.end(entry, "unknown")
        return [entry.operation() for entry in self._entries]

    def __str__(self) -> str:
        return ", ".join(f"{count} {answer}" for answer, count in sorted(self.answers.items()))
