"""From the events of a command back to the command: what the audit decides again."""

from collections.abc import Callable, Sequence
from typing import Any

from services.penalties.rules import commands
from shared.core import events as ev
from shared.core.terms import Actor


def command_of(events: Sequence[ev.Event], lines: Sequence[ev.Event] = ()) -> commands.Command:
    """The command that wrote these events: its first one holds every input, defaults filled in."""
    first = events[0]
    return REBUILDERS[type(first.data)](Actor(first.actor, first.role, first.tokenid), first.data)


def _ruling(a: Actor, d: ev.RulingMade) -> commands.MakeRuling | commands.DecideGame:
    if d.player is None:
        assert d.game is not None and d.effect.white is not None and d.effect.black is not None, "a game is decided"
        return commands.DecideGame(a, d.game, d.infraction, d.effect.white, d.effect.black, d.note)
    return commands.MakeRuling(a, d.player, d.round, d.infraction, d.game, d.article, d.note, d.effect, d.facts, d.ply)


def _annulment(a: Actor, d: ev.RulingAnnulled) -> commands.AnnulRuling | commands.RetractRuling:
    if d.retracted:
        return commands.RetractRuling(a, d.annuls, d.reason)
    return commands.AnnulRuling(a, d.annuls, d.reason, d.article)


REBUILDERS: dict[type, Callable[[Actor, Any], commands.Command]] = {
    ev.RulingMade: _ruling,
    ev.RulingAnnulled: _annulment,
    ev.AppealLodged: lambda a, d: commands.LodgeAppeal(a, d.ruling, d.by, d.grounds, d.lodged),
    ev.AppealDecided: lambda a, d: commands.DecideAppeal(a, d.appeal, d.upheld, d.article, d.grounds),
    ev.ArrivalNoted: lambda a, d: commands.NoteArrival(a, d.player, d.late, game=d.game),
    ev.BreakTaken: lambda a, d: commands.NoteBreak(a, d.game, d.seconds, d.player),
    ev.FindingAnswered: lambda a, d: commands.AnswerFinding(a, d.finding),
    ev.CrossingNoted: lambda a, d: commands.NoteCrossing(a, d.seq, d.note),
}
