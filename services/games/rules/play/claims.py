"""Claims at a board: what is claimed is decided by its game, written on the sheet, and may end the game or be found."""

from services.games.rules.boards.port.claim import ClaimInput, ClaimVerdict
from services.games.rules.boards.registry import COMMON_CLAIMS, TOUCH_CLAIMS
from services.games.rules.play.adjournment import adjourned
from services.games.rules.play.commands import MakeClaim
from services.games.rules.play.flags import flag, overrun
from services.games.rules.play.preconditions import (
    RunningGame,
    finding_on,
    game_end,
    other_side,
    running_game,
    seen_by_arbiter,
)
from services.games.rules.play.resignation import resign
from services.games.rules.play.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, Decision, GameEnded, Official, SheetLine, StepTaken
from shared.core.terms import Ply, Refusal
from shared.core.tournament import Tournament


def claim(t: Tournament, c: MakeClaim, sheet: Sheet) -> Decision | Refusal:
    """Decide a claim; a wrong one is written down, and found where it costs something.

    Refusals: ``no-such-claim`` in this game, ``role-may-not`` and ``side-missing`` where no side claims, those of the
    game's own claims, and those of `other_side`, `adjourned` and `running_game`.
    """
    game = running_game(t, c.game)
    if isinstance(game, Refusal):
        return game
    refusal = _claimant(c) or (c.side and other_side(t, c.actor, game.game, c.side))
    if refusal is not None:
        return refusal
    waits = (
        None if c.claim == "resignation" or (c.claim == "flag" and seen_by_arbiter(c.actor)) else adjourned(game, sheet)
    )
    if waits is not None:
        return waits
    if c.claim in COMMON_CLAIMS:
        return resign(t, c, sheet, game) if c.claim == "resignation" else flag(t, c, sheet, game)
    row = game.variant.game.claims_by_name.get(c.claim)
    if row is None:
        detail = f"the claims of {game.variant.name} are {', '.join(game.variant.claims())}"
        return Refusal("invalid", "no-such-claim", detail, where="claim")
    verdict = row.decide(_input(c, sheet, game))
    return verdict if isinstance(verdict, Refusal) else _decision(t, c, sheet, game, verdict)


def _claimant(c: MakeClaim) -> Refusal | None:
    """Refusals: ``role-may-not`` for a claim without a side that is no arbiter's, ``side-missing``, ``move-not-asked``,
    ``squares-not-asked``."""
    if c.side is None and not seen_by_arbiter(c.actor):
        return Refusal("authority", "role-may-not", "only an arbiter asks for a decision that no side claims")
    if c.squares and c.claim not in TOUCH_CLAIMS:
        return Refusal("invalid", "squares-not-asked", f"{c.claim} names no squares", where="squares")
    if c.claim not in COMMON_CLAIMS:
        return None
    if c.side is None:
        return Refusal("invalid", "side-missing", f"name the side of the {c.claim}", where="side")
    if c.move is not None:
        return Refusal("invalid", "move-not-asked", f"a {c.claim} names no move", where="move")
    return None


def _input(c: MakeClaim, sheet: Sheet, game: RunningGame) -> ClaimInput:
    state = sheet.state(game.variant)
    moves, pending = tuple(move.move for move in sheet.moves), state.pending
    return ClaimInput(
        claim=c.claim,
        side=c.side,
        move=c.move,
        stated=seen_by_arbiter(c.actor),
        rules=game.variant.rules,
        position=state.position.fork(),
        moves=moves,
        squares=c.squares,
        must_play=pending.must_play,
        touched=pending.touched,
        varying=pending.varying,
    )


def _decision(t: Tournament, c: MakeClaim, sheet: Sheet, game: RunningGame, verdict: ClaimVerdict) -> Decision:
    """The lines, and the end or the findings: the one that the claim is, and the flag where its cost overruns the clock."""
    ply, state = Ply(len(sheet.plies)), sheet.state(game.variant)
    lines: list[SheetLine] = [
        ClaimMade(ply, c.side, c.claim, verdict.move, verdict.squares),
        ClaimDecided(ply, c.claim, verdict.upheld, verdict.article, verdict.grounds, verdict.due),
    ]
    if verdict.loses_turn:
        lines.append(StepTaken(Ply(ply + 1), state.position.to_move(), "lose_turn"))
    end: tuple[GameEnded, ...] = ()
    brought: list[Official] = []
    if verdict.end is not None:
        end = (game_end(t, c.game, verdict.end.termination, verdict.end.winner, verdict.end.article),)
    for one in verdict.findings:
        brought.append(finding_on(t, game.game, *one, ply, state.position, before=len(brought)))
        brought += overrun(t, game, state, one, ply, before=len(brought))
    return Decision(end, tuple(brought), tuple(lines), c.game)
