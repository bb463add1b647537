"""Clocks set by an arbiter, clocks set up during a game, and the remaining periods of byo-yomi 读秒.

A clock is set after a ruling or its annulment, for lateness, or for a fault of the clock. It is set up in a game that
began without clocks (000-E 五子棋, 3: 不设棋钟).
"""

from services.games.rules.boards.port.position import seconds_of
from services.games.rules.commands import TakeStep
from services.games.rules.play.clock_state import adjustments_in_force
from services.games.rules.play.preconditions import RunningGame, is_arbiter, refuse_not_started, refuse_without_clock
from services.games.rules.play.sheet.clocks import FAULT, values_of
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import Decision
from shared.core.language.messages import say
from shared.core.state.tournament import Tournament
from shared.core.terms import Refusal
from shared.core.values.bounds import DAY


def start_clocks(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Decide, as the arbiter states, that clocks start: from here on both sides have the control's first limit.

    Refusals: ``clocks-run``, ``bad-values``, and those of `refuse_not_started`.
    """
    refusal = refuse_not_started(game)
    if refusal is not None:
        return refusal
    article = game.variant.game.clock_fault if game.variant.time is None else game.variant.time.article
    if sheet.state(game.variant).clocks_run:
        detail = say("the clocks of {game} are set up already", game=c.game)
        return Refusal("rule", "clocks-run", detail, article, "step")
    if c.values:
        return Refusal("invalid", "bad-values", say("the step start_clocks must not have values"), article, "values")
    return Decision(lines=(sheet.step(c.side, c.step),), game=c.game)


def set_clock(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Set the side's clock to the seconds in ``c.values``, after which no adjustment is outstanding.

    A second value `FAULT` states that the clock was faulty, and that no player is accused (002-X 22.4; 000-E 围棋
    5(5)). Refusals: ``bad-seconds``, and those of `refuse_not_started` and `refuse_without_clock`.
    """
    refusal = refuse_not_started(game) or refuse_without_clock(game, sheet.state(game.variant), "step")
    if refusal is not None:
        return refusal
    seconds = seconds_of(c.values[0]) if c.values else None
    if seconds is None or seconds > DAY.high or c.values[1:] not in ((), (FAULT,)):
        detail = say(
            "a clock must be set to whole seconds, 0 to {day}; add {fault} if it was faulty",
            day=DAY.high,
            fault=repr(FAULT),
        )
        return Refusal("invalid", "bad-seconds", detail, game.variant.game.clock_fault, "values")
    shown = adjustments_in_force(t, game.game, sheet.state(game.variant), c.side)
    return Decision(lines=(sheet.step(c.side, c.step, (*c.values, *values_of(shown))),), game=c.game)


def byo_yomi(t: Tournament, c: TakeStep, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Set the remaining periods of byo-yomi of the side's clock, including the running one.

    The number can only decrease, unless an arbiter states it. Refusals: ``no-byo-yomi`` if the control has no counted
    periods, ``bad-values``, ``byo-yomi-gains``, ``byo-yomi-later`` while the clock shows more than one period, and
    those of `refuse_not_started` and `refuse_without_clock`.
    """
    state, time = sheet.state(game.variant), game.variant.time
    refusal = refuse_not_started(game) or refuse_without_clock(game, state, "step")
    if refusal is not None:
        return refusal
    if time is None or not time.byo_yomi or time.byo_yomi_periods == 1:
        article = game.variant.game.clock_fault if time is None else time.article
        why = say("the time control of {game} has no periods of byo-yomi to count", game=c.game)
        return Refusal("rule", "no-byo-yomi", why, article, "step")
    text = c.values[0] if len(c.values) == 1 else ""
    left = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    if not 1 <= left <= time.byo_yomi_periods:
        why = say(
            "byo_yomi must be the number of periods left, from 1 to {most}; if none is left, claim "
            "the fall of the flag",
            most=time.byo_yomi_periods,
        )
        return Refusal("invalid", "bad-values", why, time.article, "values")
    before, clock = state.byo_yomi.get(c.side, time.byo_yomi_periods), state.clock(c.side)
    if left > before and not is_arbiter(c.actor):
        why = say("only {before} periods of byo-yomi were left; the number cannot increase", before=before)
        return Refusal("rule", "byo-yomi-gains", why, time.article, "values")
    if left < time.byo_yomi_periods and clock is not None and clock > time.byo_yomi:
        why = say(
            "the clock shows {clock} seconds, so a period of byo-yomi ({seconds} seconds) cannot have been used up",
            clock=clock,
            seconds=time.byo_yomi,
        )
        return Refusal("rule", "byo-yomi-later", why, time.article, "values")
    return Decision(lines=(sheet.step(c.side, c.step, (str(left),)),), game=c.game)
