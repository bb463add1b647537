"""The consequences of a command: the automatic commands that its events made due by the rules, and their decisions.

An automatic command (its first event has the role ``rulebook``) is a consequence of the command whose events made it due.
This is determined from the log alone: from the state before and after each command.
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
"""A command that the state of the log requires, and the service that decides it."""


def due_in(tournament: TournamentState, rules: Mapping[Source, Rules]) -> list[Due]:
    """Return all due commands, by service and in the order of its rules."""
    return [(source, command) for source, own in rules.items() for command in own.due(tournament)]


def due_types(rules: Mapping[Source, Rules]) -> frozenset[type]:
    """Return the types of all events that may make a command due."""
    return frozenset().union(*(own.due_after for own in rules.values()))


def may_be_due(data: Iterable[object], due_types: frozenset[type]) -> bool:
    """Return whether a command can be due after these events. Cheap, and False for most."""
    return not due_types.isdisjoint(map(type, data))


def consequent_rulings(events: Sequence[Event]) -> list[RulingId]:
    """Return the rulings and annulments that result from a command, apart from one that is the command itself."""
    return [e.data.ruling for e in events[1:] if isinstance(e.data, RulingMade | RulingAnnulled)]


@dataclass(slots=True)
class _Awaited:
    """A due command: since event ``since``, until ``until`` if another event made it unnecessary."""

    due: Due
    since: Seq
    until: Seq | None = None
    decided: bool = False


class Consequences:
    """The official events of one command and of its consequences. It reads the log from the command's first event on.

    ``before``: the state up to there, which is changed. ``events``: those found so far. ``seq``: the last event read.
    """

    @classmethod
    def none(cls, own: Sequence[Event]) -> "Consequences":
        """Return the consequences of a command whose events make nothing due."""
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
        """Return the number of due commands that result from it and are not decided yet."""
        return sum(not awaited.decided and awaited.until is None for awaited in self._awaited)

    @property
    def over(self) -> bool:
        """Return whether no later event can belong to it."""
        return all(awaited.decided for awaited in self._awaited)

    def outdated(self) -> list[dict[str, Any]]:
        """Return the bases that were not outdated before, in the form of answers."""
        return newly_outdated(self._before, self._state)

    def read(self, events: Iterable[Event]) -> None:
        """Read the next events of the log, up to the end of a command and no more than necessary."""
        for command, group in groupby(events, key=lambda event: event.command):
            if self.events and command != self._command and self.over:
                return
            self._take(command, list(group))

    def _take(self, command: str, events: list[Event]) -> None:
        before = self._due
        for event in events:
            evolve(self._state, event)
        self.seq = events[-1].seq
        if before or may_be_due((e.data for e in events), self._due_types):
            self._due = due_in(self._state, self._rules)
        mine = command == self._command or self._decides(events)
        self._leave(events[0])
        if mine:
            self.events += events
            self._awaited += [_Awaited(due, self.seq) for due in self._due if due not in before]

    def _decides(self, events: list[Event]) -> bool:
        """Return whether an automatic command decided an awaited one.

        The awaited command was due at the basis of the deciding service, and is not due any more.
        """
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
        """Record awaited commands that this one made unnecessary without deciding them.

        A service that has not read this command may still decide them.
        """
        for awaited in self._awaited:
            if not awaited.decided and awaited.until is None and awaited.due not in self._due:
                awaited.until = Seq(first.seq - 1)
