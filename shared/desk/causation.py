"""What came of a command: what its lines brought due, as the rules tell it, and the commands that decided that.

A command without a person (its first line has the role ``rulebook``) came of the command whose lines brought it due.
That follows from the log alone: from the fold before and after each command.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from shared.core.event_types.evolve import evolve
from shared.core.events import Event, RulingAnnulled, RulingMade
from shared.core.readings.settlement import newly_outdated, snapshot
from shared.core.state.tournament import TournamentState
from shared.core.terms import RulingId, Seq, Source
from shared.desk.rules_port import Rules

Due = tuple[Source, object]
"""A command that the state of the log calls for, and the service that decides it."""


def due_in(tournament: TournamentState, rules: Mapping[Source, Rules]) -> list[Due]:
    """All that is due, by service and in the order of its rules."""
    return [(source, command) for source, own in rules.items() for command in own.due(tournament)]


def due_types(rules: Mapping[Source, Rules]) -> frozenset[type]:
    """The types of all events that may bring something due."""
    return frozenset().union(*(own.due_after for own in rules.values()))


def may_bring_due(data: Iterable[object], due_types: frozenset[type]) -> bool:
    """Whether something can be due after these events: cheap, and false for most."""
    return not due_types.isdisjoint(map(type, data))


def consequent_rulings(events: Sequence[Event]) -> list[RulingId]:
    """The rulings and annulments that a command brought, by itself or by what came of it; not one that was commanded."""
    return [e.data.ruling for e in events[1:] if isinstance(e.data, RulingMade | RulingAnnulled)]


@dataclass(slots=True)
class _Awaited:
    """Something due of the command: since line ``since``, until ``until`` where another line took it away."""

    due: Due
    since: Seq
    until: Seq | None = None
    decided: bool = False


class Consequences:
    """The official lines of one command and of what came of it; fed with the log from the command's first line on.

    ``before`` is the fold up to there; it is changed. ``events`` are those found so far, ``seq`` the last line read.
    """

    @classmethod
    def none(cls, own: Sequence[Event]) -> "Consequences":
        """Those of a command whose lines bring nothing due."""
        consequences = cls("", TournamentState(""), {})
        consequences.events = [*own]
        return consequences

    def __init__(self, command: str, before: TournamentState, rules: Mapping[Source, Rules]) -> None:
        self.events: list[Event] = []
        self.seq: Seq = before.seq
        self._command, self._state, self._rules = command, before, rules
        self._due, self._due_types = due_in(before, rules), due_types(rules)
        self._before = snapshot(before)
        self._awaited: list[_Awaited] = []

    @property
    def open(self) -> int:
        """How many commands are due that came of it and are not decided yet."""
        return sum(not awaited.decided and awaited.until is None for awaited in self._awaited)

    @property
    def over(self) -> bool:
        """Whether no later line can belong to it."""
        return all(awaited.decided for awaited in self._awaited)

    def outdated(self) -> list[dict[str, Any]]:
        """Return the bases that were not outdated before, as answers have them."""
        return newly_outdated(self._before, self._state)

    def read(self, events: Iterable[Event]) -> None:
        """The next lines of the log, up to the end of a command; reads no more than it needs."""
        for command, group in groupby(events, key=lambda event: event.command):
            if self.events and command != self._command and self.over:
                return
            self._take(command, list(group))

    def _take(self, command: str, events: list[Event]) -> None:
        before = self._due
        for event in events:
            evolve(self._state, event)
        self.seq = events[-1].seq
        if before or may_bring_due((e.data for e in events), self._due_types):
            self._due = due_in(self._state, self._rules)
        mine = command == self._command or self._decides(events)
        self._leave(events[0])
        if mine:
            self.events += events
            self._awaited += [_Awaited(due, self.seq) for due in self._due if due not in before]

    def _decides(self, events: list[Event]) -> bool:
        """Whether a command without a person decided something awaited: it was due where the command's service had read to,
        and is so no more."""
        first, decided = events[0], False
        if first.role != "rulebook":
            return False
        for awaited in self._awaited:
            if awaited.decided or awaited.due[0] != first.source or awaited.due in self._due:
                continue
            if awaited.until is None or awaited.since <= first.basis <= awaited.until:
                awaited.decided = decided = True
        return decided

    def _leave(self, first: Event) -> None:
        """Note what this command took away without deciding it; a service that has not seen that may still decide it."""
        for awaited in self._awaited:
            if not awaited.decided and awaited.until is None and awaited.due not in self._due:
                awaited.until = Seq(first.seq - 1)
