"""Commands that a service has answered, and whose events are in no ledger."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from services.games.rules import commands as co
from shared.core import events as ev
from shared.core.language.messages import Message, say
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor, Source

if TYPE_CHECKING:
    from shared.log.distributed import DistributedLog


class LostCommand(NamedTuple):
    """A lost command: its actor, its time (RFC 3339), the IDs and types of its events, and their lines in order."""

    source: Source
    stream: str
    command: str
    actor: str
    role: str
    time: str
    events: Sequence[tuple[str, str]]
    lines: Sequence[bytes]


class _Head(msgspec.Struct):
    """The reported members of a line, which may be unreadable for this version."""

    id: str = ""
    type: str = ""
    actor: str = ""
    role: str = ""
    time: str = ""


_HEAD = msgspec.json.Decoder(_Head)


def the_lost(log: "DistributedLog", stream: str) -> list[LostCommand]:
    """A service's lost commands of one tournament, in the order in which they were given."""
    found = []
    for command, group in groupby(log.lost(stream), key=lambda lost: lost.command):
        lines = [lost.line for lost in group]
        heads = [_HEAD.decode(line) for line in lines]
        first, events = heads[0], [(head.id, head.type) for head in heads]
        found.append(LostCommand(log.source, stream, command, first.actor, first.role, first.time, events, lines))
    return found


def lost_lines(lost: Iterable[LostCommand]) -> Iterator[Message]:
    """A line for each event: its id and type, its command, who gave it and when."""
    for command in lost:
        for id, type in command.events:
            yield say(
                "{id}  {type}  command {command}  by {actor} ({role})  at {time}",
                id=id,
                type=type,
                command=command.command,
                actor=command.actor,
                role=command.role,
                time=command.time,
            )


def not_said(t: TournamentState, events: Sequence[ev.Event]) -> list[ev.Event]:
    """Those of the events that the log does not say by now, whoever has said it since."""
    return [event for event in events if not _said(t, event.data)]


def command_for(actor: Actor, events: Sequence[ev.Event], event: ev.Event) -> Any | None:
    """Return the command with which ``actor``, the sender of the moves, sends a lost event without them.

    Return None if the other ``events`` make it unnecessary. Raises LookupError for an event that only its move can cause.
    """
    data = event.data
    if isinstance(data, ev.GameEnded):
        return co.ReportResults(actor, (co.Result(data.game, data.white, data.black),))
    if not isinstance(data, ev.GameStarted):
        raise LookupError
    ended = any(isinstance(other.data, ev.GameEnded) and other.data.game == data.game for other in events)
    return None if ended and data.position is None else co.StartGame(actor, data.game, data.position)


def _started(t: Tournament, d: ev.GameStarted) -> bool:
    game = t.games.get(d.game)
    return game is not None and (game.started is not None or t.setting(game) is not None)


def _ended(t: Tournament, d: ev.GameEnded) -> bool:
    game = t.games.get(d.game)
    setting = None if game is None else t.setting(game)
    return setting is not None and (setting.white, setting.black) == (d.white, d.black)


def _found(t: Tournament, d: ev.FindingMade) -> bool:
    said = (d.game, d.kind, d.player, d.ply)
    return any((f.event.game, f.event.kind, f.event.player, f.event.ply) == said for f in t.findings.values())


def _settled(t: Tournament, d: ev.ClaimSettled) -> bool:
    claim = t.claims.get((d.game, d.claim))
    return claim is not None and claim.settled is not None and claim.settled.upheld == d.upheld


_SAID: dict[type, Callable[[Tournament, Any], bool]] = {
    ev.GameStarted: _started,
    ev.GameEnded: _ended,
    ev.FindingMade: _found,
    ev.ClaimPending: lambda t, d: (d.game, d.claim) in t.claims,
    ev.ClaimSettled: _settled,
}


def _said(t: TournamentState, data: ev.Data) -> bool:
    return isinstance(t, Tournament) and type(data) in _SAID and _SAID[type(data)](t, data)
