"""Claims at a board: what is claimed is decided by its game, written on the sheet, and may end the game or be found."""

from dataclasses import replace

from services.games.rules.boards.port.claim import ClaimInput, ClaimVerdict
from services.games.rules.boards.registry import COMMON_CLAIMS, TOUCH_CLAIMS
from services.games.rules.commands import MakeClaim
from services.games.rules.play.adjournment import adjourned
from services.games.rules.play.claims.findings import findings_lapse, new_findings, touches_stated_anew
from services.games.rules.play.claims.flags import flag, overrun
from services.games.rules.play.claims.pending_claims import await_arbiter, claim_id, made_before, takes_an_arbiter
from services.games.rules.play.claims.resignation import resign
from services.games.rules.play.clock_state import clocks_after
from services.games.rules.play.preconditions import (
    RunningGame,
    finding_on,
    game_end,
    other_side,
    running_game,
    seen_by_arbiter,
)
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, ClaimSettled, Decision, Official, SheetLine, StepTaken
from shared.core.language.messages import say, term
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal


def claim(t: Tournament, c: MakeClaim, sheet: Sheet) -> Decision | Refusal:
    """Decide a claim; a wrong one is written down, and found where it costs something. What no sheet shows of the other
    side waits for an arbiter, unless the sheet contradicts it.

    Refusals: ``no-such-claim`` in this game, ``adjusting-is-violation``, ``role-may-not`` and ``side-missing`` where no
    side claims, those of the game's own claims, and those of `made_before`, `other_side`, `adjourned` and `running_game`.
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
        detail = say("the claims of {name} are {claims}", name=game.variant.name, claims=tuple(game.variant.claims()))
        return Refusal("invalid", "no-such-claim", detail, where="claim")
    no_touch = _adjusting(t, c, game)
    if no_touch is not None:
        return no_touch
    verdict = row.decide(_input(t, c, sheet, game))
    waits_for_arbiter = row.waits and takes_an_arbiter(t, c.actor)
    if waits_for_arbiter and not isinstance(verdict, Refusal):
        verdict = row.decide(replace(_input(t, c, sheet, game), stated=True))
    if isinstance(verdict, Refusal):
        return verdict
    made = ClaimMade(Ply(len(sheet.plies)), c.side, c.claim, verdict.move, verdict.squares, claim_id(t, sheet))
    refusal = made_before(t, c, made, sheet, row)
    if refusal is not None:
        return refusal
    if waits_for_arbiter and verdict.upheld:
        return await_arbiter(t, game, made, verdict.article)
    state = sheet.state(game.variant)
    return decision_on(t, game, made, verdict, state, state)


def _claimant(c: MakeClaim) -> Refusal | None:
    """Refusals: ``role-may-not`` for a claim without a side that is no arbiter's, ``side-missing``, ``move-not-asked``,
    ``squares-not-asked``, ``adjusting-not-asked``."""
    if c.side is None and not seen_by_arbiter(c.actor):
        return Refusal("authority", "role-may-not", say("only an arbiter asks for a decision that no side claims"))
    if c.squares and c.claim not in TOUCH_CLAIMS:
        return Refusal(
            "invalid", "squares-not-asked", say("{claim} names no squares", claim=term(c.claim)), where="squares"
        )
    if c.adjusting and c.claim not in TOUCH_CLAIMS:
        return Refusal(
            "invalid",
            "adjusting-not-asked",
            say("adjusting does not apply to the claim {claim}", claim=term(c.claim)),
            where="adjusting",
        )
    if c.claim not in COMMON_CLAIMS:
        return None
    if c.side is None:
        return Refusal(
            "invalid", "side-missing", say("name the side of the {claim}", claim=term(c.claim)), where="side"
        )
    if c.move is not None:
        return Refusal("invalid", "move-not-asked", say("a {claim} names no move", claim=term(c.claim)), where="move")
    return None


def _adjusting(t: Tournament, c: MakeClaim, game: RunningGame) -> Refusal | None:
    """The refusal of adjusting 摆正 as a touch, where it is a violation 违例 and so reported."""
    if not c.adjusting or t.regulations.game.adjusting(game.variant.name) != "violation":
        return None
    article = t.regulations.articles.get(f"game.{game.variant.name}.adjusting")
    detail = say("adjusting is a violation 违例 here and no touch: an arbiter reports it as adjusting")
    see = f"/v1/tournaments/{t.id}/rulings"
    return Refusal("rule", "adjusting-is-violation", detail, article, "adjusting", see)


def _input(t: Tournament, c: MakeClaim, sheet: Sheet, game: RunningGame) -> ClaimInput:
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
        touched=() if c.claim in TOUCH_CLAIMS and findings_lapse(t) else pending.touched,
        varying=pending.varying,
        decisions=t.regulations.decisions,
    )


def decision_on(
    t: Tournament,
    game: RunningGame,
    made: ClaimMade,
    verdict: ClaimVerdict,
    state: GameState,
    now: GameState,
    settled: ClaimSettled | None = None,
) -> Decision:
    """The lines, and the end or the findings: the one that the claim is, and the flag where its cost overruns the clock.

    ``state``: that of the game when it was made, ``now`` as it stands; ``settled``: an arbiter decides one that stands on
    the sheet already.
    """
    ply = made.ply
    events: list[Official] = [] if settled is None else [settled]
    if verdict.end is not None:
        events.append(game_end(t, game.game.game, verdict.end.termination, verdict.end.winner, verdict.end.article))
    brought: list[Official] = []
    if settled is None:
        brought += touches_stated_anew(t, made, game.game, state, verdict)
    for one in new_findings(t, made, game.game, verdict):
        before = len(events) + len(brought)
        brought.append(finding_on(t, game.game, *one, ply, state.position, before))
        brought += overrun(t, game, state, one, ply, before + 1)
    clocks = clocks_after(t, game.game, now, (*events, *brought))
    lines: list[SheetLine] = [] if settled is not None else [made]
    lines.append(
        ClaimDecided(ply, made.claim, verdict.upheld, verdict.article, verdict.grounds, verdict.due, made.id, clocks)
    )
    if verdict.loses_turn:
        lines.append(StepTaken(Ply(ply + 1), state.position.to_move(), "lose_turn"))
    return Decision(tuple(events), tuple(brought), tuple(lines), game.game.game)
