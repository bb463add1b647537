"""Previews: the consequences of a command, decided on a copy by the rules of all services. Nothing is written."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import msgspec

from shared.core.event_types.evolve import evolve
from shared.core.event_types.registry import NAMES
from shared.core.events import Data, Decision, Event, NewEvent, Official, SheetLine
from shared.core.state.tournament import TournamentState
from shared.core.terms import RULEBOOK, Actor, GameId, Refusal, Seq, Source
from shared.desk.rules_port import Due, Rules, due_in, due_types, may_be_due
from shared.wire import envelope

Sheets = Mapping[str, Sequence[bytes]]
"""Game -> the lines of its score sheet."""


class SheetNeeded(Exception):
    """Raised if the decision needs the score sheet of a game that was not given. The game is the only argument."""


@dataclass(frozen=True, slots=True)
class Foresight:
    """The preview of a command, decided after event ``seq``.

    ``events``: the official events. Its own come first, then those of automatic commands, each with the service, the actor and
    the role that would write it. Fields that only the writer knows (masked fields) are left as the rules leave them.
    ``lines`` go to the score sheet of a game. ``digest`` covers the command's own decision.
    ``after`` is the tournament with all the events.
    """

    seq: int
    events: tuple[Event, ...]
    lines: tuple[SheetLine, ...]
    digest: str
    after: TournamentState


def foresee(
    t: TournamentState, source: Source, command: Any, rules: Mapping[Source, Rules], *, sheets: Sheets, now: str
) -> Foresight | Refusal:
    """Return the decision of ``source`` on a command at ``now`` (RFC 3339), and the decisions of all services after it.

    ``t`` is not changed. A refusal is that of the command. ``sheets``: the score sheets that the decisions may need. Raises
    `SheetNeeded` if one is missing.
    """
    run = _Run(t.fork(), rules, now, sheets)
    outcome = run.decide(source, command)
    if isinstance(outcome, Refusal):
        return outcome
    digest = digest_of(t, source, (*outcome.events, *outcome.brought))
    before = due_in(run.after, rules)
    run.fold(source, command.actor, outcome)
    if may_be_due((e.data for e in run.events), due_types(rules)):
        run.follow(before)
    return Foresight(t.seq, tuple(run.events), outcome.lines, digest, run.after)


@dataclass(slots=True)
class _Run:
    """One preview in progress. ``after`` and the sheets change as events are applied."""

    after: TournamentState
    rules: Mapping[Source, Rules]
    now: str
    sheets: Sheets
    events: list[Event] = field(default_factory=list)
    folds: dict[str, Any] = field(default_factory=dict)

    def decide(self, source: Source, command: Any) -> Decision | Refusal:
        game = self.rules[source].sheet_of(command)
        return self.rules[source].follow(self.after, command, None if game is None else self._sheet(source, game))

    def follow(self, before: Sequence[Due]) -> None:
        """Decide in turn the commands that are due now and were not ``before``. Each sees the results of the previous ones."""
        tried = [*before]
        while (due := next((due for due in due_in(self.after, self.rules) if due not in tried), None)) is not None:
            tried.append(due)
            source, command = due
            outcome = self.decide(source, command)
            if isinstance(outcome, Decision):
                actor: Actor = command.actor  # type: ignore[attr-defined]  # every command has one
                self.fold(source, actor, outcome)

    def fold(self, source: Source, actor: Actor, decision: Decision) -> None:
        """Apply a decision of ``source`` to the preview, the events of its score sheet first."""
        if decision.game is not None:
            sheet = self._sheet(source, decision.game)
            for line in decision.lines:
                self.rules[source].evolve_sheet(sheet, self._event(source, actor, line))
        commanded: list[tuple[Actor, Official]] = [(actor, data) for data in decision.events]
        for author, data in (*commanded, *((RULEBOOK, data) for data in decision.brought)):
            event = self._event(source, author, data)
            evolve(self.after, event)
            self.events.append(event)

    def _event(self, source: Source, author: Actor, data: Data) -> Event:
        t = self.after
        number = t.counts.get(source, 0) + 1
        return NewEvent(
            Seq(t.seq + 1), source, number, t.seq, "", author.name, author.role, author.tokenid, data, self.now
        )

    def _sheet(self, source: Source, game: GameId | str) -> Any:
        """Return the state of a game's score sheet, including the decisions of this preview."""
        if game not in self.folds:
            if game not in self.sheets:
                raise SheetNeeded(game)
            rules = self.rules[source]
            state = self.folds[game] = rules.new_sheet(game)
            for number, line in enumerate(self.sheets[game], 1):
                rules.evolve_sheet(state, envelope.read(line, number))
        return self.folds[game]


_NUMBERED = re.compile(r"([rab])([1-9][0-9]{0,8})")
"""IDs that contain the number of an event: rulings, appeals and arrivals, breaks."""
_TIMES = ("lodged",)
_TEXT = {"text"}


def digest_of(t: TournamentState, source: Source, events: Iterable[Official]) -> str:
    """Return the SHA-256 (hex) of a decision of ``source`` on ``t``.

    The same decision after further events has the same digest: a new ID is replaced by its place in the decision.
    """
    last = t.counts.get(source, 0)
    content = [[NAMES[type(data)], _without_times(msgspec.to_builtins(data), last)] for data in events]
    return sha256(msgspec.json.encode(content, order="sorted")).hexdigest()


def _without_times(value: Any, last: int) -> Any:
    """Return a value without times and salts, its new IDs counted from ``last``, the number of the event before the decision."""
    if isinstance(value, dict):
        if value.keys() == _TEXT:
            return "text"
        return {name: _without_times(one, last) for name, one in value.items() if name not in _TIMES}
    if isinstance(value, list | tuple):
        return [_without_times(one, last) for one in value]
    if isinstance(value, str) and (id := _NUMBERED.fullmatch(value)) and int(id[2]) > last:
        return f"{id[1]}+{int(id[2]) - last}"
    return value
