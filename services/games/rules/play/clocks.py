"""Clock readings: the hall's clocks are the truth, but none can gain more than the time control gives."""

from shared.core.entities import Game
from shared.core.terms import Seconds, Side, TimeControl
from shared.core.tournament import Tournament


def at_first(control: TimeControl) -> Seconds:
    """The reading of a clock before the first move."""
    return control.periods[0].seconds if control.periods else control.byo_yomi


def most(control: TimeControl, reading: Seconds, then: int, now: int) -> Seconds:
    """The most that a clock can show after its side's ``now``-th move, with the ``reading`` after the ``then``-th.

    Increments and the periods that began in between are added; a move always has its byo-yomi.
    """
    gain = control.increment * (now - then) + _later_periods(control, now) - _later_periods(control, then)
    return Seconds(max(reading + gain, control.byo_yomi))


def _later_periods(control: TimeControl, moves: int) -> int:
    """Seconds of the periods that have begun after the first, once so many moves are made."""
    seconds, left = 0, moves
    for this, following in zip(control.periods, control.periods[1:], strict=False):
        if not this.moves or left < this.moves:
            return seconds
        left -= this.moves
        seconds += following.seconds
    last = control.periods[-1] if control.periods else None
    return seconds + (left // last.moves * last.seconds if last and last.moves else 0)


def granted(t: Tournament, game: Game, side: Side) -> Seconds:
    """Seconds that rulings have put on a side's clock, standing or not: the clock was set when they were made."""
    opponent = game.black if side == "white" else game.white
    rulings = (r.event for r in t.rulings.values() if r.event.game == game.game and r.event.player == opponent)
    return Seconds(sum(max(0, one.effect.clock or 0) for one in rulings))
