"""From the events of a command back to the command: what the audit decides again."""

from collections.abc import Callable, Sequence
from typing import Any

from services.penalties.rules import commands
from shared.core import events as ev
from shared.core.terms import Actor


def command_of(events: Sequence[ev.Event], lines: Sequence[ev.Event] = ()) -> commands.Command:
    """The command that wrote these events: its first one holds every input, defaults filled in."""
    first = events[0]
    if sum(isinstance(e.data, ev.ArrivalNoted) for e in events) > 1:
        return _check_in(events)
    return REBUILDERS[type(first.data)](Actor(first.actor, first.role, first.tokenid), first.data)


def _arrival(a: Actor, d: ev.ArrivalNoted) -> commands.NoteArrival:
    return commands.NoteArrival(a, d.player, d.late, game=d.game, place=d.place, turn=d.turn)


def _check_in(events: Sequence[ev.Event]) -> commands.CheckIn:
    actor = Actor(events[0].actor, events[0].role, events[0].tokenid)
    return commands.CheckIn(
        actor, tuple(_arrival(actor, e.data) for e in events if isinstance(e.data, ev.ArrivalNoted))
    )


def _ruling(a: Actor, d: ev.RulingMade) -> commands.MakeRuling | commands.DecideGame | commands.DrawConsequences:
    if a.role == "rulebook":
        return commands.DrawConsequences(a)
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
    ev.ArrivalNoted: _arrival,
    ev.ArrivalCorrected: lambda a, d: commands.CorrectArrival(a, d.corrects, d.late, d.reason, d.place, d.turn),
    ev.BreakTaken: lambda a, d: commands.NoteBreak(a, d.game, d.seconds, d.player),
    ev.BreakCorrected: lambda a, d: commands.CorrectBreak(a, d.game, d.corrects, d.seconds, d.reason),
    ev.FindingAnswered: lambda a, d: commands.AnswerFinding(a, d.finding),
    ev.CrossingNoted: lambda a, d: commands.NoteCrossing(a, d.seq, d.note),
}
