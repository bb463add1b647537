"""Texts that lines name and that are not there, for ``/readyz`` and Prometheus; looked for as the log grows, a part at a look."""

import threading
import time
from collections.abc import Iterable
from typing import Any

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from shared.audit.evidence.named_texts import NamedText, NamedTexts
from shared.core.language.messages import say
from shared.log.port import Log, LogUnavailable, Row

_AT_ONCE = 1000
"""Lines read, and texts asked for, at one look: what a look costs does not grow with the log."""
_AGAIN_SECONDS = 5.0
_TOLD = 12


class LostTexts(Collector):
    """What of a log, and of the score sheets kept beside it, names a text that is not there.

    A look reads the lines that came, and asks for the next part of all texts, over and over. Apart from the log, a text and
    the line that names it come by different topics: one counts as lost where it was asked for twice, ``again`` seconds apart.
    """

    def __init__(self, log: Log, again: float = _AGAIN_SECONDS) -> None:
        self._log, self._again, self._due = log, again, 0.0
        self._named, self._own, self._ledger, self._place = NamedTexts(), 0, 0, 0
        self._missing: dict[str, NamedText] = {}
        self._lost: dict[str, NamedText] = {}
        self._lock = threading.Lock()

    def facts(self) -> dict[str, Any]:
        """``texts``: in a line each, at most `_TOLD`; nothing where none is lost."""
        lost = self._look()
        told = [
            say("{t}, {place}: the text {hash}… is not there", t=text.tournament, place=text.place, hash=text.hash[:16])
            for text in lost[:_TOLD]
        ]
        if len(lost) > _TOLD:
            told.append(say("and {number} more: `{command}`", number=len(lost) - _TOLD, command="arbiter doctor"))
        return {"texts": list(map(str, told))} if told else {}

    def collect(self) -> Iterable[Metric]:
        meaning = "Texts that lines name, that nobody has erased, and that are not there"
        yield GaugeMetricFamily("arbiter_lost_texts", meaning, value=len(self._look()))

    def _look(self) -> list[NamedText]:
        with self._lock:
            if time.monotonic() >= self._due:
                self._due = time.monotonic() + self._again
                try:
                    self._read_on()
                    self._ask()
                except LogUnavailable:
                    pass  # Said by readyz itself; what was known stays.
            return list(self._lost.values())

    def _read_on(self) -> None:
        own, ledger = self._log.own_tail(self._own, _AT_ONCE), list[Row]()
        if not self._log.immediate:
            ledger = self._log.tail(self._ledger, _AT_ONCE)
        self._named.read(ledger)
        self._named.read(row for row in own if row.seq)
        self._own = own[-1].pos if own else self._own
        self._ledger = ledger[-1].pos if ledger else self._ledger

    def _ask(self) -> None:
        asked = self._named.part(self._place, _AT_ONCE)
        self._place = self._place + len(asked) if self._place + len(asked) < len(self._named) else 0
        missing = {text.hash: text for text in self._named.missing(self._log.texts([t.hash for t in asked]), asked)}
        for text in asked:
            again = text.hash in missing
            _put(self._lost, text, again and text.hash in self._missing)
            _put(self._missing, text, again)


def _put(kept: dict[str, NamedText], text: NamedText, whether: bool) -> None:
    if whether:
        kept[text.hash] = text
    else:
        kept.pop(text.hash, None)
