"""The row of a command: its permission, the event that it becomes, and the function that decides it."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, Generic, NamedTuple, TypeVar

from shared.core.events import Data, Decision, Official
from shared.core.language.messages import say
from shared.core.readings.authority import ANNOUNCE, permit, permit_granted, unknown_tournament
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, GameId, Refusal

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
    """Return a ``kind`` with the fields that ``data`` has by the same names, and the ``others``.

    The other fields keep their defaults.
    """
    return kind(**{name: getattr(data, name) for name in _shared_fields(kind, data.__class__)} | others)


@cache
def _shared_fields(kind: Any, data: Any) -> tuple[str, ...]:
    names = {field.name for field in fields(data)}
    return tuple(field.name for field in fields(kind) if field.name in names)


def accept_all(written: Written) -> bool:
    """Return True: no other command becomes the event."""
    return True


@dataclass(frozen=True, slots=True)
class CommandRow:
    """A command of a service.

    ``act``: the act of an office that it is (a row of `authority.ACTS`), or the acts that the rulebook grants, one of which
    is required. ``events``: the types of the first event that it writes, on the score sheet if it writes there.
    ``decide(tournament, command)`` also gets the state of the game's score sheet if the command is decided on a ``sheet``.
    ``after_final``: it is also accepted after a final table.

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
