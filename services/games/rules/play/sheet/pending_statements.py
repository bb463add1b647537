"""Statements at a board that still count: draw offers, claims, a resignation to be confirmed."""

from dataclasses import dataclass, replace

from services.games.rules.boards.registry import BINDING_CLAIMS, COSTLY_CLAIMS, TOUCH_CLAIMS, VARYING_CLAIMS
from shared.core.events import ClaimDecided, ClaimMade, OfferMade, StepTaken
from shared.core.terms import Ply, Seconds, Side, other


@dataclass(frozen=True, slots=True)
class Envelope:
    """A sealed move 封棋 of ``side``. ``seal``: None if it is on paper.

    ``offered``: whether a draw was offered after the move was sealed. Then the sealed move does not reject the offer
    (Guidelines I.4). ``opened``: the game is no longer adjourned.
    """

    side: Side
    seal: str | None = None
    offered: bool = False
    opened: bool = False


@dataclass(frozen=True, slots=True)
class PendingStatements:
    """The statements that are not settled.

    ``offer``: the side with an open offer. It is open until the other side refuses it, orally or by a move (000-A 国际象棋,
    对局结束 7; 002-X 23.1). ``offered``: the side that made the last offer, whatever its outcome. ``claims``: claims since
    the last move that are not decided yet. ``must_play``: the move announced with a wrong claim. ``wrong``: the sides
    of wrong claims that cost time, since that side's clock was last read. ``varying``: the plies at which a side was
    ordered to vary (002-X 24.3). ``envelope``: the sealed move, which is the next ply. ``due``: the moves, one of which
    must follow a touch, by the article ``due_by``. ``touched``: the squares stated for the next move.
    """

    offer: Side | None = None
    offered: Side | None = None
    claims: tuple[ClaimMade, ...] = ()
    must_play: str | None = None
    wrong: tuple[Side, ...] = ()
    varying: tuple[Ply, ...] = ()
    envelope: Envelope | None = None
    due: tuple[str, ...] = ()
    due_by: str | None = None
    touched: tuple[str, ...] = ()

    def take(self, line: OfferMade | ClaimMade | ClaimDecided) -> "PendingStatements":
        """Return the statements that are pending after an offer, a claim or the decision on a claim."""
        match line:
            case OfferMade():
                if line.offer != "draw":
                    return replace(self, offer=None)
                waits = self.adjourned()
                since = self.envelope if waits is None else replace(waits, offered=True)
                return replace(self, offer=line.side, offered=line.side, envelope=since)
            case ClaimMade():
                # A claim without an ID is on a sheet of decision edition 1. The next claim replaced it there.
                others = tuple(one for one in self.claims if one.id) if line.id else ()
                return replace(self, claims=(*others, line))
        return self._after_decision(line)

    def _after_decision(self, line: ClaimDecided) -> "PendingStatements":
        claim = next((one for one in self.claims if one.id == line.id), None)
        after = replace(self, claims=tuple(one for one in self.claims if one is not claim))
        if claim is not None and line.claim in TOUCH_CLAIMS:
            if not line.upheld:
                return after
            # An arbiter's statement replaces the earlier one for this move. Earlier findings stay.
            return replace(after, due=line.due, due_by=line.article, touched=(*self.touched, *claim.squares))
        if claim is None or claim.side is None or line.upheld:
            varies = line.claim in VARYING_CLAIMS and line.upheld
            return replace(after, varying=(*self.varying, line.ply)) if varies else after
        if line.claim in BINDING_CLAIMS and (not self.due or claim.move in self.due):
            after = replace(after, must_play=claim.move)
        return replace(after, wrong=(*self.wrong, claim.side)) if line.claim in COSTLY_CLAIMS else after

    def adjourned(self) -> Envelope | None:
        """Return the envelope of a game that waits for it to be opened, or None."""
        return None if self.envelope is None or self.envelope.opened else self.envelope

    def sealed(self, line: StepTaken) -> "PendingStatements":
        """Return the pending statements after the step ``line``, which seals the envelope of an adjournment or opens it."""
        if line.step == "adjourn":
            return replace(self, envelope=Envelope(line.side, line.values[0] if line.values else None))
        assert self.envelope is not None, "only a sealed envelope is opened"
        return replace(self, envelope=replace(self.envelope, opened=True))

    def exchanged(self) -> "PendingStatements":
        """Return the statements with the sides exchanged."""
        claims = tuple(replace(one, side=_other(one.side)) for one in self.claims)
        envelope = self.envelope and replace(self.envelope, side=other(self.envelope.side))
        wrong = tuple(map(other, self.wrong))
        offer, offered = _other(self.offer), _other(self.offered)
        return replace(self, offer=offer, offered=offered, claims=claims, wrong=wrong, envelope=envelope)

    def moved(self, side: Side, clock: Seconds | None) -> "PendingStatements":
        """Return the statements that are still pending after a move of ``side``.

        ``clock``: the reading of its clock after the move, or None.
        """
        unanswered = self.envelope is not None and self.envelope.offered
        offer = self.offer if self.offer == side or unanswered else None
        wrong = self.wrong if clock is None else tuple(one for one in self.wrong if one != side)
        return PendingStatements(offer, self.offered, wrong=wrong, varying=self.varying)


def _other(side: Side | None) -> Side | None:
    return side and other(side)


NOTHING = PendingStatements()
