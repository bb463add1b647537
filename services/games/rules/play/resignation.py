"""Resignations 认输: at once, or after a confirmation in time where the regulations ask for it (000-D ㈢(1))."""

from services.games.rules.boards.gomoku.position import resignation_stands
from services.games.rules.boards.port import other
from services.games.rules.play.clocks import seconds_of
from services.games.rules.play.commands import MakeClaim, TakeStep
from services.games.rules.play.preconditions import Running, ended, his_running
from services.games.rules.play.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, Decision, StepTaken
from shared.core.game_rules import GomokuRules
from shared.core.terms import Ply, Refusal, Seconds
from shared.core.tournament import Tournament


def resign(t: Tournament, c: MakeClaim, sheet: Sheet, game: Running) -> Decision:
    """``c.side`` loses; where a resignation is to be confirmed it is only written down, and lapses with the next move."""
    assert c.side is not None
    ply, rules = Ply(len(sheet.plies)), game.kind.rules
    made = ClaimMade(ply, c.side, "resignation")
    if isinstance(rules, GomokuRules) and not resignation_stands(None, rules):
        return Decision(lines=(made,), game=c.game)
    article = game.kind.row.resignation
    lines = (made, ClaimDecided(ply, "resignation", True, article))
    return Decision((ended(t, c.game, "resignation", other(c.side), article),), lines=lines, game=c.game)


def confirm(t: Tournament, c: TakeStep, sheet: Sheet) -> Decision | Refusal:
    """Confirm a resignation so many seconds after it: in time it loses the game, later it is void (取消).

    Refusals: ``no-resignation`` of this side that waits, ``bad-seconds``, and those of `his_running`.
    """
    game = his_running(t, c.actor, c.game, c.side)
    if isinstance(game, Refusal):
        return game
    article, made = game.kind.row.resignation, sheet.reached(game.kind).said.claim
    if made is None or made.claim != "resignation" or made.side != c.side:
        detail = f"no resignation of {c.side}'s waits for its confirmation"
        return Refusal("rule", "no-resignation", detail, article, "step")
    waited = seconds_of(c.values[0]) if len(c.values) == 1 else None
    if waited is None:
        detail = "a confirmation has one value, the whole seconds since the resignation"
        return Refusal("invalid", "bad-seconds", detail, article, "values")
    rules = game.kind.rules
    assert isinstance(rules, GomokuRules), "only such rules let a resignation wait"
    stands = resignation_stands(waited, rules)
    return _confirmed(t, c, sheet, waited, stands, article, rules.resignation_confirmed)


def _confirmed(
    t: Tournament, c: TakeStep, sheet: Sheet, waited: Seconds, stands: bool, article: str, limit: Seconds
) -> Decision:
    ply, side = Ply(len(sheet.plies)), c.side
    grounds = f"confirmed after {waited} seconds; {limit} are allowed"
    lines = (
        StepTaken(ply, side, "confirm_resignation", (str(waited),)),
        ClaimDecided(ply, "resignation", stands, article, grounds),
    )
    end = (ended(t, c.game, "resignation", other(side), article),) if stands else ()
    return Decision(end, lines=lines, game=c.game)
