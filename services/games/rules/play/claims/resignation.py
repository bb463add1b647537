"""Resignations 认输: immediate, or confirmed in time if the regulations require it (000-D ㈢(1))."""

from services.games.rules.boards.port.position import seconds_of
from services.games.rules.commands import MakeClaim, TakeStep
from services.games.rules.play.claims.pending_claims import claim_id
from services.games.rules.play.preconditions import RunningGame, game_end, own_running_game
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import ClaimDecided, ClaimMade, Decision, StepTaken
from shared.core.language.messages import say, term
from shared.core.state.grounds import ground
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal, Seconds, other


def resign(t: Tournament, c: MakeClaim, sheet: Sheet, game: RunningGame) -> Decision:
    """Decide that ``c.side`` loses. A resignation to be confirmed is only recorded, and lapses with the next move."""
    assert c.side is not None
    ply, row = Ply(len(sheet.plies)), game.variant.game
    claim = ClaimMade(ply, c.side, "resignation", id=claim_id(t, sheet))
    if not resignation_stands(None, row.resignation_limit(game.variant.rules)):
        return Decision(lines=(claim,), game=c.game)
    article = row.resignation
    lines = (claim, ClaimDecided(ply, "resignation", True, article, id=claim.id))
    return Decision((game_end(t, c.game, "resignation", other(c.side), article),), lines=lines, game=c.game)


def confirm(t: Tournament, c: TakeStep, sheet: Sheet) -> Decision | Refusal:
    """Confirm a resignation after the given seconds: in time it loses the game, later it is void (取消).

    Refusals: ``no-resignation`` if this side has no waiting resignation, ``bad-seconds``, and those of
    `own_running_game`.
    """
    game = own_running_game(t, c.actor, c.game, c.side)
    if isinstance(game, Refusal):
        return game
    article, claims = game.variant.game.resignation, sheet.state(game.variant).pending.claims
    own = [one for one in claims if (one.claim, one.side) == ("resignation", c.side)]
    if not own:
        detail = say("{side} has no resignation to confirm", side=term(c.side))
        return Refusal("rule", "no-resignation", detail, article, "step")
    seconds = seconds_of(c.values[0]) if len(c.values) == 1 else None
    if seconds is None:
        detail = say("a confirmation must have one value, the whole seconds since the resignation")
        return Refusal("invalid", "bad-seconds", detail, article, "values")
    limit = game.variant.game.resignation_limit(game.variant.rules)
    claim, upheld = own[-1], resignation_stands(seconds, limit)
    grounds = (ground("confirmed_after", seconds=seconds, limit=limit),)
    lines = (
        StepTaken(claim.ply, c.side, "confirm_resignation", (str(seconds),)),
        ClaimDecided(claim.ply, "resignation", upheld, article, grounds, id=claim.id),
    )
    end = (game_end(t, c.game, "resignation", other(c.side), article),) if upheld else ()
    return Decision(end, lines=lines, game=c.game)


def resignation_stands(seconds: Seconds | None, limit: Seconds) -> bool:
    """Return whether a resignation counts that was confirmed after ``seconds``, None for never.

    ``limit`` 0: it need not be confirmed.
    """
    return limit == 0 or (seconds is not None and seconds <= limit)
