"""Draw offers 提和 and draws by agreement."""

from services.games.rules.commands import EndByAgreement, MakeOffer
from services.games.rules.playing import ended, running
from services.games.rules.position import other
from services.games.rules.sheet import Sheet
from shared.events import Decision, OfferMade
from shared.terms import Ply, Refusal
from shared.tournament import Tournament

OFFERING = "000-A 国际象棋, 对局结束 7; Laws 9.1.2"
AGREEMENT = "000-A 国际象棋, 对局结束 6; Laws 5.2.3"


def offer(t: Tournament, c: MakeOffer, sheet: Sheet) -> Decision | Refusal:
    """Offer a draw, or answer the offer that stands; accepting ends the game.

    An offer may be made on either clock (对局结束 8 and 9 leave a penalty to the arbiter).
    Refusals: ``offer-stands``, ``no-offer``, and those of `running`.
    """
    game = running(t, c.game)
    if isinstance(game, Refusal):
        return game
    line = OfferMade(Ply(len(sheet.moves)), c.side, c.offer)
    if c.offer == "draw":
        if sheet.offer is not None:
            detail = f"{sheet.offer}'s offer stands until it is answered, by word or by a move"
            return Refusal("rule", "offer-stands", detail, OFFERING, where="offer")
        return Decision(lines=(line,), game=c.game)
    if sheet.offer != other(c.side):
        return Refusal("rule", "no-offer", f"no offer of {other(c.side)} stands", OFFERING, where="offer")
    if c.offer == "decline":
        return Decision(lines=(line,), game=c.game)
    return Decision((ended(t, c.game, "agreement", None, AGREEMENT),), lines=(line,), game=c.game)


def agree(t: Tournament, c: EndByAgreement, sheet: Sheet) -> Decision | Refusal:
    """The draw that the players agreed on at the board. Refusals: those of `running`."""
    game = running(t, c.game)
    if isinstance(game, Refusal):
        return game
    return Decision((ended(t, c.game, "agreement", None, AGREEMENT),), game=c.game)
