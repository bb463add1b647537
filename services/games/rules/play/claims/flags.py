"""Fallen flags: by a claim, by the time that a wrong claim costs, or by a step that took too long."""

from services.games.rules.boards.port.board_game import Step
from services.games.rules.boards.port.claim import ClaimFinding
from services.games.rules.boards.port.position import Position
from services.games.rules.commands import MakeClaim
from services.games.rules.play.claims.pending_claims import await_arbiter, claim_id, refuse_repeated, requires_arbiter
from services.games.rules.play.clock_state import clock_state, follows_state
from services.games.rules.play.preconditions import RunningGame, finding_on, is_arbiter, refuse_without_clock
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, Decision, FindingMade, StepTaken
from shared.core.events.games import FindingKind
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal, other


def flag(t: Tournament, c: MakeClaim, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Decide the claim of ``c.side`` that the opponent's flag fell. An upheld claim becomes a finding.

    The penalties service rules on the finding. The opponent loses, or the game is drawn if ``c.side`` could not have won and
    the regulations then spare the opponent. If neither an arbiter states the claim nor the score sheet shows the fallen
    flag, the claim waits for an arbiter; in decision edition 1 it is recorded as rejected.
    Refusals: those of `refuse_repeated` and `refuse_without_clock`.
    """
    assert c.side is not None
    article, ply, late = t.regulations.game.flag(game.variant.name), Ply(len(sheet.plies)), other(c.side)
    state = sheet.state(game.variant)
    refusal = refuse_without_clock(game, state, "claim")
    if refusal is not None:
        return refusal
    upheld = is_arbiter(c.actor) or state.fallen(late)
    made = ClaimMade(ply, c.side, "flag", id=claim_id(t, sheet))
    refusal = refuse_repeated(t, c, made, sheet, None)
    if refusal is not None:
        return refusal
    if not upheld and requires_arbiter(t, c.actor):
        return await_arbiter(t, game, made, article)
    lines = (made, ClaimDecided(ply, "flag", upheld, article, id=made.id))
    if not upheld:
        return Decision(lines=lines, game=c.game)
    return Decision(
        brought=(finding_on(t, game.game, "flag", late, article, ply, state.position),), lines=lines, game=c.game
    )


def overrun(
    t: Tournament, game: RunningGame, state: GameState, one: ClaimFinding, ply: Ply, before: int
) -> list[FindingMade]:
    """Return a finding if the finding ``one`` takes at least the seconds left on its side's clock, else an empty list.

    The new finding is an overrun, or a flag if the rulebook has no row for overruns (000-A 国际象棋, 对局结束 13(2);
    002-X 23.3). In decision edition 1 the clock is its last reading minus the cost of later wrong claims. Without a
    clock the list is empty. ``before``: how many events precede the new finding in the same command.
    """
    rows = t.regulations.rulebook.finding_rules(one.kind, game.variant.name)
    taken = -sum(min(0, row.clock) for row in rows)
    if follows_state(t):
        left = clock_state(t, game.game, state, one.side).left
    else:
        left, taken = state.clock(one.side), taken * (state.pending.wrong.count(one.side) + 1)
    if left is None or not taken or left > taken:
        return []
    kind: FindingKind = "overrun" if t.regulations.rulebook.finding_rules("overrun", game.variant.name) else "flag"
    return [finding_on(t, game.game, kind, one.side, one.article, ply, state.position, before)]


def step_overtime(
    t: Tournament, game: RunningGame, position: Position, step: Step, line: StepTaken, before: int
) -> list[FindingMade]:
    """Return the flag finding of a side that exceeded the game's time for a step, or an empty list.

    The list is also empty without a time control. ``before``: how many events precede the finding in the same command.
    """
    time = game.variant.time
    if time is None or step.overtime is None:
        return []
    article = step.overtime(time, game.variant.rules, line.values)
    if article is None:
        return []
    return [finding_on(t, game.game, "flag", line.side, article, line.ply, position, before)]
