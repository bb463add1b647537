"""Clocks that an arbiter has set: after a ruling or its annulment, lateness, or a fault of the clock; and set up, in a game
that began without (000-E 五子棋, 3: 不设棋钟). And the periods of byo-yomi 读秒 that a clock has left."""

from services.games.rules.boards.port.step_values import seconds_of
from services.games.rules.commands import TakeStep
from services.games.rules.play.clock_state import set_now
from services.games.rules.play.preconditions import RunningGame, no_clock, not_started, seen_by_arbiter
from services.games.rules.play.sheet.clock_lines import FAULT, values_of
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import Decision, StepTaken
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal, Seconds

DAY = Seconds(86_400)


def start_clocks(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """The time without clocks is over, as the arbiter says: from here on both sides have the first limit of the control.

    Refusals: ``clocks-run``, ``bad-values``, and those of `not_started`.
    """
    refusal = not_started(game)
    if refusal is not None:
        return refusal
    article = game.variant.game.clock_fault if game.variant.time is None else game.variant.time.article
    if sheet.state(game.variant).clocks_run:
        return Refusal(
            "rule", "clocks-run", say("the clocks of {game} are set up already", game=c.game), article, "step"
        )
    if c.values:
        return Refusal("invalid", "bad-values", say("start_clocks names nothing"), article, "values")
    return Decision(lines=(StepTaken(Ply(len(sheet.plies)), c.side, c.step),), game=c.game)


def set_clock(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """The side's clock shows from now on the seconds that it was set to, and nothing is outstanding; `FAULT` beside them says
    that the clock was faulty, and nobody is accused (002-X 22.4; 000-E 围棋 5(5)).

    Refusals: ``bad-seconds``, and those of `not_started` and `no_clock`.
    """
    refusal = not_started(game) or no_clock(game, sheet.state(game.variant), "step")
    if refusal is not None:
        return refusal
    seconds = seconds_of(c.values[0]) if c.values else None
    if seconds is None or seconds > DAY or c.values[1:] not in ((), (FAULT,)):
        detail = say(
            "a clock is set to whole seconds, 0 to {day}; add {fault} if it was faulty",
            day=DAY,
            fault=repr(FAULT),
        )
        return Refusal("invalid", "bad-seconds", detail, game.variant.game.clock_fault, "values")
    shown = set_now(t, game.game, sheet.state(game.variant), c.side)
    line = StepTaken(Ply(len(sheet.plies)), c.side, c.step, (*c.values, *values_of(shown)))
    return Decision(lines=(line,), game=c.game)


def byo_yomi(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """The periods of byo-yomi that the side's clock has left, with the one that runs. None comes back, but where an arbiter
    says how many there are.

    Refusals: ``no-byo-yomi`` where the control has no periods that are counted, ``bad-values``, ``byo-yomi-gains``,
    ``byo-yomi-later`` while the clock shows more than a period of it, and those of `not_started` and `no_clock`.
    """
    state, time = sheet.state(game.variant), game.variant.time
    refusal = not_started(game) or no_clock(game, state, "step")
    if refusal is not None:
        return refusal
    if time is None or not time.byo_yomi or time.byo_yomi_periods == 1:
        article = game.variant.game.clock_fault if time is None else time.article
        why = say("the time control of {game} has no periods of byo-yomi to count", game=c.game)
        return Refusal("rule", "no-byo-yomi", why, article, "step")
    said = c.values[0] if len(c.values) == 1 else ""
    left = int(said) if said.isascii() and said.isdigit() and len(said) < 4 else 0
    if not 1 <= left <= time.byo_yomi_periods:
        why = say(
            "byo_yomi names the periods that are left, 1 to {most}; that none is left is the claim of a flag",
            most=time.byo_yomi_periods,
        )
        return Refusal("invalid", "bad-values", why, time.article, "values")
    before, clock = state.byo_yomi.get(c.side, time.byo_yomi_periods), state.clock(c.side)
    if left > before and not seen_by_arbiter(c.actor):
        why = say("{before} periods of byo-yomi were left, and none comes back", before=before)
        return Refusal("rule", "byo-yomi-gains", why, time.article, "values")
    if left < time.byo_yomi_periods and clock is not None and clock > time.byo_yomi:
        why = say(
            "the clock shows {clock} seconds: no period of byo-yomi, of {seconds}, is used up",
            clock=clock,
            seconds=time.byo_yomi,
        )
        return Refusal("rule", "byo-yomi-later", why, time.article, "values")
    return Decision(lines=(StepTaken(Ply(len(sheet.plies)), c.side, c.step, (str(left),)),), game=c.game)
