"""What the writer keeps between batches: working folds and score sheets, brought up to date for each batch."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from shared.core.event_types.evolve import evolve
from shared.core.terms import Source
from shared.desk.batch import Batch, SheetState, WorkingFold
from shared.desk.replay import Ledger
from shared.desk.requests import Job
from shared.desk.rules_port import Rules
from shared.desk.views import Folds, stream_of
from shared.log.port import Log, Transaction
from shared.wire import envelope

HELD = 1000
"""Working folds and score sheets kept between batches."""


class WorkingFolds:
    """The working folds by tournament, and the score sheets by game."""

    def __init__(self, log: Log, folds: Folds, rules: Mapping[Source, Rules]) -> None:
        self._log, self._folds, self._rules = log, folds, rules
        self._working: dict[str, WorkingFold] = {}
        self._sheets: dict[str, SheetState] = {}

    def get(self, tournament: str) -> WorkingFold | None:
        return self._working.get(tournament)

    def drop(self, tournament: str) -> None:
        """Forget a working fold that may hold what was not committed."""
        self._working.pop(tournament, None)

    def begin(self, tx: Transaction, batch: Batch, tournaments: Sequence[str]) -> None:
        """The working folds of a batch: what the log holds, brought up to date with own lines of other processes.

        They stay until the batch is over, whatever comes back meanwhile.
        """
        with self._folds.changed:
            for t in tournaments:
                ledger = self._folds.get(t)
                if ledger.stopped is None:
                    batch.working[t] = self._working_fold(t, ledger)
                else:
                    batch.stopped[t] = ledger.stopped
        if self._log.immediate:
            return
        (source,) = self._log.sources
        held = {stream_of(t): working.tournament for t, working in batch.working.items()}
        for row in tx.own_since({stream: t.counts.get(source, 0) for stream, t in held.items()}):
            tournament = held[row.stream]
            evolve(tournament, envelope.read(row.line, tournament.seq + 1))
        for working in batch.working.values():
            working.pending = working.tournament.counts.get(source, 0) - working.back

    def committed(self, batch: Batch) -> None:
        """Keep what a committed batch has made of the sheets and, where the append is the log, of the folds."""
        self._sheets |= batch.sheets
        if len(self._sheets) > HELD:
            self._sheets = dict(batch.sheets)
        if self._log.immediate:
            for working in batch.working.values():
                working.size = working.basis
        if len(self._working) > HELD:
            self._working.clear()

    def _working_fold(self, tournament: str, ledger: Ledger) -> WorkingFold:
        """The working fold kept from the batch before where it still fits; else a new one."""
        working, immediate = self._working.get(tournament), self._log.immediate
        if working is None or not self._came_back(working, ledger):
            back = 0 if immediate else ledger.tournament.counts.get(self._log.sources[0], 0)
            frontier = ledger.tree.frontier() if immediate else None
            root = ledger.tree.root(ledger.size)
            working = WorkingFold(ledger, ledger.tournament.fork(), ledger.size, root, ledger.size, frontier, back)
            self._working[tournament] = working
        return working

    def _came_back(self, working: WorkingFold, ledger: Ledger) -> bool:
        """Whether all that is new in the log are own lines which the working fold holds in this very order."""
        if working.ledger is not ledger or working.size == ledger.size or working.frontier is not None:
            return working.ledger is ledger and working.size == ledger.size
        (source,) = self._log.sources
        back = ledger.tournament.counts.get(source, 0)
        if back - working.back != ledger.size - working.size or back > working.tournament.counts.get(source, 0):
            return False
        working.size = working.basis = ledger.size
        working.root, working.back = ledger.tree.root(ledger.size), back
        return True

    def read_sheets(self, tx: Transaction, batch: Batch, jobs: Sequence[Job]) -> None:
        """What is new on the score sheets of all commands, in one question: a hall feeds as many as it has boards."""
        games = {game for job in jobs if (game := self._rules[job.source].sheet_of(job.command)) is not None}
        games -= batch.read
        batch.read |= games
        after = {f"games/{g}": self._sheets[g].count if g in self._sheets else 0 for g in games}
        for row in tx.sheets_since(after) if after else ():
            batch.foreign.setdefault(row.stream, []).append(row)

    def sheet(self, batch: Batch, rules: Rules, game: str | None) -> SheetState | None:
        """The game's score sheet as this command sees it: a fork, kept only when the batch is committed."""
        if game is None:
            return None
        known = batch.sheets.get(game) or self._sheets.get(game)
        if known is None:
            state = SheetState(rules.new_sheet(game), 0, sha256())
        else:
            state = SheetState(rules.fork_sheet(known.state), known.count, known.digest.copy(), known.time)
        for row in batch.foreign.get(f"games/{game}", ()) if game not in batch.sheets else ():
            event = envelope.read(row.line, row.seq)
            rules.evolve_sheet(state.state, event)
            state.count, state.time, _ = row.seq, event.time, state.digest.update(row.line + b"\n")
        return state
