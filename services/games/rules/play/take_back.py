"""Moves taken back: an event on the sheet, never an erasure."""

from services.games.rules.boards.registry import VOID_REASONS
from services.games.rules.commands import TakeBack
from services.games.rules.play.claims.findings import withdraw_findings
from services.games.rules.play.preconditions import RunningGame, running_game
from services.games.rules.play.sheet.sheet import Sheet
from services.games.rules.play.wrong_start import refuse_new_game
from shared.core.events import ColoursCorrected, Decision, MovesTakenBack
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal


def take_back(t: Tournament, c: TakeBack, sheet: Sheet) -> Decision | Refusal:
    """Return to the position after a ply. Moves taken back stay on the sheet; most findings on them are withdrawn.

    Refusals: ``unknown-reason``, ``nothing-to-take-back``, those of `refuse_new_game`, `_ruling_fault` and
    `running_game`.
    """
    game = running_game(t, c.game)
    if isinstance(game, Refusal):
        return game
    reasons = game.variant.reasons()
    if c.reason not in reasons:
        detail = say(
            "moves of {name} can be taken back only for these reasons: {reasons}",
            name=game.variant.name,
            reasons=tuple(reasons),
        )
        return Refusal("invalid", "unknown-reason", detail, where="reason")
    if not 0 <= c.to_ply < len(sheet.plies):
        detail = say("the score sheet has only {plies} plies", plies=len(sheet.plies))
        return Refusal("rule", "nothing-to-take-back", detail, reasons[c.reason], where="to_ply")
    refusal = refuse_new_game(game, c, sheet) or _ruling_fault(t, c, game)
    if refusal is not None:
        return refusal
    # A game that is played again begins with the colours of its pairing.
    again = c.reason in VOID_REASONS and game.game.reversed is not None
    colours = (ColoursCorrected(c.game, False),) if again else ()
    brought = (*withdraw_findings(t, c, game.game), *colours)
    return Decision(brought=brought, lines=(MovesTakenBack(c.to_ply, c.reason, c.ruling),), game=c.game)


def _ruling_fault(t: Tournament, c: TakeBack, game: RunningGame) -> Refusal | None:
    """Return why the ruling does not justify taking moves back, or None.

    Refusals: ``ruling-missing``, ``unknown-ruling`` for one that was not made on this game or is not in force.
    """
    if c.ruling is None:
        if c.reason != "ruling":
            return None
        return Refusal(
            "invalid",
            "ruling-missing",
            say("the ruling is missing: name the ruling that requires taking moves back"),
            where="ruling",
        )
    ruling = t.rulings.get(c.ruling)
    if ruling is None or ruling.event.game != game.game.game or not t.is_in_force(c.ruling):
        detail = say("{game} has no ruling {ruling} in force", ruling=c.ruling, game=c.game)
        return Refusal("unknown", "unknown-ruling", detail, where="ruling", see=f"/v1/tournaments/{t.id}/rulings")
    return None
