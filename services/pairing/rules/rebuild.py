"""From the events of a command back to the command: what the audit decides again."""

from collections.abc import Callable, Sequence
from typing import Any

from services.pairing.rules import commands as co
from shared import events as ev
from shared.terms import Actor


def command_of(events: Sequence[ev.Event], lines: Sequence[ev.Event] = ()) -> co.Command:
    """The command that wrote these events; it has no lines on score sheets."""
    first = events[0]
    actor = Actor(first.actor, first.role, first.tokenid)
    return REBUILDERS[type(first.data)](actor, [e.data for e in events])


def _announce(actor: Actor, data: list[Any]) -> co.AnnounceTournament:
    d, adopted = data
    return co.AnnounceTournament(actor, d.name, d.game, d.format, d.rounds, adopted.regulations, d.tiebreaks)


def _enter(actor: Actor, data: list[Any]) -> co.EnterPlayers:
    return co.EnterPlayers(
        actor, tuple(co.Entry(d.player, d.name, d.rating, d.title, d.club, d.federation) for d in data)
    )


def _pair(actor: Actor, data: list[Any]) -> co.PairRound:
    """The colour is given again only where nothing was drawn: a drawn one follows from its seed."""
    d: ev.RoundPaired = data[0]
    by_hand = d.engine is None
    return co.PairRound(
        actor,
        boards=tuple((b.white, b.black) for b in d.boards) if by_hand else None,
        bye=d.byes[0].player if by_hand and d.byes else None,
        reason=d.reason,
        overrides=d.overrides,
        initial_colour=None if d.seed else d.initial_colour,
        seed=d.seed,
        engine=d.engine or co.GACRUX,
    )


REBUILDERS: dict[type, Callable[[Actor, list[Any]], co.Command]] = {
    ev.TournamentAnnounced: _announce,
    ev.RegulationsAdopted: lambda a, d: co.AdoptRegulations(a, d[0].regulations, d[0].reason),
    ev.OfficialAppointed: lambda a, d: co.AppointOfficial(a, d[0].official, d[0].role),
    ev.OfficialDismissed: lambda a, d: co.DismissOfficial(a, d[0].official, d[0].reason),
    ev.PlayerEntered: _enter,
    ev.StartingNumbersAssigned: lambda a, d: co.AssignNumbers(a, d[0].numbers),
    ev.PlayerWithdrew: lambda a, d: co.WithdrawPlayer(a, d[0].player, d[0].reason),
    ev.ByeGranted: lambda a, d: co.GrantBye(a, d[0].player, d[0].round, d[0].kind),
    ev.RoundPaired: _pair,
    ev.PairingWithdrawn: lambda a, d: co.WithdrawPairing(a, d[0].round, d[0].reason),
    ev.TextErased: lambda a, d: co.EraseText(a, d[0].hash),
}
