"""From the events of a command back to the command: what the audit decides again."""

from collections.abc import Callable, Sequence
from typing import Any

from services.pairing.rules import commands as co
from services.pairing.rules.engines.versions import PAIRS_DUTCH
from services.pairing.rules.entries.entry_correction import CORRECTABLE
from shared.core import events as ev
from shared.core.terms import PLAY_OFF, Actor


def command_of(events: Sequence[ev.Event], lines: Sequence[ev.Event] = ()) -> co.Command:
    """The command that wrote these events; it has no lines on score sheets."""
    first = events[0]
    actor = Actor(first.actor, first.role, first.tokenid)
    return REBUILDERS[type(first.data)](actor, [e.data for e in events])


def _announce(actor: Actor, data: list[Any]) -> co.AnnounceTournament:
    d, adopted, *appointed = data
    return co.AnnounceTournament(
        actor,
        d.name,
        d.game,
        d.format,
        d.rounds,
        adopted.regulations,
        d.tiebreaks,
        d.conditions,
        origin=d.origin,
        keys=d.keys,
        officials=tuple(map(_appointment, appointed)),
        offices=d.offices,
        place=d.place,
        begins=d.begins,
        ends=d.ends,
        time_zone=d.time_zone,
        results_only=d.results_only,
    )


def _appointment(d: ev.OfficialAppointed) -> co.Appointment:
    return co.Appointment(d.official, d.role, d.person, d.boards)


def _enter(actor: Actor, data: list[Any]) -> co.EnterPlayers:
    return co.EnterPlayers(
        actor,
        tuple(
            co.Entry(d.player, d.name, d.rating, d.title, d.club, d.federation, d.sex, d.birth_year, d.fide_id)
            for d in data
        ),
    )


def _correct(actor: Actor, data: list[Any]) -> co.CorrectEntry:
    """The numbers that stand after it follow from it."""
    d: ev.EntryCorrected = data[0]
    return co.CorrectEntry(
        actor, d.player, {name: getattr(d, name) for name in CORRECTABLE}, d.reason, d.starting_number
    )


def _grant(actor: Actor, data: list[Any]) -> co.GrantBye | co.GrantByes:
    """Of a single line both commands say the same."""
    d: ev.ByeGranted = data[0]
    if len(data) > 1:
        return co.GrantByes(actor, tuple(one.player for one in data), d.round, d.kind)
    return co.GrantBye(actor, d.player, d.round, d.kind)


def _pair(actor: Actor, data: list[Any]) -> co.PairRound | co.PairPlayOff:
    """The colour is given again only where one is asked and nothing was drawn: a drawn one follows from its seed."""
    d: ev.RoundPaired = data[0]
    if d.stage == PLAY_OFF:
        return co.PairPlayOff(actor, tuple((b.white, b.black) for b in d.boards), d.reason)
    by_hand = d.engine is None
    coloured = by_hand or d.engine in PAIRS_DUTCH
    return co.PairRound(
        actor,
        boards=tuple((b.white, b.black) for b in d.boards) if by_hand else None,
        bye=next((b.player for b in d.byes if by_hand and b.kind != "F"), None),
        reason=d.reason,
        overrides=d.overrides,
        initial_colour=d.initial_colour if coloured and not d.seed else None,
        seed=d.seed,
        engine=d.engine,
    )


def _withdraw(actor: Actor, data: list[Any]) -> co.WithdrawPlayer | co.WithdrawPlayers:
    """One alone leaves as the last of a team does: of a single line both commands say the same."""
    if len(data) > 1:
        return co.WithdrawPlayers(actor, tuple(d.player for d in data), data[0].reason)
    return co.WithdrawPlayer(actor, data[0].player, data[0].reason, data[0].ruling)


REBUILDERS: dict[type, Callable[[Actor, list[Any]], co.Command]] = {
    ev.TournamentAnnounced: _announce,
    ev.RegulationsAdopted: lambda a, d: co.AdoptRegulations(a, d[0].regulations, d[0].reason),
    ev.OfficialAppointed: lambda a, d: co.AppointOfficial(a, _appointment(d[0])),
    ev.OfficialDismissed: lambda a, d: co.DismissOfficial(a, d[0].official, d[0].reason),
    ev.PlayerEntered: _enter,
    ev.EntryCorrected: _correct,
    ev.StartingNumbersAssigned: lambda a, d: co.AssignNumbers(a, None if d[0].seed else d[0].numbers, d[0].seed),
    ev.PlayerWithdrew: _withdraw,
    ev.PlayerReturned: lambda a, d: co.ReturnPlayer(a, d[0].player, d[0].reason),
    ev.ByeGranted: _grant,
    ev.PlayerCheckedIn: lambda a, d: co.CheckInPlayers(
        a, tuple(e.player for e in d if e.here), tuple(e.player for e in d if not e.here)
    ),
    ev.RoundPaired: _pair,
    ev.PairsForbidden: lambda a, d: co.ForbidPairs(a, d[0].pairs, d[0].reason),
    ev.VirtualPointsGiven: lambda a, d: co.GiveVirtualPoints(a, d[0].given, d[0].reason),
    ev.BoardFixed: lambda a, d: co.FixBoard(a, d[0].player, d[0].board, d[0].reason),
    ev.LotDrawn: lambda a, d: co.DrawLots(a, d[0].match, d[0].seed, tuple(sorted(d[0].order))),
    ev.PairingWithdrawn: lambda a, d: co.WithdrawPairing(a, d[0].round, d[0].reason, d[0].played),
    ev.PairingUpheld: lambda a, d: co.UpholdPairing(a, d[0].pairing, d[0].match, d[0].seated, d[0].due, d[0].reason),
    ev.TeamEntered: lambda a, d: co.EnterTeams(a, tuple(co.TeamEntry(e.team, e.name, e.members) for e in d)),
    ev.LineupHandedIn: lambda a, d: co.HandInLineup(a, d[0].team, d[0].round, d[0].players),
    ev.TextErased: lambda a, d: co.EraseText(a, d[0].hash),
}
