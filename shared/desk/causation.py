"""The consequences of a command: the automatic commands that its events made due by the rules, and their decisions.

An automatic command (its first event has the role ``rulebook``) is a consequence of the command whose events made it due.
This is determined from the log alone: from the state before and after each command.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from shared.core.event_types.evolve import evolve
from shared.core.events import Event
from shared.core.readings.settlement import snapshot, unlisted_changes
from shared.core.state.tournament import TournamentState
from shared.core.terms import Seq, Source
from shared.desk.rules_port import Due, Rules, due_in, due_types, may_be_due


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

    def unlisted_changes(self) -> dict[str, Sequence[Any]]:
        """Return the changes that these events caused without listing them, as members of an answer."""
        return unlisted_changes(self._before, self._state)

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
        """Record awaited commands that a command, by its ``first`` event, made unnecessary without deciding them.

        A service that has not read that event may still decide them.
        """
        for awaited in self._awaited:
            if not awaited.decided and awaited.until is None and awaited.due not in self._due:
                awaited.until = Seq(first.seq - 1)
