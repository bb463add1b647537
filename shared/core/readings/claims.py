"""The claims that wait for an arbiter, and what has become of them.

Nobody settles a claim by ending the game: its state follows from the game's, and a claim whose game is open again waits again.
"""

from typing import Literal

from shared.core.events.games import ClaimPending
from shared.core.events.sheets import Claim as ClaimName
from shared.core.state.entities import Claim
from shared.core.state.tournament import Tournament
from shared.core.terms import PlayerId

ClaimState = Literal["upheld", "denied", "pending", "lapsed"]
ACCUSING_NOBODY: frozenset[ClaimName] = frozenset({"dead_position"})
"""The claims about a position. They wait for an arbiter, and the ``accused`` of their event is only the opponent."""


def claim_state(t: Tournament, claim: Claim) -> ClaimState:
    """*upheld* or *denied* by an arbiter; *lapsed* while its game is decided otherwise, by its end, a result or a ruling, or
    was withdrawn with its pairing; else *pending*."""
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
    """Those that an arbiter has yet to decide, in the log's order."""
    return [claim for claim in t.claims.values() if claim_state(t, claim) == "pending"]
