"""Draw offers 提和 and draws by agreement."""

from services.games.rules.commands import EndByAgreement, MakeOffer
from services.games.rules.play.claims.findings import has_finding
from services.games.rules.play.preconditions import RunningGame, finding_on, game_end, own_running_game, running_game
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import Decision, FindingMade, OfferMade
from shared.core.events.games import FindingKind
from shared.core.language.messages import say, term
from shared.core.rulebook.game_rules import OfferRule
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal, Side, other


def offer(t: Tournament, c: MakeOffer, sheet: Sheet) -> Decision | Refusal:
    """Offer a draw, or answer the open offer. Accepting ends the game.

    An offer against the regulations is recorded all the same, and may be accepted, but becomes a finding. Refusals:
    ``offer-stands``, ``no-offer``, and those of `refuse_draw` and `own_running_game`.
    """
    game = own_running_game(t, c.actor, c.game, c.side)
    if isinstance(game, Refusal):
        return game
    state = sheet.state(game.variant)
    refusal = refuse_draw(game, state)
    if refusal is not None:
        return refusal
    line, row = OfferMade(Ply(len(sheet.plies)), c.side, c.offer), game.variant.game
    if c.offer == "draw":
        return _draw(t, c, game, state, line)
    if state.pending.offer != other(c.side):
        detail = say("{other} has no pending draw offer", other=term(other(c.side)))
        return Refusal("rule", "no-offer", detail, row.offering, where="offer")
    if c.offer == "decline":
        return Decision(lines=(line,), game=c.game)
    return Decision((game_end(t, c.game, "agreement", None, row.agreement),), lines=(line,), game=c.game)


def refuse_draw(game: RunningGame, state: GameState) -> Refusal | None:
    """Return the refusal ``must-be-decisive`` if no draw can be agreed, or None."""
    why = state.position.no_draw()
    return None if why is None else Refusal("rule", "must-be-decisive", why.reason, why.article, "offer")


def _draw(t: Tournament, c: MakeOffer, game: RunningGame, state: GameState, line: OfferMade) -> Decision | Refusal:
    rule = t.regulations.game.offer(game.variant.name)
    fault = None if rule is None else _fault(rule, state, c.side)
    if state.pending.offer is not None and fault != "consecutive_offer":
        detail = say(
            "{offer} has already offered a draw; the offer stays open until the opponent answers or moves",
            offer=term(state.pending.offer),
        )
        return Refusal("rule", "offer-stands", detail, game.variant.game.offering, where="offer")
    brought: tuple[FindingMade, ...] = ()
    # A repeated offer is the same act while it is open, and a different one after its refusal.
    again = state.pending.offer == c.side and fault is not None and has_finding(t, game.game, fault, c.side, line.ply)
    if rule is not None and fault is not None and not again:
        brought = (finding_on(t, game.game, fault, c.side, rule.article, line.ply, state.position),)
    return Decision(brought=brought, lines=(line,), game=c.game)


def _fault(rule: OfferRule, state: GameState, side: Side) -> FindingKind | None:
    """Return what is wrong with an offer that ``side`` makes now, or None.

    If an offer is both consecutive and irregular, it is reported as ``consecutive_offer``.
    """
    refused = rule.consecutive == "always" or state.pending.offer is None
    if rule.alternate and state.pending.offered == side and refused:
        return "consecutive_offer"
    # In an adjourned game an offer disturbs no player, and the sealing side has made its move.
    moved = state.pending.adjourned() is not None or (bool(state.movers) and state.movers[-1] == side)
    return "irregular_offer" if rule.after_own_move and not moved else None


def agree(t: Tournament, c: EndByAgreement, sheet: Sheet) -> Decision | Refusal:
    """Decide the draw that the players agreed at the board. Refusals: those of `refuse_draw` and `running_game`."""
    game = running_game(t, c.game)
    if isinstance(game, Refusal):
        return game
    return refuse_draw(game, sheet.state(game.variant)) or Decision(
        (game_end(t, c.game, "agreement", None, game.variant.game.agreement),), game=c.game
    )
