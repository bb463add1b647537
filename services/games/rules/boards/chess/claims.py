"""Claims in chess: the third occurrence, fifty moves, and an illegal move (000-A 国际象棋, 对局结束 10-13, 不合规则 1)."""

import re
from typing import Literal, cast

from services.games.rules.boards.chess.position import FIFTY_MOVES, ILLEGAL, REPETITION, ChessPosition, WrongClaim
from services.games.rules.boards.port import Illegal, Written
from services.games.rules.play.claim_illegal_move import illegal_move
from services.games.rules.play.claim_port import Asked, Claims, Found, Ruled, needs_side
from services.games.rules.play.claim_touch import touch
from shared.core.game_rules import ChessRules
from shared.core.terms import Refusal

TOUCHED = "Laws 9.4"
_SQUARES = re.compile(r"[a-h][1-8][a-h][1-8][qrbn]?")


def draw(asked: Asked) -> Ruled | Refusal:
    """A draw claimed by the side to move, at once or with the move it announces.

    Refusals: ``side-missing``, ``not-to-move``, ``claim-right-lost`` by a touch, ``illegal-move`` for the one announced.
    """
    article = REPETITION if asked.claim == "threefold_repetition" else FIFTY_MOVES
    refusal = needs_side(asked, article)
    if refusal is not None:
        return refusal
    position, rules = cast(ChessPosition, asked.position), cast(ChessRules, asked.rules)
    assert asked.side is not None
    if asked.side != position.to_move():
        detail = f"{asked.claim} is claimed by the side to move, {position.to_move()}"
        return Refusal("rule", "not-to-move", detail, article, "side")
    if rules.touch_ends_claim and asked.said.touched:
        detail = f"{asked.side} has touched a piece to move it, and with this move claims no draw"
        return Refusal("rule", "claim-right-lost", detail, TOUCHED, "claim")
    decided = position.claim(cast(Literal["threefold_repetition", "fifty_moves"], asked.claim), asked.move)
    if isinstance(decided, Illegal):
        return Refusal("rule", "illegal-move", f"{asked.move}: {decided.reason}", decided.article, "move")
    announced = asked.move and _written(position, asked.move)
    grounds = _counted(position, asked, rules, announced)
    if isinstance(decided, WrongClaim):
        found = Found("false_claim", asked.side, decided.article)
        return Ruled(False, decided.article, grounds, decided.must_play, found=(found,))
    return Ruled(True, decided.article, grounds, announced, end=decided)


def _written(position: ChessPosition, move: str) -> str:
    played = position.fork().play(move)
    assert isinstance(played, Written), "an illegal move was refused"
    return played.move


def _counted(position: ChessPosition, asked: Asked, rules: ChessRules, announced: str | None) -> str:
    then = position
    if announced is not None:
        then = position.fork()
        then.play(announced)
    after = f"after {announced}, " if announced else ""
    if asked.claim == "threefold_repetition":
        return f"{after}this is occurrence {then.occurrences()} of the position; it takes {rules.repetitions}"
    moves = then.quiet_plies() // 2
    return f"{after}{moves} moves of each side without a capture or a pawn move; it takes {rules.quiet_moves}"


def illegal(asked: Asked) -> Ruled | Refusal:
    """An illegal move (不合规则 1; Laws 7.5.1)."""
    return illegal_move(asked, bool(_SQUARES.fullmatch(asked.move or "")), "e2e5", ILLEGAL)


CLAIMS: Claims = {"threefold_repetition": draw, "fifty_moves": draw, "illegal_move": illegal, "touch": touch}
