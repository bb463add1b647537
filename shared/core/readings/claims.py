"""The claims that wait for an arbiter, and their states.

Nobody settles a claim by ending the game: its state depends on the game's, and a claim whose game is open again waits again.
"""

from datetime import datetime, timedelta
from typing import Literal

from shared.core.events.games import ClaimPending
from shared.core.events.sheets import Claim as ClaimName
from shared.core.state.entities import Claim
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId, RulingId

ClaimState = Literal["upheld", "denied", "pending", "lapsed"]
ACCUSING_NOBODY: frozenset[ClaimName] = frozenset({"dead_position"})
"""The claims about a position. They wait for an arbiter, and the ``accused`` of their event is only the opponent."""


def claim_state(t: Tournament, claim: Claim) -> ClaimState:
    """Return the state of a claim: *upheld* or *denied* by an arbiter, *lapsed*, or *pending*.

    It is *lapsed* while its game is decided in another way (by its end, a result or a ruling) or withdrawn with its pairing.
    """
    if claim.settled is not None:
        return "upheld" if claim.settled.upheld else "denied"
    game = t.games.get(claim.event.game)
    if game is None or game.pairing in t.withdrawn_pairings or t.setting(game) is not None:
        return "lapsed"
    return "pending"


def accused_of(claim: ClaimPending) -> PlayerId | None:
    """Return the player accused by a claim, or None if it accuses nobody."""
    return None if claim.kind in ACCUSING_NOBODY else claim.accused


def pending_claims(t: Tournament) -> list[Claim]:
    """Return the claims that an arbiter must still decide, in the log's order."""
    return [claim for claim in t.claims.values() if claim_state(t, claim) == "pending"]


def deadline(t: Tournament, ruling: RulingId) -> datetime | None:
    """Return the deadline 期限 of an appeal against a ruling or an annulment, or None if the regulations set none."""
    rule = t.regulations.rulebook.appeals
    time = instant((t.rulings.get(ruling) or t.annulments[ruling]).time)
    return None if rule is None or rule.within is None or time is None else time + timedelta(seconds=rule.within)


def running_deadlines(t: Tournament, now: datetime) -> dict[RulingId, timedelta]:
    """Return the rulings in force that may still be appealed against and were not, with the time left."""
    appealed = {appeal.event.ruling for appeal in t.appeals.values()}
    left = {id: (deadline(t, id) or now) - now for id in t.rulings if id not in appealed and t.is_in_force(id)}
    return {id: time for id, time in left.items() if time > timedelta()}


def instant(time: str) -> datetime | None:
    """Return the instant of an RFC 3339 time, or None if the text is not such a time."""
    try:
        parsed = datetime.fromisoformat(time)
    except ValueError:
        return None
    return parsed if parsed.tzinfo is not None else None
