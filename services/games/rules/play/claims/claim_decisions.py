"""An arbiter's decision on a waiting claim."""

from dataclasses import replace

from services.games.rules.boards.port.claim import ClaimFinding, ClaimVerdict
from services.games.rules.boards.registry import PERMANENT_STEPS
from services.games.rules.commands import DecideClaim
from services.games.rules.play.claims.claims import claim_input, decision_on
from services.games.rules.play.preconditions import RunningGame, game_with_sheet, refuse_game_over
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet, SheetClaim, state_after
from shared.core.events import ClaimMade, ClaimSettled, Decision, MovePlayed
from shared.core.language.handles import is_named
from shared.core.language.messages import MessageFact, in_turn, say
from shared.core.readings.claims import claim_state
from shared.core.state.entities import Claim
from shared.core.state.grounds import ground, words_of
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal, other


def decide_claim(t: Tournament, c: DecideClaim, sheet: Sheet) -> Decision | Refusal:
    """Decide a claim by the game's rules at the claim's own position, as if an arbiter had stated it; or deny it.

    If the game has continued, or is adjourned, the infraction still becomes a finding, but no move is due and no turn
    is lost. Refusals: ``unknown-claim``, ``claim-decided``, ``claim-lapsed``, ``own-claim``, ``not-as-claimed``, and
    those of `game_with_sheet` and `refuse_game_over`.
    """
    game = game_with_sheet(t, c.game)
    if isinstance(game, Refusal):
        return game
    on_sheet, claim = sheet.claim(c.claim), t.claims.get((c.game, c.claim))
    if on_sheet is not None and on_sheet.decision is not None:
        facts: dict[str, MessageFact] = {"claim": c.claim, "game": c.game}
        upheld = on_sheet.decision.upheld
        detail = (
            say("claim {claim} of {game} was upheld", **facts)
            if upheld
            else say("claim {claim} of {game} was denied", **facts)
        )
        see = f"/v1/games/{c.game}/sheet"
        return Refusal("rule", "claim-decided", detail, on_sheet.decision.article, "claim", see)
    if on_sheet is None or claim is None:
        see = f"/v1/tournaments/{t.id}/claims"
        detail = say("{game} has no pending claim {claim}", claim=c.claim, game=c.game)
        return Refusal("unknown", "unknown-claim", detail, where="claim", see=see)
    refusal = _refuse_lapsed(t, claim) or _refuse_own(c, game, claim) or refuse_game_over(t, game.game)
    return refusal or _settle(t, c, sheet, game, on_sheet, claim)


def _refuse_lapsed(t: Tournament, claim: Claim) -> Refusal | None:
    if claim_state(t, claim) != "lapsed":
        return None
    event = claim.event
    detail = say(
        "{game} is decided, so claim {claim} has lapsed; it is pending again if the game is reopened",
        game=event.game,
        claim=event.claim,
    )
    return Refusal("rule", "claim-lapsed", detail, event.article, "claim", f"/v1/games/{event.game}")


def _refuse_own(c: DecideClaim, game: RunningGame, claim: Claim) -> Refusal | None:
    """Return the refusal ``own-claim`` if the arbiter made the claim or is a player of the game, or None."""
    parties = (claim.actor, str(game.game.white), str(game.game.black))
    if not any(is_named(c.actor.name, party) for party in parties):
        return None
    detail = say(
        "{name} is a party to claim {claim}; another arbiter must decide it", name=c.actor.name, claim=claim.event.claim
    )
    return Refusal("authority", "own-claim", detail, claim.event.article)


def _settle(
    t: Tournament, c: DecideClaim, sheet: Sheet, game: RunningGame, on_sheet: SheetClaim, claim: Claim
) -> Decision | Refusal:
    settled = ClaimSettled(c.claim, c.game, c.upheld, c.note)
    state = sheet.state(game.variant)
    current = any(one.id == c.claim for one in state.pending.claims) and state.pending.adjourned() is None
    if not current:
        # The game at the time of the claim, with later corrections of colours.
        corrections = [one for one in sheet.steps if one.step in PERMANENT_STEPS and one not in on_sheet.before]
        state = state_after(game.variant, [*on_sheet.before, on_sheet.made, *corrections])
    made = next(one for one in state.pending.claims if one.id == c.claim)
    if not c.upheld:
        verdict = ClaimVerdict(False, claim.event.article, (ground("not_upheld"),))
        return decision_on(t, game, made, verdict, state, sheet.state(game.variant), settled)
    stated = _decide_stated(t, game, on_sheet, made, state, claim.event.article)
    if isinstance(stated, Refusal) or not stated.upheld:
        why = stated.detail if isinstance(stated, Refusal) else in_turn(map(words_of, stated.grounds))
        detail = say("claim {claim}: {why}", claim=c.claim, why=why)
        return Refusal("rule", "not-as-claimed", detail, claim.event.article, "upheld")
    if not current:
        grounds = (*stated.grounds, ground("gone_on")) if stated.grounds else ()
        stated = replace(stated, grounds=grounds, loses_turn=False, due=())
    return decision_on(t, game, made, stated, state, sheet.state(game.variant), settled)


def _decide_stated(
    t: Tournament, game: RunningGame, on_sheet: SheetClaim, made: ClaimMade, state: GameState, article: str
) -> ClaimVerdict | Refusal:
    """Return the game's verdict if an arbiter states the claimed fact in this state of the game."""
    if made.claim == "flag":
        assert made.side is not None, "a side claims a flag"
        return ClaimVerdict(True, article, (), findings=(ClaimFinding("flag", other(made.side), article),))
    moves = (line for line in on_sheet.before if isinstance(line, MovePlayed))
    stated = replace(claim_input(t, game, made, state, moves), side=None, stated=True)
    return game.variant.game.claims_by_name[made.claim].decide(stated)
