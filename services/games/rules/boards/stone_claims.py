"""Claims in the games of stones: Go 围棋, renju 连珠, free gomoku 五子棋."""

from typing import cast

from services.games.rules.boards.fifteen import point_of
from services.games.rules.boards.go.board import point_of as vertex_of
from services.games.rules.boards.go.game import GoGame
from services.games.rules.boards.go.position import KO
from services.games.rules.boards.gomoku.game import GomokuGame
from services.games.rules.boards.gomoku.position import OPENING, TIME
from services.games.rules.boards.port import Illegal
from services.games.rules.boards.renju.game import RenjuGame
from services.games.rules.boards.renju.position import CLAIM
from services.games.rules.play.claim_illegal_move import illegal_move
from services.games.rules.play.claim_port import Asked, Claims, Ruled, needs_move, needs_side, no_move
from shared.core.game_rules import GoRules
from shared.core.terms import Refusal


def void_stone(asked: Asked) -> Ruled | Refusal:
    """A ko taken back without a threat, or a stone on a forbidden point 禁着点: void, and where the regulations say so
    one turn is lost, the ko with a warning (000-A 围棋, 行棋 4, 5)."""
    rules = cast(GoRules, asked.rules)
    ruled = illegal_move(asked, vertex_of(asked.move or "", rules.size) is not None, "D4", KO)
    if isinstance(ruled, Refusal) or not ruled.upheld:
        return ruled
    lost = cast(GoGame, asked.position).go.lost_turn(asked.move or "")
    if lost is None:
        return Ruled(True, ruled.article, f"{ruled.grounds}; the stone goes back", ruled.move)
    grounds = f"{ruled.grounds}; void, and one turn is lost (弃权一次)"
    found = ruled.found if lost.warning else ()
    return Ruled(True, lost.article, grounds, ruled.move, found=found, loses_turn=True)


def forbidden_point(asked: Asked) -> Ruled | Refusal:
    """A forbidden stone of Black's that White points out 指出禁手: it loses if it was one and it is not too late
    (000-A 五子棋, H, I; 004 3.2 (6)). Refusals: ``side-missing``, ``move-missing``, ``own-stone``."""
    refusal = needs_side(asked, CLAIM) or needs_move(asked, "the point (h8)", CLAIM)
    if refusal is not None:
        return refusal
    assert asked.move is not None
    renju = cast(RenjuGame, asked.position).renju
    if asked.side != renju.holder("white"):
        detail = f"forbidden stones are Black's, whom {asked.side} plays; White points them out"
        return Refusal("rule", "own-stone", detail, CLAIM, "side")
    decided = renju.claim(asked.move)
    if isinstance(decided, Illegal):
        return Ruled(False, decided.article, decided.reason, asked.move)
    return Ruled(True, decided.article, f"{asked.move} was forbidden to Black (禁手)", asked.move, end=decided)


def stray_stone(asked: Asked) -> Ruled | Refusal:
    """One of the first two stones in a place where it may not go: a technical foul (000-B 2)."""
    return illegal_move(asked, point_of(asked.move or "") is not None, "h8", OPENING)


def time_up(asked: Asked) -> Ruled | Refusal:
    """The game's time is up, as the arbiter states: who has more fours wins (000-B 8)."""
    refusal = no_move(asked, TIME)
    if refusal is not None:
        return refusal
    if not asked.stated:
        return Ruled(False, TIME, "no arbiter states that the game's time is up")
    end = cast(GomokuGame, asked.position).at_time()
    return Ruled(True, TIME, f"more fours: {end.winner or 'neither side'}", end=end)


GO: Claims = {"illegal_move": void_stone}
RENJU: Claims = {"forbidden_point": forbidden_point}
GOMOKU: Claims = {"illegal_move": stray_stone, "time_up": time_up}
