"""Claims at a board: the game decides them.

The decision is recorded on the sheet, and may end the game or become a finding.
"""

from collections.abc import Iterable
from dataclasses import replace

from services.games.rules.boards.port.claim import ClaimInput, ClaimVerdict
from services.games.rules.boards.registry import COMMON_CLAIMS, TOUCH_CLAIMS
from services.games.rules.commands import MakeClaim
from services.games.rules.play.adjournment import refuse_adjourned
from services.games.rules.play.claims.findings import can_withdraw_findings, new_findings, withdraw_superseded_touches
from services.games.rules.play.claims.flags import flag, overrun
from services.games.rules.play.claims.pending_claims import await_arbiter, claim_id, refuse_repeated, requires_arbiter
from services.games.rules.play.claims.resignation import resign
from services.games.rules.play.clock_state import clocks_after
from services.games.rules.play.preconditions import (
    RunningGame,
    finding_on,
    game_end,
    is_arbiter,
    refuse_other_side,
    running_game,
)
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import (
    ClaimDecided,
    ClaimMade,
    ClaimSettled,
    Decision,
    MovePlayed,
    Official,
    SheetLine,
    StepTaken,
)
from shared.core.language.messages import say, term
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal


def claim(t: Tournament, c: MakeClaim, sheet: Sheet) -> Decision | Refusal:
    """Decide a claim. A rejected one is recorded, and becomes a finding if it costs something.

    A claim about the other side that no sheet shows waits for an arbiter, unless the sheet contradicts it. Refusals:
    ``no-such-claim`` in this game, ``adjusting-is-violation``, ``role-may-not`` and ``side-missing`` if no side claims,
    those of the game's own claims, and those of `refuse_repeated`, `refuse_other_side`, `refuse_adjourned` and `running_game`.
    """
    game = running_game(t, c.game)
    if isinstance(game, Refusal):
        return game
    refusal = _refuse_form(c) or (refuse_other_side(t, c.actor, game.game, c.side) if c.side else None)
    if c.claim != "resignation" and not (c.claim == "flag" and is_arbiter(c.actor)):
        refusal = refusal or refuse_adjourned(game, sheet)
    if refusal is not None:
        return refusal
    if c.claim in COMMON_CLAIMS:
        return resign(t, c, sheet, game) if c.claim == "resignation" else flag(t, c, sheet, game)
    row = game.variant.game.claims_by_name.get(c.claim)
    if row is None:
        detail = say(
            "unknown claim; games of {name} have the claims {claims}",
            name=game.variant.name,
            claims=tuple(game.variant.claims()),
        )
        return Refusal("invalid", "no-such-claim", detail, where="claim")
    no_touch = _refuse_adjusting(t, c, game)
    if no_touch is not None:
        return no_touch
    state, restates = sheet.state(game.variant), c.claim in TOUCH_CLAIMS and can_withdraw_findings(t)
    given = claim_input(t, game, c, state, sheet.moves)
    given = replace(given, stated=is_arbiter(c.actor), touched=() if restates else state.pending.touched)
    verdict = row.decide(given)
    waits_for_arbiter = row.waits and requires_arbiter(t, c.actor)
    if waits_for_arbiter and not isinstance(verdict, Refusal):
        verdict = row.decide(replace(given, stated=True, position=state.position.fork()))
    if isinstance(verdict, Refusal):
        return verdict
    made = ClaimMade(Ply(len(sheet.plies)), c.side, c.claim, verdict.move, verdict.squares, claim_id(t, sheet))
    refusal = refuse_repeated(t, c, made, sheet, row)
    if refusal is not None:
        return refusal
    if waits_for_arbiter and verdict.upheld:
        return await_arbiter(t, game, made, verdict.article)
    return decision_on(t, game, made, verdict, state, state)


def _refuse_form(c: MakeClaim) -> Refusal | None:
    """Return why the form of a claim is wrong, or None.

    Refusals: ``role-may-not`` for a claim without a side that is not an arbiter's, ``side-missing``,
    ``move-not-asked``, ``squares-not-asked``, ``adjusting-not-asked``.
    """
    if c.side is None and not is_arbiter(c.actor):
        return Refusal(
            "authority", "role-may-not", say("only an arbiter may ask for a decision that neither side claims")
        )
    if c.squares and c.claim not in TOUCH_CLAIMS:
        detail = say("a claim of {claim} must not contain squares", claim=term(c.claim))
        return Refusal("invalid", "squares-not-asked", detail, where="squares")
    if c.adjusting and c.claim not in TOUCH_CLAIMS:
        detail = say("adjusting does not apply to the claim {claim}", claim=term(c.claim))
        return Refusal("invalid", "adjusting-not-asked", detail, where="adjusting")
    if c.claim not in COMMON_CLAIMS:
        return None
    if c.side is None:
        detail = say("the side is missing: name the side that claims {claim}", claim=term(c.claim))
        return Refusal("invalid", "side-missing", detail, where="side")
    if c.move is not None:
        return Refusal(
            "invalid",
            "move-not-asked",
            say("a claim of {claim} must not contain a move", claim=term(c.claim)),
            where="move",
        )
    return None


def _refuse_adjusting(t: Tournament, c: MakeClaim, game: RunningGame) -> Refusal | None:
    """Return the refusal ``adjusting-is-violation`` of a touch that was an adjustment 摆正, or None.

    It applies if the ruleset treats adjusting as a violation 违例: an arbiter must then report it to penalties instead.
    """
    if not c.adjusting or t.regulations.game.adjusting(game.variant.name) != "violation":
        return None
    article = t.regulations.articles.get(f"game.{game.variant.name}.adjusting")
    detail = say(
        "under this ruleset, adjusting a piece is a violation 违例, not a touch: an arbiter must report it as adjusting"
    )
    see = f"/v1/tournaments/{t.id}/rulings"
    return Refusal("rule", "adjusting-is-violation", detail, article, "adjusting", see)


def claim_input(
    t: Tournament, game: RunningGame, made: MakeClaim | ClaimMade, state: GameState, moves: Iterable[MovePlayed]
) -> ClaimInput:
    """Return the facts by which the game decides the claim ``made`` in this ``state``, as if no arbiter stated it.

    ``moves``: those on the sheet before the claim.
    """
    return ClaimInput(
        claim=made.claim,
        side=made.side,
        move=made.move,
        stated=False,
        rules=game.variant.rules,
        position=state.position.fork(),
        moves=tuple(move.move for move in moves),
        squares=made.squares,
        must_play=state.pending.must_play,
        varying=state.pending.varying,
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
    """Return the decision on a claim: sheet events, and the end of the game or findings.

    A finding is added if the claim's cost exceeds the clock. ``state``: the game when the claim was made. ``now``: the
    present state. ``settled``: set if an arbiter decides a claim that is already on the sheet.
    """
    ply = made.ply
    events: list[Official] = [] if settled is None else [settled]
    if verdict.end is not None:
        events.append(game_end(t, game.game.game, verdict.end.termination, verdict.end.winner, verdict.end.article))
    brought: list[Official] = []
    if settled is None:
        brought += withdraw_superseded_touches(t, made, game.game, state, verdict)
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
