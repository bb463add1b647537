"""Re-evaluation: the state that each command saw, its decision, and whether the rules decide the same.

A command saw ``fold(log[:basis])`` and then the later events of its own source that were written before it. Type, subject
and data are compared, but not ID, time and signatures.
"""

from base64 import b64encode
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import Any

from shared.audit.checkpoints.checkpoint import BadCheckpoint, Verifies, parse
from shared.audit.checkpoints.publications import publication_signature_fault
from shared.audit.difference import BROKEN, MISSING, PARTIAL, RemovalsByGame, broken, difference, one_line
from shared.audit.evidence.held_evidence import SheetEvidence
from shared.audit.missing_engine import ENGINE_MISSING, difference_by_any_engine, judge_without_engine
from shared.audit.report import Crossing, OnProgress, Report, on_sheet, silent, with_progress
from shared.core import events as ev
from shared.core.event_types.evolve import evolve
from shared.core.event_types.registry import MASKED, NAMES
from shared.core.events import Event, StandingsPublished
from shared.core.language.messages import Message, message_of, say
from shared.core.state.tournament import TournamentState
from shared.core.terms import GAMES, Refusal, Seq, Source
from shared.core.trust.merkle import Tree
from shared.desk.rules_port import Rules, Seal
from shared.wire.envelope import Line

_FROM_SHEETS = (
    ev.GameStarted,
    ev.ColoursCorrected,
    ev.ColoursSettled,
    ev.GameEnded,
    ev.FindingMade,
    ev.FindingWithdrawn,
    ev.FactsChecked,
    ev.ClaimPending,
    ev.ClaimSettled,
)
"""Events decided on a score sheet."""


class Redecision:
    """One pass over a log that re-evaluates each command on the state that it saw, and reports commands due at the end."""

    def __init__(
        self,
        report: Report,
        events: Sequence[Event],
        tree: Tree,
        rules: Mapping[Source, Rules],
        sheets: SheetEvidence,
        keys: Sequence[Verifies],
    ) -> None:
        self.report, self.events, self.tree, self.rules = report, events, tree, rules
        self.sheets, self.keys = sheets, keys
        self.fold = TournamentState(report.tournament)
        self._snapshots: dict[int, TournamentState] = {}
        self._states: dict[str, tuple[Any, int]] = {}
        """Game -> its sheet's state, and the number of events applied to it."""
        self._removals = RemovalsByGame(events)
        self._sealed_before: dict[str, Any] = {}
        """Values that the sealing of one publication leaves for the next."""

    def run(self, engines: bool, on_progress: OnProgress = silent) -> None:
        """Re-evaluate every command while replaying the log, and report the number of commands done to ``on_progress``.

        ``engines``: whether pairings by an engine are re-evaluated.
        """
        groups = [list(g) for _, g in groupby(self.events, key=lambda e: (e.source, e.command))]
        wanted = {g[0].basis for g in groups if self._crossed(g[0])}
        sheet_commands = self._sheet_commands({e.command for e in self.events})
        self._visit(0, wanted, sheet_commands)
        for group in with_progress(on_progress, "decisions", groups):
            self._command(group, engines)
            for event in group:
                try:
                    evolve(self.fold, event)
                except Exception as failure:
                    # An event of another program may break the replay anywhere, and later events cannot be judged without it.
                    why = say("the event cannot be replayed: {failure}", failure=one_line(failure))
                    self.report.add(event.seq, event.seq, "decision", why)
                    left = len(self.events) - group[-1].seq
                    if left:
                        self.report.leave_out(say("an event before it cannot be replayed"), left)
                    return
                self._visit(event.seq, wanted, sheet_commands)
        self._sheet_chain()
        self._still_due()

    def _still_due(self) -> None:
        """Report commands that are due at the end of the log without a decision: an operator may have withheld the answer."""
        for rules in self.rules.values():
            try:
                due = rules.due(self.fold)
            except Exception as failure:
                due = ()
                self.report.lack(say("it is unknown what is due at the end: {failure}", failure=one_line(failure)))
            for command in due:
                self.report.remark(say("missing at the end of the log: {what}", what=rules.undecided(command)))

    def _sheet_chain(self) -> None:
        """Check that each sheet's events belong to this log, whose root at their basis must be their ``basisroot``."""
        for game, lines in self.sheets.events.items():
            for line in lines:
                if not 0 <= line.basis <= self.tree.size:
                    why = say("its basis {basis} is not in the log", basis=line.basis)
                elif b64encode(self.tree.root(line.basis)).decode() != line.basisroot:
                    why = say("its basisroot is not the root hash of the first {basis} events", basis=line.basis)
                else:
                    continue
                self.report.add(line.seq, line.seq, "sheet", on_sheet(game, why))

    def _visit(self, seq: int, wanted: set[Seq], sheet_commands: dict[int, list[tuple[str, list[Line]]]]) -> None:
        if seq in wanted:
            self._snapshots[seq] = self.fold.fork()
        for game, lines in sheet_commands.get(seq, ()):
            self._sheet_command(game, lines)

    def _crossed(self, first: Event) -> bool:
        """Return whether another service wrote an event between the basis of a command and its ``first`` event."""
        between = self.events[first.basis : first.seq - 1]
        return any(e.source != first.source for e in between)

    def _state_seen(self, first: Event) -> TournamentState:
        """Return the state that a command saw: the log up to its basis, and later events of its own service.

        ``first``: the command's first event. If no other service wrote in between, this is the current state.
        """
        snapshot = self._snapshots.get(first.basis)
        if not self._crossed(first) or snapshot is None:
            return self.fold
        state = snapshot.fork()
        for event in self.events[first.basis : first.seq - 1]:
            if event.source == first.source:
                evolve(state, event)
        return state

    # ------------------------------------------------------------ the official log

    def _command(self, group: Sequence[Event], engines: bool) -> None:
        first, rules = group[0], self.rules.get(group[0].source)
        reason = self._undecidable(group, rules)
        if reason:
            self.report.leave_out(reason, len(group))
            return
        assert rules is not None
        game, lines = self.sheets.commands.get(first.command, ("", []))
        try:
            command = rules.command_of(group, lines)
        except Exception:  # the rules rebuild a command from all its events, in their order
            self._differs(group, PARTIAL)
            return
        try:
            if not engines and rules.engine_of(command) is not None:
                self.report.leave_out(say("pairings by an engine, which are re-evaluated separately"), len(group))
                return
            state = self._state_seen(first)
            outcome = rules.follow(state, command, self._sheet(rules, game or rules.sheet_of(command), lines, first))
            if isinstance(outcome, Refusal) and outcome.code == ENGINE_MISSING:
                confirmed = judge_without_engine(self.report, rules, state, command, group, outcome)
                if confirmed and state is not self.fold:
                    self._integrity(rules, command, group, lines, None)
                return
            problem = difference(outcome, group, lines) or self._sealed(rules, state, group, game, outcome)
            if problem is None and state is not self.fold:
                self._integrity(rules, command, group, lines, game or rules.sheet_of(command))
        except Exception as failure:
            problem = broken(failure)
        if problem is None:
            self.report.decided += len(group)
            remark = rules.remark_on(command)
            if remark is not None:
                self.report.remark(remark)
        else:
            self._differs(group, problem)

    def _differs(self, group: Sequence[Event], problem: Message) -> None:
        self.report.differ += len(group)
        # If a command is not complete, the event after it may be the wrong one.
        torn = problem.text in (MISSING.text, BROKEN.text, PARTIAL.text)
        self.report.add(group[0].seq, group[-1].seq + torn, "decision", problem)

    def _undecidable(self, group: Sequence[Event], rules: Rules | None) -> Message | None:
        if rules is None:
            return say("the rules of {source} are unavailable", source=group[0].source)
        if not self.sheets.given and any(isinstance(e.data, _FROM_SHEETS) for e in group):
            return say("the score sheets are not given")
        return None

    def _integrity(
        self, rules: Rules, command: Any, group: Sequence[Event], lines: Sequence[Event], game: str | None
    ) -> None:
        """List a correct decision as concurrent if it would be different after reading all events before it."""
        outcome = rules.follow(self.fold, command, self._sheet(rules, game, lines, group[0]))
        why = difference_by_any_engine(rules, self.fold, command, outcome, group, lines)
        if why is not None:
            self._list_crossing(group[0].seq, why)

    def _list_crossing(self, seq: Seq, why: Message) -> None:
        noted = any(getattr(e.data, "seq", None) == seq for e in self.events if "crossing" in NAMES[type(e.data)])
        self.report.crossings.append(Crossing(seq, why, noted))

    def _sealed(
        self, rules: Rules, state: TournamentState, group: Sequence[Event], game: str, outcome: Any
    ) -> Message | None:
        """Return why a value that the command handler filled into the command's events (``group``) is wrong, or None.

        Such values are the digest and checkpoint of published standings, and the hash of the score sheet of ``game``.
        """
        first = group[0]
        bare = (*outcome.events, *outcome.brought)
        for event, data in zip(group, bare, strict=True):
            if type(data) not in MASKED:
                continue
            count, digest = self._sheet_digest(event, game)
            seal = Seal(
                state, first.basis, self.tree.root(first.basis), count, digest, lambda *_: "", self._sealed_before
            )
            sealed = rules.seal(data, seal)
            if isinstance(event.data, StandingsPublished):
                if event.data.digest != getattr(sealed, "digest", None):
                    return say("the digest of the published table differs from that of the recomputed table")
                return self._published_checkpoint(event.data.checkpoint, state, first.basis)
            if getattr(event.data, "sheet", None) != getattr(sealed, "sheet", None):
                return say("the score sheet does not match the hash in the log")
        return None

    def _published_checkpoint(self, note: str, state: TournamentState, basis: int) -> Message | None:
        try:
            checkpoint = parse(note)
        except BadCheckpoint as problem:
            return say("the published checkpoint cannot be read: {problem}", problem=message_of(problem))
        if (checkpoint.origin, checkpoint.size) != (
            state.origin,
            basis,
        ) or checkpoint.root != self.tree.root(basis):
            return say("the published checkpoint differs from that of the log")
        return publication_signature_fault(checkpoint, self.keys, self.report.remark) if self.keys else None

    def _sheet_digest(self, event: Event, game: str) -> tuple[int, str]:
        game_id = game or getattr(event.data, "game", "")
        mine = [e.sourceseq for e in self.sheets.events.get(game_id, ()) if e.command == event.command]
        ref = getattr(event.data, "sheet", None)
        count = mine[-1] if mine else (self._lines_before(game_id, event) if ref else 0)
        return count, sha256(b"".join(line + b"\n" for line in self.sheets.lines.get(game_id, [])[:count])).hexdigest()

    # ------------------------------------------------------------ score sheets

    def _sheet_commands(self, official: set[str]) -> dict[int, list[tuple[str, list[Line]]]]:
        """Return the commands that wrote only to a sheet, by basis. ``official``: those with events in the log."""
        by_basis: dict[int, list[tuple[str, list[Line]]]] = defaultdict(list)
        for command, (game, lines) in self.sheets.commands.items():
            if command not in official:
                by_basis[lines[0].basis].append((game, lines))
        return by_basis

    def _sheet_command(self, game: str, lines: Sequence[Event]) -> None:
        rules, first = self.rules.get(GAMES), lines[0]
        if rules is None:
            return
        try:
            state = self.fold
            if first.official != state.counts.get(GAMES, 0):
                state = self.fold.fork()
                for event in self.events[first.basis :]:
                    if event.source == GAMES and event.sourceseq <= (first.official or 0):
                        evolve(state, event)
            command = rules.command_of((), lines)
            outcome = rules.follow(state, command, self._sheet(rules, game, lines, first))
            problem = difference(outcome, (), lines)
        except Exception as failure:
            problem = broken(failure)
        if problem is not None:
            self.report.add(first.seq, first.seq, "sheet", on_sheet(game, problem))
        elif (unread := self._removals.unread_by(self.fold, game, first)) is not None:
            self._list_crossing(*unread)

    def _lines_before(self, game: str, event: Event) -> int:
        """Return how many events of a score sheet were written before an official ``event`` of the same service.

        Each event of a sheet contains the number of the last official event before it (``official``).
        """
        return bisect_left(self.sheets.events.get(game, ()), event.sourceseq, key=lambda line: line.official or 0)

    def _sheet(self, rules: Rules, game: str | None, lines: Sequence[Event], first: Event) -> Any:
        """Return the state of a game's sheet before its events ``lines``, or, without lines, when ``first`` was written."""
        if not game:
            return None
        state, place = self._states.get(game, (None, 0))
        upto = lines[0].sourceseq - 1 if lines else self._lines_before(game, first)
        if state is None or upto < place:
            state, place = rules.new_sheet(game), 0
        for event in self.sheets.events.get(game, ())[place:upto]:
            rules.evolve_sheet(state, event)
        self._states[game] = (state, upto)
        return state
