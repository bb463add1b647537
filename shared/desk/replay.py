"""Replay: the events of a log, read and applied to a state, without the tree over them.

`replay` trusts its lines and only applies them. A `views.Ledger` also checks the roots that they state.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count

import msgspec

from shared.core.event_types.evolve import evolve, fold
from shared.core.language.messages import Message, say
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Seq, Source
from shared.desk.requests import NoRegulations
from shared.log.port import Row
from shared.wire.envelope import Line, Unreadable, read


def events_of(lines: Iterable[bytes]) -> Iterator[Line]:
    """Yield the events of one stream's lines (without LF), numbered from 1. Raises `envelope.Unreadable` at a line."""
    return map(read, lines, count(1))


def events_until_unreadable(rows: Iterable[Row]) -> Iterator[Line]:
    """Yield the events of a log's rows, up to one that this version cannot read."""
    for row in rows:
        try:
            yield read(row.line, row.seq)
        except Unreadable:
            return


def replay(lines: Iterable[bytes], tournament: str) -> TournamentState:
    """Return the state after the lines (without LF) of one log. Raises `envelope.Unreadable`."""
    return fold(tournament, events_of(lines))


@dataclass(frozen=True, slots=True)
class View:
    """The view of a tournament for readers: the state after event ``seq`` and the root there, without pending events.

    ``state`` may be that of a tournament without regulations, for example at its first event.
    """

    state: TournamentState
    seq: int
    root: bytes
    stopped: Message | None = None

    @property
    def tournament(self) -> Tournament:
        """Return the state, which was announced and has regulations. Raises `NoRegulations` if it has none yet."""
        if not isinstance(self.state, Tournament):
            raise NoRegulations(say("{t} has not adopted a ruleset yet", t=self.state.id))
        return self.state


class _Place(msgspec.Struct):
    source: Source
    sourceseq: int


_PLACE = msgspec.json.Decoder(_Place)
"""Reads the place of any event that a service copied into its ledger, whatever else the event contains."""


def skip_event(t: TournamentState, line: bytes, seq: int) -> None:
    """Skip an event that this version cannot read: only record that its source has used its number."""
    place = _PLACE.decode(line)
    t.seq = Seq(seq)
    t.counts[place.source] = max(place.sourceseq, t.counts.get(place.source, 0))


def evolve_line(t: TournamentState, line: bytes, seq: int) -> Line | None:
    """Apply a line of a log that is not suspended before it, and return its event.

    An unreadable line that was skipped when the tournament was resumed is left out; the result is then None.
    Raises `envelope.Unreadable` if no service can have written the line.
    """
    try:
        event = read(line, seq)
    except Unreadable as unreadable:
        try:
            skip_event(t, line, seq)
        except msgspec.MsgspecError:
            raise unreadable from None
        return None
    evolve(t, event)
    return event
