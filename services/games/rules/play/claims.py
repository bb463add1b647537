"""Claims at a board: what is claimed is decided by its game, written on the sheet, and may end the game or be found."""

from services.games.rules.boards import stone_claims as claims_stones
from services.games.rules.boards.chess import claims as claims_chess
from services.games.rules.boards.xiangqi import claims as claims_xiangqi
from services.games.rules.play.adjournment import adjourned
from services.games.rules.play.claim_port import Asked, Claims, Ruled
from services.games.rules.play.commands import MakeClaim
from services.games.rules.play.flags import flag, overrun, stated
from services.games.rules.play.preconditions import Running, ended, found, not_his, running
from services.games.rules.play.resignation import resign
from services.games.rules.play.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, Decision, GameEnded, Official, SheetLine, StepTaken
from shared.core.terms import Ply, Refusal
from shared.core.tournament import Tournament

GAMES: dict[str, Claims] = {
    "chess": claims_chess.CLAIMS,
    "xiangqi": claims_xiangqi.CLAIMS,
    "go": claims_stones.GO,
    "renju": claims_stones.RENJU,
    "gomoku": claims_stones.GOMOKU,
}
"""What can be claimed in each game beside a resignation and a flag, which all have."""


def claim(t: Tournament, c: MakeClaim, sheet: Sheet) -> Decision | Refusal:
    """Decide a claim; a wrong one is written down, and found where it costs something.

    Refusals: ``no-such-claim`` in this game, ``role-may-not`` and ``side-missing`` where no side claims, those of the
    game's own claims, and those of `not_his`, `adjourned` and `running`.
    """
    game = running(t, c.game)
    if isinstance(game, Refusal):
        return game
    refusal = _claimant(c) or (c.side and not_his(t, c.actor, game.game, c.side))
    if refusal is not None:
        return refusal
    waits = None if c.claim == "resignation" or (c.claim == "flag" and stated(c.actor)) else adjourned(game, sheet)
    if waits is not None:
        return waits
    if c.claim in ("resignation", "flag"):
        return resign(t, c, sheet, game) if c.claim == "resignation" else flag(t, c, sheet, game)
    name = game.kind.name
    judge = GAMES.get(name, {}).get(c.claim)
    if judge is None:
        known = ", ".join(("resignation", "flag", *sorted(GAMES.get(name, {}))))
        return Refusal("invalid", "no-such-claim", f"the claims of {name} are {known}", where="claim")
    ruled = judge(_asked(c, sheet, game))
    return ruled if isinstance(ruled, Refusal) else _decided(t, c, sheet, game, ruled)


def _claimant(c: MakeClaim) -> Refusal | None:
    """Refusals: ``role-may-not`` for a claim without a side that is no arbiter's, ``side-missing``, ``move-not-asked``,
    ``squares-not-asked``."""
    if c.side is None and not stated(c.actor):
        return Refusal("authority", "role-may-not", "only an arbiter asks for a decision that no side claims")
    if c.squares and c.claim != "touch":
        return Refusal("invalid", "squares-not-asked", f"{c.claim} names no squares", where="squares")
    if c.claim not in ("resignation", "flag"):
        return None
    if c.side is None:
        return Refusal("invalid", "side-missing", f"name the side of the {c.claim}", where="side")
    if c.move is not None:
        return Refusal("invalid", "move-not-asked", f"a {c.claim} names no move", where="move")
    return None


def _asked(c: MakeClaim, sheet: Sheet, game: Running) -> Asked:
    reached = sheet.reached(game.kind)
    moves = tuple(move.move for move in sheet.moves)
    position, seen = reached.position.fork(), stated(c.actor)
    return Asked(c.claim, c.side, c.move, seen, game.kind.rules, position, moves, reached.said, c.squares)


def _decided(t: Tournament, c: MakeClaim, sheet: Sheet, game: Running, ruled: Ruled) -> Decision:
    """The lines, and the end or the findings: the one that the claim is, and the flag where its cost overruns the clock."""
    ply = Ply(len(sheet.plies))
    lines: list[SheetLine] = [
        ClaimMade(ply, c.side, c.claim, ruled.move, ruled.squares),
        ClaimDecided(ply, c.claim, ruled.upheld, ruled.article, ruled.grounds, ruled.due),
    ]
    if ruled.loses_turn:
        lines.append(StepTaken(Ply(ply + 1), sheet.reached(game.kind).position.to_move(), "lose_turn"))
    end: tuple[GameEnded, ...] = ()
    brought: list[Official] = []
    if ruled.end is not None:
        end = (ended(t, c.game, ruled.end.termination, ruled.end.winner, ruled.end.article),)
    reached = sheet.reached(game.kind)
    for one in ruled.found:
        brought.append(found(t, game.game, *one, ply, reached.position, before=len(brought)))
        brought += overrun(t, game, reached, one, ply, before=len(brought))
    return Decision(end, tuple(brought), tuple(lines), c.game)
