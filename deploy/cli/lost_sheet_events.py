"""Lost events of a command whose moves are on a score sheet: only its consequences can be sent again.

A sheet accepts a move once. The consequences of a move are therefore sent by commands that need no score sheet.
"""

from collections.abc import Callable, Sequence
from typing import Any

from services.games.rules import commands as co
from shared.core import events as ev
from shared.core.state.tournament import Tournament, TournamentState
from shared.core.terms import Actor


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
