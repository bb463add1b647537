"""Steps that are no moves: a swap, fifth stones on offer, sealed predictions and moves, dead stones."""

from services.games.rules.boards.port import Illegal
from services.games.rules.boards.registry import SEALING
from services.games.rules.play import adjournment as adjourning
from services.games.rules.play import wrong_start as colours
from services.games.rules.play.commands import TakeStep
from services.games.rules.play.flags import predicted_too_long
from services.games.rules.play.game_state import PLY_STEPS
from services.games.rules.play.preconditions import Running, ended, not_his, over, sheeted
from services.games.rules.play.resignation import confirm
from services.games.rules.play.sheet import Sheet
from shared.core.authority import permit
from shared.core.events import ColoursCorrected, Decision, GameStarted, Official, StepTaken
from shared.core.terms import Ply, Refusal
from shared.core.tournament import Tournament


def take(t: Tournament, c: TakeStep, sheet: Sheet) -> Decision | Refusal:
    """Take a step that the game waits for, the first of a game starting it, the last perhaps ending it.

    Refusals: ``no-such-step`` in this game, ``illegal-step``, and those of `confirm`, `corrected`, `adjourning.take`, `sheeted`,
    `not_his` and `over`.
    """
    if c.step == "confirm_resignation":
        return confirm(t, c, sheet)
    game = sheeted(t, c.game)
    if isinstance(game, Refusal):
        return game
    refusal = _known(t, c, game) or not_his(t, c.actor, game.game, c.side) or over(t, game.game)
    if refusal is not None:
        return refusal
    if c.step in SEALING:
        return adjourning.take(t, c, sheet, game)
    stands = colours.corrected(game, sheet) if c.step == "correct_colours" else None
    if stands is not None:
        return stands
    position = sheet.position(game.kind)
    taken = position.step(c.side, c.step, c.values)
    if isinstance(taken, Illegal):
        return Refusal("rule", "illegal-step", f"{c.step}: {taken.reason}", taken.article, where="step")
    line = StepTaken(Ply(len(sheet.plies) + (c.step in PLY_STEPS)), c.side, c.step, taken.values)
    brought: list[Official] = [GameStarted(c.game)] if game.game.started is None else []
    if c.step == "seal":
        brought += predicted_too_long(t, game, position, line, len(brought))
    if c.step in game.kind.row.all_along:
        brought.append(ColoursCorrected(c.game, position.holder("black") != "black"))
    end = position.end()
    if end is not None:
        brought.append(ended(t, c.game, end.termination, end.winner, end.article))
    return Decision(brought=tuple(brought), lines=(line,), game=c.game)


def _known(t: Tournament, c: TakeStep, game: Running) -> Refusal | None:
    steps = game.kind.row.steps
    if c.step in steps:
        act = game.kind.row.hall.get(c.step)
        return None if act is None else permit(t, c.actor, act)
    detail = f"the steps of {game.kind.name} are {', '.join(sorted(steps))}"
    return Refusal("invalid", "no-such-step", detail, where="step")
