"""What was said at a board and still counts: offers of a draw, claims, a resignation to be confirmed."""

from dataclasses import dataclass, replace

from shared.events import ClaimDecided, ClaimMade, OfferMade
from shared.events.sheets import Claim
from shared.terms import Ply, Seconds, Side

COSTLY: frozenset[Claim] = frozenset({"threefold_repetition", "fifty_moves", "natural_limit"})
"""Claims that cost time where they are wrong (000-A 国际象棋, 对局结束 13; 002-X 23.3)."""
BINDING: frozenset[Claim] = frozenset({"threefold_repetition", "fifty_moves"})
"""Claims whose announced move must be played where they are wrong (000-A 国际象棋, 对局结束 13(2))."""


@dataclass(frozen=True, slots=True)
class Said:
    """``offer``: whose offer stands; it does until the other side refuses it, by word or by moving (000-A 国际象棋,
    对局结束 7; 002-X 23.1). ``offered``: who made the last one, whatever became of it. ``claim``: one that is not decided
    yet. ``must_play``: the move announced with a wrong claim. ``wrong``: who made a wrong claim that costs time, since
    that side's clock was last read. ``varying``: the plies at which a side was told to vary (002-X 24.3)."""

    offer: Side | None = None
    offered: Side | None = None
    claim: ClaimMade | None = None
    must_play: str | None = None
    wrong: tuple[Side, ...] = ()
    varying: tuple[Ply, ...] = ()

    def take(self, line: OfferMade | ClaimMade | ClaimDecided) -> "Said":
        """After the next thing that is said."""
        match line:
            case OfferMade():
                if line.offer != "draw":
                    return replace(self, offer=None)
                return replace(self, offer=line.side, offered=line.side)
            case ClaimMade():
                return replace(self, claim=line)
        return self._decided(line)

    def _decided(self, line: ClaimDecided) -> "Said":
        made, after = self.claim, replace(self, claim=None)
        if made is None or made.side is None or line.upheld:
            told_to_vary = line.claim == "repetition" and line.upheld
            return replace(after, varying=(*self.varying, line.ply)) if told_to_vary else after
        if line.claim in BINDING:
            after = replace(after, must_play=made.move)
        return replace(after, wrong=(*self.wrong, made.side)) if line.claim in COSTLY else after

    def moved(self, side: Side, clock: Seconds | None) -> "Said":
        """After a move of ``side``, with what its clock then shows."""
        offer = self.offer if self.offer == side else None
        wrong = self.wrong if clock is None else tuple(one for one in self.wrong if one != side)
        return replace(self, offer=offer, claim=None, must_play=None, wrong=wrong)


NOTHING = Said()
