"""Claims that accuse the other side of something the sheet does not show.

A player's claim alone convicts no one, and the same act counts once. This applies from decision edition 2 on
(`Regulations.decisions`). Before it, a claim had no ID and was decided immediately.
"""

from services.games.rules.boards.port.claim import Claim
from services.games.rules.boards.registry import TOUCH_CLAIMS
from services.games.rules.commands import MakeClaim
from services.games.rules.play.preconditions import RunningGame, is_arbiter
from services.games.rules.play.sheet.sheet import Sheet, SheetClaim
from shared.core.events import ClaimMade, ClaimPending, Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, Refusal, other


def claim_id(t: Tournament, sheet: Sheet) -> str:
    """Return the ID of the next claim: ``c`` and its number on the sheet. Empty in decision edition 1."""
    return f"c{len(sheet.claims) + 1}" if t.regulations.decisions >= 2 else ""


def requires_arbiter(t: Tournament, actor: Actor) -> bool:
    """Return whether an arbiter must decide this actor's claims about the other side that no sheet shows.

    From decision edition 2 on, this applies to every actor who is not an arbiter.
    """
    return t.regulations.decisions >= 2 and not is_arbiter(actor)


def await_arbiter(t: Tournament, game: RunningGame, made: ClaimMade, article: str) -> Decision:
    """Return the decision that records the claim ``made`` on the score sheet, and in the log as pending for an arbiter."""
    assert made.side is not None, "only a side accuses the other"
    one = game.game
    pending = ClaimPending(
        claim=made.id,
        game=one.game,
        kind=made.claim,
        ply=made.ply,
        side=made.side,
        player=one.player(made.side),
        accused=one.player(other(made.side)),
        article=article,
        move=made.move,
        squares=made.squares,
    )
    return Decision((pending,), lines=(made,), game=one.game)


def refuse_repeated(t: Tournament, c: MakeClaim, made: ClaimMade, sheet: Sheet, row: Claim | None) -> Refusal | None:
    """Return the refusal ``claim-made`` if the act of the claim ``made`` was already claimed at this ply, or None.

    ``row``: the game's row of the claim, or None for a fallen flag. A flag can be claimed again after a decision,
    because it may still fall. Claims on moves taken back do not count. An arbiter may state an act that was denied as a
    side's claim, if the denial cost nothing, and may state a touch again after another statement replaced it.
    """
    if t.regulations.decisions < 2:
        return None
    standing = {line.id for line in sheet.entries if isinstance(line, ClaimMade)}
    states, replaced = is_arbiter(c.actor), False
    for one in reversed(sheet.claims):
        if one.decision is not None:
            if row is None or one.made.id not in standing:
                continue
            if states and (replaced or not (one.decision.upheld or row.costs_time)):
                continue
            replaced = one.decision.upheld and one.made.claim in TOUCH_CLAIMS and one.made.ply == made.ply
        if _claimed_act(one.made, row) == _claimed_act(made, row):
            return _refusal(t, c, one)
    return None


def _claimed_act(made: ClaimMade, row: Claim | None) -> tuple[object, ...]:
    """Return what a claim is about, so that equal claims are recognised. A move may be written in upper or lower case.

    If the claim waits for an arbiter, it does not matter who makes it.
    """
    side = made.side if row is None or not row.waits else None
    move = None if made.move is None else made.move.replace("-", "").casefold()
    return made.claim, made.ply, side, move, tuple(dict.fromkeys(made.squares))


def _refusal(t: Tournament, c: MakeClaim, one: SheetClaim) -> Refusal:
    id, sheet = one.made.id, f"/v1/games/{c.game}/sheet"
    if one.decision is None:
        article, see = t.claims[c.game, id].event.article, f"/v1/games/{c.game}/claims/{id}/decision"
        detail = say("this act was already claimed as {id}; the claim waits for an arbiter", id=id)
        return Refusal("rule", "claim-made", detail, article, "claim", see)
    detail = (
        say("this act was already claimed as {id}, which was upheld; an act counts once", id=id)
        if one.decision.upheld
        else say("this act was already claimed as {id}, which was denied; an act counts once", id=id)
    )
    return Refusal("rule", "claim-made", detail, one.decision.article, "claim", sheet)
