"""Commands of pairing rebuilt from their events for the audit, if they are not their event's fields."""

from services.pairing.rules import commands as co
from services.pairing.rules.engines.versions import DUTCH
from services.pairing.rules.entries.entry_correction import CORRECTABLE
from shared.core.events import EntryCorrected, RoundPaired, StartingNumbersAssigned
from shared.desk.rules_port import Written, copy_fields


def announcement(written: Written) -> co.AnnounceTournament:
    """Return the announcement with the regulations and the officials of the events after it."""
    announced, adopted, *appointed = written.events
    parts = {"regulations": adopted.regulations, "officials": tuple(appointed)}
    return copy_fields(co.AnnounceTournament, announced, actor=written.actor, **parts)


def entries(written: Written) -> co.EnterPlayers:
    """Return the entries of players, with the numbers that they got."""
    return co.EnterPlayers(written.actor, tuple(copy_fields(co.Entry, one) for one in written.events))


def entry_correction(written: Written) -> co.CorrectEntry:
    """Return the correction of an entry. The starting numbers written after it result from it."""
    corrected: EntryCorrected = written.events[0]
    values = {name: getattr(corrected, name) for name in CORRECTABLE}
    return copy_fields(co.CorrectEntry, corrected, actor=written.actor, values=values)


def starting_numbers(written: Written) -> co.AssignNumbers:
    """Return the assignment; numbers that were drawn result from the seed."""
    assigned: StartingNumbersAssigned = written.events[0]
    return co.AssignNumbers(written.actor, None if assigned.seed else assigned.numbers, assigned.seed)


def team_withdrawal(written: Written) -> co.WithdrawPlayers:
    """Return the withdrawal of several players. One alone leaves as the last of a team does."""
    return co.WithdrawPlayers(written.actor, tuple(one.player for one in written.events), written.events[0].reason)


def byes(written: Written) -> co.GrantByes:
    """Return the same bye of several players."""
    players = tuple(one.player for one in written.events)
    return copy_fields(co.GrantByes, written.events[0], actor=written.actor, players=players)


def check_in(written: Written) -> co.CheckInPlayers:
    """Return the check-in of players who came, and of players whose check-in was recorded by mistake."""
    came, absent = (tuple(one.player for one in written.events if one.here == here) for here in (True, False))
    return co.CheckInPlayers(written.actor, came, absent)


def play_off(written: Written) -> co.PairPlayOff:
    """Return the pairing of a play-off."""
    paired: RoundPaired = written.events[0]
    return co.PairPlayOff(written.actor, tuple((b.white, b.black) for b in paired.boards), paired.reason)


def pairing(written: Written) -> co.PairRound:
    """Return the pairing of a round.

    It has the first colour only if one was requested and not drawn: a drawn one results from its seed.
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
    """Return the lots of a match, or of a shared place."""
    return copy_fields(
        co.DrawLots, written.events[0], actor=written.actor, equals=tuple(sorted(written.events[0].order))
    )


def team_entries(written: Written) -> co.EnterTeams:
    """Return the entries of teams, with the numbers that they got."""
    return co.EnterTeams(written.actor, tuple(copy_fields(co.TeamEntry, one) for one in written.events))
