"""The port between a service's rules and the code that runs them (command handler, audit)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from shared.core.events import Data, Decision, Event, KeyAnnounced, Official
from shared.core.language.messages import Message, say
from shared.core.readings.authority import Permit
from shared.core.readings.command_row import CommandRow, Written
from shared.core.readings.key_announcement import AnnounceKey, announce_key
from shared.core.state.tournament import TournamentState
from shared.core.terms import Actor, GameId, Refusal, Source


@dataclass(frozen=True, slots=True)
class Seal:
    """The values that only the command handler knows, for the fields that an event type has ``masked``.

    ``tournament``, ``basis`` and ``root``: the state that the command saw. ``sheet_lines`` and ``sheet_sha256`` cover the game's
    score sheet with this command's events in it. ``sign`` makes a signed checkpoint of (origin, basis, root), or returns "" if
    the auditor has no key. ``memory``: values of earlier seals in the same reading of the log, by owner; None if nothing is
    sealed after this.
    """

    tournament: TournamentState
    basis: int
    root: bytes
    sheet_lines: int
    sheet_sha256: str
    sign: Callable[[str, int, bytes], str]
    memory: dict[str, Any] | None = None


def _keep_data(data: Data, seal: Seal) -> Data:
    return data


def _never(tournament: TournamentState, command: Any) -> bool:
    return False


def _nothing_due(tournament: TournamentState) -> Sequence[Any]:
    return ()


def _due(command: Any) -> Message:
    return say("a decision that the log requires is missing")


def _keep_answer(tournament: TournamentState, answer: Decision | Refusal, sheet: Any) -> Decision | Refusal:
    return answer


def _call_here(decide: Callable[..., Decision | Refusal], *arguments: Any) -> Decision | Refusal:
    return decide(*arguments)


@dataclass(frozen=True, slots=True)
class Rules:
    """One service's decisions.

    ``rows``: its commands, one row each, apart from `AnnounceKey`, which every service has. ``finish(tournament, answer,
    sheet)`` completes the decision of a row. ``long`` marks commands of an engine to be computed in a child process.
    ``due`` lists the automatic commands (role rulebook) that the state of the log requires, for example for open findings.
    ``due_after``: the types of events after which something may be due; after other events ``due`` is not called.
    ``undecided`` is the message for a due command without a decision. ``seal`` fills in masked fields. ``engine_of`` returns
    the pairing engine needed to re-evaluate a command, or None. ``problem_without_engine(tournament, events)`` returns why
    the events of such a command are wrong whatever the engine chose, or None if only the engine could say.
    ``remark_on(command)`` is an audit's remark on a correct decision that no service makes in this way any more.
    """

    source: Source
    rows: tuple[CommandRow, ...]
    finish: Callable[[Any, Decision | Refusal, Any], Decision | Refusal] = _keep_answer
    new_sheet: Callable[[str], Any] = lambda game: None
    evolve_sheet: Callable[[Any, Event], None] = lambda sheet, event: None
    fork_sheet: Callable[[Any], Any] = lambda sheet: sheet
    long: Callable[[TournamentState, Any], bool] = _never
    due: Callable[[TournamentState], Sequence[Any]] = _nothing_due
    due_after: frozenset[type[Official]] = frozenset()
    undecided: Callable[[Any], Message] = _due
    seal: Callable[[Data, Seal], Data] = _keep_data
    engine_of: Callable[[Any], str | None] = lambda command: None
    problem_without_engine: Callable[[TournamentState, Sequence[Data]], Message | None] = lambda tournament, events: (
        None
    )
    remark_on: Callable[[Any], Message | None] = lambda command: None
    row_of: Mapping[type[Any], CommandRow] = field(init=False, repr=False, compare=False)
    """The row of each command, by its class."""
    _written_by: Mapping[type[Any], Sequence[CommandRow]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        announce = partial(announce_key, source=self.source)
        key = CommandRow(AnnounceKey, "announce a key", KeyAnnounced, announce, after_final=True)
        by_event: dict[type[Any], list[CommandRow]] = {}
        for row in (*self.rows, key):
            for event in row.events if isinstance(row.events, tuple) else (row.events,):
                by_event.setdefault(event, []).append(row)
        object.__setattr__(self, "row_of", {row.command: row for row in (*self.rows, key)})
        object.__setattr__(self, "_written_by", by_event)

    def decide(
        self, tournament: TournamentState, command: Any, sheet: Any = None, run: Callable[..., Any] = _call_here
    ) -> Decision | Refusal:
        """Return the events of the command, or why not. Pure.

        ``sheet``: the state of the score sheet of its game, if `sheet_of` returns one. ``run`` calls the function that decides,
        by default in this process.
        """
        row = self.row_of[type(command)]
        refusal = row.refuse(tournament, command)
        if refusal is not None:
            return refusal
        arguments = (tournament, command, sheet) if row.sheet else (tournament, command)
        answer: Decision | Refusal = run(row.decide, *arguments)
        # A key has no consequences in a game.
        return answer if row.command is AnnounceKey else self.finish(tournament, answer, sheet if row.sheet else None)

    def command_of(self, events: Sequence[Event], lines: Sequence[Event] = ()) -> Any:
        """Return the command that wrote these official events and these lines on a score sheet."""
        on_sheet = bool(lines) and type(lines[0].data) in self._written_by
        first = lines[0] if lines else events[0]
        written = Written(
            Actor(first.actor, first.role, first.tokenid),
            tuple(event.data for event in events),
            tuple(line.data for line in lines),
            first.game,
        )
        data = lines[0].data if on_sheet else events[0].data
        row = next(row for row in self._written_by[type(data)] if row.wrote(written))
        return row.command_of(data, written)

    def sheet_of(self, command: Any) -> GameId | None:
        """Return the game whose score sheet is needed to decide the command, or None."""
        game: GameId | None = command.game if self.row_of[type(command)].sheet else None
        return game

    def permit(self, command: type[Any]) -> Permit:
        """Return the function that says why a user may not give the command, for the form of that command."""
        return self.row_of[command].permit

    def acts(self, command: type[Any]) -> tuple[str, ...]:
        """Return the acts, one of which a caller of this command must be allowed to do."""
        act = self.row_of[command].act
        return (act,) if isinstance(act, str) else act

    def follow(self, tournament: TournamentState, command: Any, sheet: Any) -> Decision | Refusal:
        """Decide a command, but refuse an automatic one (``not-due``) that the log does not require.

        Otherwise its role could bypass every permission. Not checked if the tournament was announced before roles were checked,
        nor for a service's own key, which the signature by the previous key vouches for.
        """
        outcome = self.decide(tournament, command, sheet)
        if isinstance(outcome, Refusal) or tournament.offices < 2 or command.actor.role != "rulebook":
            return outcome
        if isinstance(command, AnnounceKey) or any(command == due for due in self.due(tournament)):
            return outcome
        return Refusal("authority", "not-due", say("nothing in the log calls for it, and no person commands it"))

    @property
    def answers(self) -> bool:
        """Return whether the log can require automatic commands of this service."""
        return self.due is not _nothing_due
