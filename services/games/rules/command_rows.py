"""The commands of games, one row each: the roles that may give it, its event or sheet event, and its deciding function."""

from dataclasses import replace

from services.games.rules import commands as co
from services.games.rules import reconstruct
from services.games.rules.hall import results
from services.games.rules.play import facts, moves, start, steps, take_back
from services.games.rules.play.claims import claim_decisions, claims, draw_offers
from services.games.rules.play.settled_colours import add_settled_colours
from services.games.rules.play.sheet.sheet import Sheet
from shared.core import events as ev
from shared.core.readings.authority import DECIDE_CLAIM
from shared.core.state.grounds import with_game_colours
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal
from shared.desk.rules_port import CommandRow

REPORT, FEED = "report results", "feed moves"
ROWS = (
    CommandRow(co.ReportResults, REPORT, ev.ResultReported, results.report, reconstruct.report),
    CommandRow(co.Correct, "correct results", ev.ResultCorrected, results.correct, reconstruct.correction),
    CommandRow(co.StartGame, FEED, ev.GameStarted, start.start),
    CommandRow(co.PlayMoves, FEED, (ev.MovePlayed, ev.FileRead), moves.play, reconstruct.moves, sheet=True),
    CommandRow(co.TakeBack, "take moves back", ev.MovesTakenBack, take_back.take_back, sheet=True),
    CommandRow(co.TakeStep, FEED, ev.StepTaken, steps.take, reconstruct.step, sheet=True),
    CommandRow(co.MakeOffer, FEED, ev.OfferMade, draw_offers.offer, sheet=True),
    CommandRow(co.MakeClaim, FEED, ev.ClaimMade, claims.claim, sheet=True),
    CommandRow(co.DecideClaim, DECIDE_CLAIM, ev.ClaimSettled, claim_decisions.decide_claim, sheet=True),
    CommandRow(co.EndByAgreement, REPORT, ev.GameEnded, draw_offers.agree, sheet=True),
    # It belongs to a ruling, and rulings are accepted after the final table too.
    CommandRow(co.CheckFacts, "check facts", ev.FactsChecked, facts.check, sheet=True, after_final=True),
)


def finish_answer(t: Tournament, answer: ev.Decision | Refusal, sheet: Sheet | None) -> ev.Decision | Refusal:
    """Return the refusal with the game's own names of the sides, or the decision with the colours that it settles."""
    if isinstance(answer, Refusal):
        return replace(answer, detail=with_game_colours(answer.detail, t.announced.game))
    return answer if sheet is None else add_settled_colours(t, answer, sheet)
