"""The claims that wait for an arbiter, and what has become of them.

Nobody settles a claim by ending the game: its state follows from the game's, and a claim whose game is open again waits again.
"""

from typing import Literal

from shared.core.entities import Claim
from shared.core.tournament import Tournament

ClaimState = Literal["upheld", "denied", "pending", "lapsed"]


def claim_state(t: Tournament, claim: Claim) -> ClaimState:
    """*upheld* or *denied* by an arbiter; *lapsed* while its game is decided otherwise, by its end, a result or a ruling, or
    was withdrawn with its pairing; else *pending*."""
    if claim.settled is not None:
        return "upheld" if claim.settled.upheld else "denied"
    game = t.games.get(claim.event.game)
    if game is None or game.pairing in t.withdrawn_pairings or t.setting(game) is not None:
        return "lapsed"
    return "pending"


def pending_claims(t: Tournament) -> list[Claim]:
    """Those that an arbiter has yet to decide, in the log's order."""
    return [claim for claim in t.claims.values() if claim_state(t, claim) == "pending"]
