"""Claims in chess: threefold repetition, fifty moves, illegal moves, touched pieces 摸子 and dead positions.

Articles: 000-A is the campus event's text; "Laws" are FIDE's Laws of Chess.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, cast

from services.games.rules.boards.chess.move_texts import ILLEGAL
from services.games.rules.boards.chess.position import (
    DEAD,
    FIFTY_MOVES,
    LAPSED,
    MATERIAL,
    REPETITION,
    ChessPosition,
    WrongClaim,
)
from services.games.rules.boards.port.claim import (
    Claim,
    ClaimFinding,
    ClaimInput,
    ClaimVerdict,
    illegal_move,
    needs_side,
    no_move,
)
from services.games.rules.boards.port.position import End, IllegalMove, LegalMove
from services.games.rules.boards.port.touch_move import Articles, Due, decide_touch, due_after
from shared.core.events import Ground
from shared.core.events.event import GroundFact
from shared.core.language.messages import say, term
from shared.core.rulebook.game_rules import ChessRules
from shared.core.state.grounds import ground, words_of
from shared.core.terms import Refusal

TOUCHED = "Laws 9.4"
ARTICLES = Articles(
    own="000-A 国际象棋, 摸子 1; Laws 4.3.1",
    opponents="000-A 国际象棋, 摸子 2; Laws 4.3.2",
    own_first="000-A 国际象棋, 摸子 3; Laws 4.3.3",
    opponents_first="000-A 国际象棋, 摸子 4, 5; Laws 4.3.3",
    unmovable="000-A 国际象棋, 犯规 4",
    uncapturable="000-A 国际象棋, 犯规 5",
    accident="000-A 国际象棋, 摸子 6; Laws 4.2",
    free=", 4.5",
)
CASTLES, CASTLES_NOT = "Laws 4.4.1", "Laws 4.4.3"
ROOK_FIRST = "000-A 国际象棋, 摸子 1; Laws 4.4.2"
_SQUARES = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")


def draw(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a draw that the side to move claims, at once or with a move that it announces.

    Refusals: ``side-missing``, ``not-to-move``, ``illegal-move`` if the announced move is illegal, and
    ``claim-right-lost`` if the side has touched a piece, or has played on after the repetition without claiming it.
    """
    article = REPETITION if claim.claim == "threefold_repetition" else FIFTY_MOVES
    refusal = needs_side(claim, article)
    if refusal is not None:
        return refusal
    position, rules = cast(ChessPosition, claim.position), cast(ChessRules, claim.rules)
    assert claim.side is not None
    if claim.side != position.to_move():
        detail = say(
            "only the side to move, {to_move}, may claim {claim}",
            claim=term(claim.claim),
            to_move=term(position.to_move()),
        )
        return Refusal("rule", "not-to-move", detail, article, "side")
    if rules.touch_ends_claim and claim.touched:
        detail = say(
            "{side} has touched a piece to move it, so it can no longer claim a draw with this move",
            side=term(claim.side),
        )
        return Refusal("rule", "claim-right-lost", detail, TOUCHED, "claim")
    outcome = position.claim(cast(Literal["threefold_repetition", "fifty_moves"], claim.claim), claim.move)
    if isinstance(outcome, IllegalMove):
        detail = say("{move}: {reason}", move=claim.move or "", reason=outcome.reason)
        return Refusal("rule", "illegal-move", detail, outcome.article, "move")
    played = position.fork().play(claim.move) if claim.move else None
    announced = played.move if isinstance(played, LegalMove) else None
    grounds = _grounds(position, claim, rules, announced)
    if isinstance(outcome, WrongClaim):
        # The article on lapsed rights is only about repetitions (对局结束 11).
        repeated = claim.claim == "threefold_repetition"
        if rules.lapsed_claim == "refused" and repeated and position.right_lapsed():
            detail = say(
                "{side} moved on without claiming the repetition, so it can no longer be claimed: {grounds}",
                side=term(claim.side),
                grounds=words_of(grounds),
            )
            return Refusal("rule", "claim-right-lost", detail, LAPSED, "claim")
        finding = ClaimFinding("false_claim", claim.side, outcome.article)
        return ClaimVerdict(False, outcome.article, (grounds,), outcome.must_play, findings=(finding,))
    return ClaimVerdict(True, outcome.article, (grounds,), announced, end=outcome)


def _grounds(position: ChessPosition, claim: ClaimInput, rules: ChessRules, announced: str | None) -> Ground:
    then = position
    after: dict[str, GroundFact] = {}
    if announced is not None:
        then, after = position.fork(), {"move": announced}
        then.play(announced)
    once = "_after" if announced else ""
    if claim.claim == "threefold_repetition":
        return ground(f"occurrence{once}", times=then.occurrences(), limit=rules.repetitions, **after)
    return ground(f"quiet{once}", number=then.quiet_plies() // 2, limit=rules.quiet_moves, **after)


def illegal(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a claim of an illegal move (不合规则 1; Laws 7.5.1)."""
    return illegal_move(claim, bool(_SQUARES.fullmatch(claim.move or "")), "e2e5", ILLEGAL)


def due(position: ChessPosition, touched: Sequence[str]) -> Due:
    """Return the moves of which one must follow after the side to move touched pieces on ``touched``, in this order.

    If the king was touched before a rook, both at home, the side must castle with them; if that is illegal, the king
    must move (Laws 4.4.1, 4.4.3). If the rook was touched first, it must move without castling (摸子 1; Laws 4.4.2),
    because castling is a move of the king. In all other cases, the rules of `due_after` apply. The list is empty if any
    legal move may follow.
    """
    pieces = due_after(position, touched, ARTICLES)
    if len(touched) < 2:
        return pieces
    first, second = touched[:2]
    if position.castling(second, first):
        return replace(pieces, article=ROOK_FIRST)
    castling = position.castling(first, second)
    if castling is None:
        return pieces
    king = [one.move for one in position.options() if one.origin == first]
    if castling in king:
        return Due((castling,), CASTLES, (ground("king_then_rook", move=castling),), pieces.futile)
    moves = tuple(sorted(king))
    then = ground("king_moves", moves=moves) if moves else ground("king_stays")
    return Due(moves, CASTLES_NOT, (ground("illegal", move=castling), then), pieces.futile)


def touch(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide the claim that the side to move touched pieces (摸子), and which moves it may then make (Laws 4)."""
    return decide_touch(claim, cast(ChessPosition, claim.position), ARTICLES, due)


def dead(claim: ClaimInput) -> ClaimVerdict | Refusal:
    """Decide a dead position: neither side can mate by any legal moves (Laws 5.2.2), as an arbiter states.

    Material that cannot mate ends the game automatically. No program here proves that any other position is dead. A
    checkmate in one move disproves it. Refusals: ``move-not-asked``, ``claim-not-in-rules``, ``not-dead``.
    """
    refusal = no_move(claim, DEAD)
    if refusal is not None:
        return refusal
    if cast(ChessRules, claim.rules).dead_position == "material":
        detail = say(
            "only material that cannot mate makes a position dead here, and it ends the game automatically; "
            "regulations with game.chess.dead_position = stated have this claim"
        )
        return Refusal("rule", "claim-not-in-rules", detail, MATERIAL, "claim")
    mate = cast(ChessPosition, claim.position).mate_in_one()
    if mate is not None:
        detail = say("the position is not dead: {move} is checkmate", move=mate)
        return Refusal("rule", "not-dead", detail, DEAD, "claim")
    if not claim.stated:
        return ClaimVerdict(False, DEAD, (ground("dead_not_stated"),))
    return ClaimVerdict(True, DEAD, (ground("neither_can_win"),), end=End("dead_position", None, DEAD))


CLAIMS = (
    Claim("threefold_repetition", draw, costs_time=True, binds=True),
    Claim("fifty_moves", draw, costs_time=True, binds=True),
    Claim("illegal_move", illegal, accuses=True),
    Claim("touch", touch, touches=True, accuses=True),
    Claim("dead_position", dead, unproved=True),
)
