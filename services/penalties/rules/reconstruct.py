"""From the events of a command back to the command: what the audit decides again."""

from collections.abc import Callable, Sequence
from typing import Any

from services.penalties.rules import commands as co
from shared.core import events as ev
from shared.core.terms import Actor


def command_of(events: Sequence[ev.Event], lines: Sequence[ev.Event] = ()) -> co.Command:
    """The command that wrote these events: its first one holds every input, defaults filled in."""
    first = events[0]
    return REBUILDERS[type(first.data)](Actor(first.actor, first.role, first.tokenid), first.data)


def _ruling(a: Actor, d: ev.RulingMade) -> co.MakeRuling:
    return co.MakeRuling(a, d.player, d.round, d.infraction, d.game, d.article, d.note, d.effect)


REBUILDERS: dict[type, Callable[[Actor, Any], co.Command]] = {
    ev.RulingMade: _ruling,
    ev.RulingAnnulled: lambda a, d: co.AnnulRuling(a, d.annuls, d.reason, d.article),
    ev.AppealLodged: lambda a, d: co.LodgeAppeal(a, d.ruling, d.by, d.grounds),
    ev.AppealDecided: lambda a, d: co.DecideAppeal(a, d.appeal, d.upheld, d.article, d.grounds),
    ev.ArrivalNoted: lambda a, d: co.NoteArrival(a, d.player, d.late, game=d.game),
    ev.BreakTaken: lambda a, d: co.NoteBreak(a, d.game, d.seconds, d.player),
    ev.FindingAnswered: lambda a, d: co.AnswerFinding(a, d.finding),
    ev.CrossingNoted: lambda a, d: co.NoteCrossing(a, d.seq, d.note),
}
