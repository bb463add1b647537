"""Commands of pairing rebuilt from their events for the audit, if they are not their event's fields."""

from services.pairing.rules import commands as co
from services.pairing.rules.engines.versions import DUTCH
from services.pairing.rules.entries.entry_correction import CORRECTABLE
from services.pairing.rules.entries.identity import IDENTITY
from shared.core.events import (
    EntryCorrected,
    IdentityStated,
    ListingSet,
    PlayerEntered,
    RoundPaired,
    StartingNumbersAssigned,
)
from shared.desk.rules_port import Written, copy_fields


def announcement(written: Written) -> co.AnnounceTournament:
    """Rebuild the command that created a tournament from its events, with regulations and officials, for the audit."""
    announced, *rest = written.events
    adopted, *appointed = (event for event in rest if not isinstance(event, ListingSet))
    unlisted = len(appointed) + 1 < len(rest)
    parts = {"regulations": adopted.regulations, "officials": tuple(appointed), "unlisted": unlisted}
    return copy_fields(co.AnnounceTournament, announced, actor=written.actor, **parts)


def entries(written: Written) -> co.EnterPlayers:
    """Rebuild the command that entered players from its events. All entries have the IDs that the players got."""
    stated = {event.player: event for event in written.events if isinstance(event, IdentityStated)}
    entered = [event for event in written.events if isinstance(event, PlayerEntered)]
    return co.EnterPlayers(written.actor, tuple(_entry(one, stated.get(one.player)) for one in entered))


def _entry(entered: PlayerEntered, stated: IdentityStated | None) -> co.Entry:
    identity = {} if stated is None else {name: getattr(stated, name) for name in IDENTITY}
    return copy_fields(co.Entry, entered, **identity)


def entry_correction(written: Written) -> co.CorrectEntry:
    """Rebuild the command that corrected an entry from its event. New starting numbers written with it result from it."""
    corrected: EntryCorrected = written.events[0]
    values = {name: getattr(corrected, name) for name in CORRECTABLE}
    return copy_fields(co.CorrectEntry, corrected, actor=written.actor, values=values)


def starting_numbers(written: Written) -> co.AssignNumbers:
    """Rebuild the command that assigned starting numbers from its event. Drawn numbers are left out: the seed gives them."""
    assigned: StartingNumbersAssigned = written.events[0]
    return co.AssignNumbers(written.actor, None if assigned.seed else assigned.numbers, assigned.seed)


def team_withdrawal(written: Written) -> co.WithdrawPlayers:
    """Rebuild the command that withdrew several players together from its events, one for each player."""
    return co.WithdrawPlayers(written.actor, tuple(one.player for one in written.events), written.events[0].reason)


def byes(written: Written) -> co.GrantByes:
    """Rebuild the command that granted several players the same bye from its events, one for each player."""
    players = tuple(one.player for one in written.events)
    return copy_fields(co.GrantByes, written.events[0], actor=written.actor, players=players)


def check_in(written: Written) -> co.CheckInPlayers:
    """Rebuild the check-in command from its events: players who came, and those checked in by mistake before."""
    came, absent = (tuple(one.player for one in written.events if one.here == here) for here in (True, False))
    return co.CheckInPlayers(written.actor, came, absent)


def play_off(written: Written) -> co.PairPlayOff:
    """Rebuild the command that paired a play-off from its event."""
    paired: RoundPaired = written.events[0]
    return co.PairPlayOff(written.actor, tuple((b.white, b.black) for b in paired.boards), paired.reason)


def pairing(written: Written) -> co.PairRound:
    """Rebuild the command that paired a round from its event.

    The command has the boards only if they were paired by hand, and the first colour only if it was not drawn by lot.
    """
    paired: RoundPaired = written.events[0]
    by_hand = paired.engine is None
    coloured = paired.engine is None or paired.engine.name in DUTCH
    return copy_fields(
        co.PairRound,
        paired,
        actor=written.actor,
        boards=tuple((b.white, b.black) for b in paired.boards) if by_hand else None,
        bye=next((b.player for b in paired.byes if by_hand and b.kind != "F"), None),
        initial_colour=paired.initial_colour if coloured and not paired.seed else None,
    )


def lots(written: Written) -> co.DrawLots:
    """Rebuild the command that drew lots, for a match or for a shared place, from its event."""
    return copy_fields(
        co.DrawLots, written.events[0], actor=written.actor, equals=tuple(sorted(written.events[0].order))
    )


def team_entries(written: Written) -> co.EnterTeams:
    """Rebuild the command that entered teams from its events. All entries have the numbers that the teams got."""
    return co.EnterTeams(written.actor, tuple(copy_fields(co.TeamEntry, one) for one in written.events))
