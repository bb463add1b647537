"""The port between a service's rules and the code that runs them (command handler, audit): the rows of its commands."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from typing import Any, Generic, NamedTuple, TypeVar

from shared.core.events import Data, Decision, Event, KeyAnnounced, Official
from shared.core.language.messages import Message, say
from shared.core.readings.authority import ANNOUNCE, Permit, permit, permit_granted, unknown_tournament
from shared.core.readings.key_announcement import AnnounceKey, announce_key
from shared.core.readings.value_gate import refuse_values
from shared.core.rulebook.articles import own_article
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, GameId, Refusal, Source
from shared.signing.recovery import vouches

Like = TypeVar("Like")
Commanded = TypeVar("Commanded", bound=Official)


@dataclass(frozen=True, slots=True)
class EventCommand(Generic[Commanded]):
    """A command that consists of an actor and an ``event``, which is written unchanged if it is permitted."""

    actor: Actor
    event: Commanded


class Written(NamedTuple):
    """The output of a command: the data of its official ``events``, and of its ``lines`` on the score sheet of ``game``."""

    actor: Actor
    events: tuple[Any, ...]
    lines: tuple[Any, ...] = ()
    game: GameId | None = None


def copy_fields(kind: Callable[..., Like], data: Any, **others: Any) -> Like:
    """Return an object of class ``kind`` with the fields that ``data`` has by the same names, and the ``others``.

    The other fields keep their defaults.
    """
    return kind(**{name: getattr(data, name) for name in _shared_fields(kind, data.__class__)} | others)


@cache
def _shared_fields(kind: Any, data: Any) -> tuple[str, ...]:
    names = {field.name for field in fields(data)}
    return tuple(field.name for field in fields(kind) if field.name in names)


def accept_all(written: Written) -> bool:
    """Return True for any events, as the default of `CommandRow.wrote`."""
    return True


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command of a service.

    ``act``: the act of an office that it is (a row of `authority.ACTS`), or the acts that the rulebook grants, one of which
    is required. ``events``: the types of the first event that it writes, on the score sheet if it writes there.
    ``decide(tournament, command)`` also gets the state of the game's score sheet if the command is decided on a ``sheet``.
    ``after_final``: it is also accepted after a final table. ``when_behind``: also in a log behind its signed checkpoint.

    ``rebuild`` makes the command from the events that it wrote, for the audit. By default the command gets its event, if it is
    an `EventCommand`, or the event's fields of the same names. ``wrote``: whether this command wrote the events, if several
    rows list one event; the first matching row counts.
    """

    command: type[Any]
    act: str | tuple[str, ...]
    events: type[Data] | tuple[type[Data], ...]
    decide: Callable[..., Decision | Refusal]
    rebuild: Callable[[Written], Any] | None = None
    wrote: Callable[[Written], bool] = accept_all
    sheet: bool = False
    after_final: bool = False
    when_behind: bool = False

    def permit(self, t: TournamentState, actor: Actor, game: GameId | None = None) -> Refusal | None:
        """Return why the actor may not give the command, or None if they may."""
        if isinstance(self.act, str):
            return permit(t, actor, self.act, game)
        return permit_granted(t, actor, *self.act)

    def refuse(self, t: TournamentState, command: Any) -> Refusal | None:
        """Return why the command is not decided, or None: first authority, then a missing tournament, then a closed one.

        Refusals: those of `permit`, ``unknown-tournament``, ``tournament-closed``.
        """
        refusal = self.permit(t, command.actor, getattr(command, "game", None))
        if refusal is not None:
            return refusal
        if not isinstance(t, Tournament) and self.act != ANNOUNCE:
            return unknown_tournament(t)
        if not self.after_final and t.closed():
            detail = say("the final table was published; rulings and appeals are still taken")
            return Refusal("rule", "tournament-closed", detail, see=f"/v1/tournaments/{t.id}/standings")
        return None

    def command_of(self, data: Any, written: Written) -> Any:
        """Return the command that wrote these events. ``data`` is its event of a type that the row lists."""
        if self.rebuild is not None:
            return self.rebuild(written)
        if issubclass(self.command, EventCommand):
            return self.command(written.actor, data)
        on_sheet = {"game": written.game} if self.sheet and not hasattr(data, "game") else {}
        return copy_fields(self.command, data, actor=written.actor, **on_sheet)


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


def _nothing_due(tournament: TournamentState) -> Sequence[Any]:
    return ()


def _no_other_engine(tournament: Any, command: Any) -> Iterator[tuple[Message, Decision | Refusal]]:
    return iter(())


def _call_here(decide: Callable[..., Decision | Refusal], *arguments: Any) -> Decision | Refusal:
    return decide(*arguments)


@dataclass(frozen=True, slots=True)
class Rules:
    """One service's decisions.

    ``rows``: its commands, one row each, apart from `AnnounceKey`, which every service has. ``finish(tournament, answer,
    sheet)`` completes the decision of a row. ``long`` marks commands of an engine to be computed in a child process.
    ``due`` lists the automatic commands (role rulebook) that the state of the log requires, for example for open findings.
    ``due_after``: the types of events after which something may be due; after other events ``due`` is not called.
    ``undecided`` is the message for a due command without a decision. ``seal`` fills in the masked fields (`Seal`).
    ``engine_of`` returns the pairing engine needed to re-evaluate a command, or None. ``problem_without_engine(tournament,
    events)`` returns why the events of such a command are wrong whatever the engine chose, or None if only the engine could
    say. ``by_other_engines(tournament, command)`` yields the decisions of other versions of that engine, each with a
    remark. ``remark_on(command)`` returns an audit's remark on a decision that follows the rules in force when it was made,
    but that services no longer make, or None.
    """

    source: Source
    rows: tuple[CommandRow, ...]
    finish: Callable[[Any, Decision | Refusal, Any], Decision | Refusal] = lambda tournament, answer, sheet: answer
    new_sheet: Callable[[str], Any] = lambda game: None
    evolve_sheet: Callable[[Any, Event], None] = lambda sheet, event: None
    fork_sheet: Callable[[Any], Any] = lambda sheet: sheet
    long: Callable[[TournamentState, Any], bool] = lambda tournament, command: False
    due: Callable[[TournamentState], Sequence[Any]] = _nothing_due
    due_after: frozenset[type[Official]] = frozenset()
    undecided: Callable[[Any], Message] = lambda command: say("a decision that the log requires is missing")
    seal: Callable[[Data, Seal], Data] = lambda data, seal: data
    engine_of: Callable[[Any], str | None] = lambda command: None
    problem_without_engine: Callable[[TournamentState, Sequence[Data]], Message | None] = lambda tournament, events: (
        None
    )
    by_other_engines: Callable[[Any, Any], Iterator[tuple[Message, Decision | Refusal]]] = _no_other_engine
    remark_on: Callable[[Any], Message | None] = lambda command: None
    row_of: Mapping[type[Any], CommandRow] = field(init=False, repr=False, compare=False)
    """The row of each command, by its class."""
    _written_by: Mapping[type[Any], Sequence[CommandRow]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        announce = partial(announce_key, source=self.source, vouches=vouches)
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
        outcome = self._decide(tournament, command, sheet, run)
        if isinstance(outcome, Refusal) and outcome.article is not None and tournament.regulations is not None:
            return replace(outcome, article=own_article(tournament.regulations, outcome.article))
        return outcome

    def _decide(
        self, tournament: TournamentState, command: Any, sheet: Any, run: Callable[..., Any]
    ) -> Decision | Refusal:
        row = self.row_of[type(command)]
        refusal = row.refuse(tournament, command)
        if refusal is not None:
            return refusal
        arguments = (tournament, command, sheet) if row.sheet else (tournament, command)
        answer: Decision | Refusal = run(row.decide, *arguments)
        # A key has no consequences in a game.
        if row.command is not AnnounceKey:
            answer = self.finish(tournament, answer, sheet if row.sheet else None)
        return answer if isinstance(answer, Refusal) else refuse_values(tournament, command.actor, answer) or answer

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
        """Return the check of whether a user may give a command of this class, for the form of a page."""
        return self.row_of[command].permit

    def acts(self, command: type[Any]) -> tuple[str, ...]:
        """Return the acts of a command. A caller must be allowed to do at least one of them."""
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
        return Refusal(
            "authority", "not-due", say("the log has no reason for this event, and it is not from a person's command")
        )

    @property
    def answers(self) -> bool:
        """Return whether the log can require automatic commands of this service."""
        return self.due is not _nothing_due


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
