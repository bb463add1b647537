"""Claims that accuse the other side beyond the sheet: nobody convicts by his own word, and the same act counts once.

From the second edition of decisions on (`Regulations.decisions`); before it a claim had no id and was decided as it was made.
"""

from services.games.rules.boards.port.claim import Claim
from services.games.rules.boards.port.position import other
from services.games.rules.boards.registry import TOUCH_CLAIMS
from services.games.rules.commands import MakeClaim
from services.games.rules.play.preconditions import RunningGame, seen_by_arbiter
from services.games.rules.play.sheet.sheet import Sheet, SheetClaim
from shared.core.events import ClaimMade, ClaimPending, Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, Refusal


def claim_id(t: Tournament, sheet: Sheet) -> str:
    """The id of the next claim: ``c`` and its number on the sheet; none by the first edition."""
    return f"c{len(sheet.claims) + 1}" if t.regulations.decisions >= 2 else ""


def takes_an_arbiter(t: Tournament, actor: Actor) -> bool:
    """Whether what this actor says of the other side, and no sheet shows, is for an arbiter to decide."""
    return t.regulations.decisions >= 2 and not seen_by_arbiter(actor)


def await_arbiter(t: Tournament, game: RunningGame, made: ClaimMade, article: str) -> Decision:
    """The claim on the sheet, and in the log that an arbiter is to decide it."""
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


def made_before(t: Tournament, c: MakeClaim, made: ClaimMade, sheet: Sheet, row: Claim | None) -> Refusal | None:
    """Refusal ``claim-made``: the same was claimed at this ply, and is pending or decided. ``row`` None: a flag's, which may
    fall after all while nobody moves.

    An arbiter may state what a side was denied, where its denial cost nothing; and a touch again that he replaced by another.
    """
    if t.regulations.decisions < 2:
        return None
    standing = {line.id for line in sheet.entries if isinstance(line, ClaimMade)}
    states, replaced = seen_by_arbiter(c.actor), False
    for one in reversed(sheet.claims):
        if one.decision is not None:
            if row is None or one.made.id not in standing:
                continue
            if states and (replaced or not (one.decision.upheld or row.costs_time)):
                continue
            replaced = one.decision.upheld and one.made.claim in TOUCH_CLAIMS and one.made.ply == made.ply
        if _act(one.made, row) == _act(made, row):
            return _refusal(t, c, one)
    return None


def _act(made: ClaimMade, row: Claim | None) -> tuple[object, ...]:
    """Return the act that is claimed, which does not depend on the claimant if the claim waits. A move may be written in either
    case."""
    side = made.side if row is None or not row.waits else None
    move = None if made.move is None else made.move.replace("-", "").casefold()
    return made.claim, made.ply, side, move, tuple(dict.fromkeys(made.squares))


def _refusal(t: Tournament, c: MakeClaim, one: SheetClaim) -> Refusal:
    id, sheet = one.made.id, f"/v1/games/{c.game}/sheet"
    if one.decision is None:
        article, see = t.claims[c.game, id].event.article, f"/v1/games/{c.game}/claims/{id}/decision"
        return Refusal(
            "rule", "claim-made", say("it is claim {id}, which waits for an arbiter", id=id), article, "claim", see
        )
    detail = (
        say("it is claim {id}, which was upheld: the same act counts once", id=id)
        if one.decision.upheld
        else say("it is claim {id}, which was denied: the same act counts once", id=id)
    )
    return Refusal("rule", "claim-made", detail, one.decision.article, "claim", sheet)
