"""The check-in of the competition (签到): players confirm that they are present before the first pairing."""

from services.pairing.rules.commands import CheckInPlayers
from services.pairing.rules.withdrawals import entry_present
from shared.core.events import Decision, PlayerCheckedIn
from shared.core.language.messages import say
from shared.core.readings.removal_refusals import refuse_barred
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def check_in(t: Tournament, c: CheckInPlayers) -> Decision | Refusal:
    """Decide which players have checked in, and which check-ins are undone; either all or none.

    Players whose state would not change are left out. Refusals: ``nobody-checked-in``, ``unknown-player``,
    ``player-left``, ``player-removed``.
    """
    for player in (*c.came, *c.absent):
        entry = entry_present(t, player)
        if isinstance(entry, Refusal):
            return entry
    for player in c.came:
        barred = refuse_barred(t, player, t.rounds_paired() + 1, "came")
        if barred is not None:
            return barred
    came = [player for player in dict.fromkeys(c.came) if player not in t.checked_in]
    absent = [player for player in dict.fromkeys(c.absent) if player in t.checked_in and player not in c.came]
    if not came and not absent:
        return Refusal("rule", "nobody-checked-in", say("all of them are noted so already"), where="came")
    return Decision((*map(PlayerCheckedIn, came), *(PlayerCheckedIn(player, here=False) for player in absent)))
