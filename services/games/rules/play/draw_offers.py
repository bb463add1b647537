"""Draw offers 提和 and draws by agreement."""

from services.games.rules.boards.port import Position, other
from services.games.rules.boards.prediction.game import PredictionGame
from services.games.rules.boards.prediction.verdict import DECISIVE
from services.games.rules.play.commands import EndByAgreement, MakeOffer
from services.games.rules.play.game_state import Reached
from services.games.rules.play.preconditions import Running, ended, found, his_running, running
from services.games.rules.play.sheet import Sheet
from shared.core.events import Decision, FindingMade, OfferMade
from shared.core.events.games import FindingKind
from shared.core.game_rules import OfferRule
from shared.core.terms import Ply, Refusal, Side
from shared.core.tournament import Tournament


def offer(t: Tournament, c: MakeOffer, sheet: Sheet) -> Decision | Refusal:
    """Offer a draw, or answer the offer that stands; accepting ends the game.

    An offer against the regulations is made all the same, and may be accepted; it is found.
    Refusals: ``offer-stands``, ``no-offer``, and those of `drawable` and `his_running`.
    """
    game = his_running(t, c.actor, c.game, c.side)
    if isinstance(game, Refusal):
        return game
    reached = sheet.reached(game.kind)
    refusal = drawable(reached.position)
    if refusal is not None:
        return refusal
    line, row = OfferMade(Ply(len(sheet.plies)), c.side, c.offer), game.kind.row
    if c.offer == "draw":
        return _draw(t, c, game, reached, line)
    if reached.offer != other(c.side):
        return Refusal("rule", "no-offer", f"no offer of {other(c.side)} stands", row.offering, where="offer")
    if c.offer == "decline":
        return Decision(lines=(line,), game=c.game)
    return Decision((ended(t, c.game, "agreement", None, row.agreement),), lines=(line,), game=c.game)


def drawable(position: Position) -> Refusal | None:
    """Why no draw is agreed on: ``must-be-decisive``; None: one may be."""
    if not (isinstance(position, PredictionGame) and position.prediction.decisive()):
        return None
    detail = "this game must be decisive: the criterion agreed on before it decides, and no draw is agreed on"
    return Refusal("rule", "must-be-decisive", detail, DECISIVE, "offer")


def _draw(t: Tournament, c: MakeOffer, game: Running, reached: Reached, line: OfferMade) -> Decision | Refusal:
    rule = t.regulations.game.offer(game.kind.name)
    fault = None if rule is None else _fault(rule, reached, c.side)
    if reached.offer is not None and fault != "consecutive_offer":
        detail = f"{reached.offer}'s offer stands until it is answered, by word or by a move"
        return Refusal("rule", "offer-stands", detail, game.kind.row.offering, where="offer")
    brought: tuple[FindingMade, ...] = ()
    if rule is not None and fault is not None:
        brought = (found(t, game.game, fault, c.side, rule.article, line.ply, reached.position),)
    return Decision(brought=brought, lines=(line,), game=c.game)


def _fault(rule: OfferRule, reached: Reached, side: Side) -> FindingKind | None:
    """What is wrong with an offer that ``side`` makes now; a second one in a row is the graver."""
    if rule.alternate and reached.said.offered == side:
        return "consecutive_offer"
    # While a game is adjourned nobody is disturbed by an offer, and the sealing side has made its move.
    moved = reached.said.adjourned() is not None or (bool(reached.movers) and reached.movers[-1] == side)
    return "irregular_offer" if rule.after_own_move and not moved else None


def agree(t: Tournament, c: EndByAgreement, sheet: Sheet) -> Decision | Refusal:
    """The draw that the players agreed on at the board. Refusals: those of `drawable` and `running`."""
    game = running(t, c.game)
    if isinstance(game, Refusal):
        return game
    return drawable(sheet.reached(game.kind).position) or Decision(
        (ended(t, c.game, "agreement", None, game.kind.row.agreement),), game=c.game
    )
