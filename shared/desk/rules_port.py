"""The port between a service's rules and everything that runs them (desk, audit)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shared.core.events import Data, Decision, Event, Official
from shared.core.language.messages import Message, say
from shared.core.readings.key_announcement import AnnounceKey
from shared.core.state.tournament import TournamentState
from shared.core.terms import Refusal, Source


@dataclass(frozen=True, slots=True)
class Seal:
    """What only the desk knows when it fills in the fields that an event type has ``masked``.

    ``tournament`` and ``basis``, ``root`` are what the command saw; ``sheet_lines`` and
    ``sheet_sha256`` cover the game's score sheet with this command's lines in it;
    ``sign`` makes a signed checkpoint of (origin, basis, root), "" where the auditor has no key. ``memory``: what sealing left
    for the next in the same reading of the log, by whom it belongs to; None where nothing is sealed after it.
    """

    tournament: TournamentState
    basis: int
    root: bytes
    sheet_lines: int
    sheet_sha256: str
    sign: Callable[[str, int, bytes], str]
    memory: dict[str, Any] | None = None


def _unsealed(data: Data, seal: Seal) -> Data:
    return data


def _never(tournament: TournamentState, command: Any) -> bool:
    return False


def _nothing_due(tournament: TournamentState) -> Sequence[Any]:
    return ()


def _due(command: Any) -> Message:
    return say("what the log calls for was not decided")


@dataclass(frozen=True, slots=True)
class Rules:
    """One service's decisions.

    ``decide(tournament, command, sheet)`` is pure; ``sheet`` is the fold of the
    command's game's score sheet (None for commands that name no sheet).
    ``command_of(events, lines)`` rebuilds the command from the official events and
    the sheet lines that it wrote. ``sheet_of(command)`` names the game whose
    sheet is needed. ``long`` marks commands of an engine to be computed in a child process.
    ``due`` lists commands of role rulebook that the state of the log calls for
    (open findings), ``due_after`` the types of the events that may bring something due:
    after others nobody asks; ``undecided`` says what is not decided while one of them is due. ``seal`` fills in masked fields.
    ``engine_of`` names the pairing engine that deciding again would need, None if none; ``problem_without_engine(tournament,
    events)`` says why what such a command wrote cannot be right whatever the engine chose, None where only the engine could
    tell. ``remark_on(command)`` is what an audit tells of a decision that follows and that no service makes like this any
    more.
    """

    source: Source
    decide: Callable[[TournamentState, Any, Any], Decision | Refusal]
    command_of: Callable[[Sequence[Event], Sequence[Event]], Any]
    sheet_of: Callable[[Any], str | None] = lambda command: None
    new_sheet: Callable[[str], Any] = lambda game: None
    evolve_sheet: Callable[[Any, Event], None] = lambda sheet, event: None
    fork_sheet: Callable[[Any], Any] = lambda sheet: sheet
    long: Callable[[TournamentState, Any], bool] = _never
    due: Callable[[TournamentState], Sequence[Any]] = _nothing_due
    due_after: frozenset[type[Official]] = frozenset()
    undecided: Callable[[Any], Message] = _due
    seal: Callable[[Data, Seal], Data] = _unsealed
    engine_of: Callable[[Any], str | None] = lambda command: None
    problem_without_engine: Callable[[TournamentState, Sequence[Data]], Message | None] = lambda tournament, events: (
        None
    )
    remark_on: Callable[[Any], Message | None] = lambda command: None

    def follow(self, tournament: TournamentState, command: Any, sheet: Any) -> Decision | Refusal:
        """``decide``, but of a command that no person gives only what the log calls for: else its role would walk around
        every office. Refusal ``not-due``; not asked where the tournament was announced before offices counted, nor of a
        service's own key, for which the signature by the key before speaks."""
        outcome = self.decide(tournament, command, sheet)
        if isinstance(outcome, Refusal) or tournament.offices < 2 or command.actor.role != "rulebook":
            return outcome
        if isinstance(command, AnnounceKey) or any(command == due for due in self.due(tournament)):
            return outcome
        return Refusal("authority", "not-due", say("nothing in the log calls for it, and no person commands it"))

    @property
    def answers(self) -> bool:
        """Whether the log can call for commands of this service."""
        return self.due is not _nothing_due
