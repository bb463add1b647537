"""Lateness on the clock 迟到: a late player's clock runs from their first turn (000-A 8.1, 8.2; 002-X 21.1, 21.2).

If both players are late, the lateness of both is deducted from their time (8.3; 21.3).
"""

from typing import NamedTuple

from services.games.rules.boards.port.position import other
from services.games.rules.play.sheet.clocks import Reading, initial_reading, most_shown
from services.games.rules.play.sheet.game_state import GameState
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Seconds, Side


class Lateness(NamedTuple):
    """The time that lateness takes from a clock, in ``seconds``.

    ``running``: how many of them the clock ran by itself; the rest is deducted in addition.
    """

    seconds: int
    running: int


IN_TIME = Lateness(0, 0)


def lateness(t: Tournament, game: Game, state: GameState, side: Side) -> Lateness:
    """Return the time that lateness takes from a side's clock: none if the game began without clocks."""
    late, time = seconds_late(t, game, side), state.variant.time
    if not late or (time is not None and time.clocks_after):
        return IN_TIME
    others = seconds_late(t, game, other(side))
    arrival = t.arrival_of(game.game, game.player(side))
    turn = arrival.turn if arrival is not None and arrival.turn is not None else _turn(state, side, others)
    running = 0 if turn is None else max(0, late - turn)
    deducted = others and t.regulations.rulebook.lateness.both_deducted
    return Lateness(late if deducted else running, running)


def seconds_late(t: Tournament, game: Game, side: Side) -> Seconds:
    """Return how late the side's player came to the seat, by the arrival in force; 0 if in time or absent."""
    arrival = t.arrival_of(game.game, game.player(side))
    return Seconds(0) if arrival is None or arrival.late is None else Seconds(max(0, arrival.late))


def shown_part(late: Lateness, clock: Seconds, limit: int) -> int:
    """Return how much of the lateness a reading shows, if the clock could show ``limit`` without it.

    It is all of it, only the time that the clock was running, or nothing.
    """
    return next((part for part in late if part and clock <= limit - part), 0)


def first_shown_part(state: GameState, reading: Reading, late: Lateness) -> int:
    """Return how much of the lateness the first reading of a clock shows, no matter when the arrival was noted.

    Without a time control, or if an arbiter set the clock, the reading is taken as it is.
    """
    time, first = state.variant.clock, reading.first
    if time is None or first is None:
        return late.seconds
    return shown_part(late, first[0], most_shown(time, initial_reading(time), 0, first[1]))


def _turn(state: GameState, side: Side, others: Seconds) -> int | None:
    """Return the seconds from the start to the side's first turn, or None if the turn has not come or its time is unknown.

    The result is 0 for the side that moves first. For the other side, it is the time that the first move took, or the
    lateness of the first side (``others``) if that is longer.
    """
    first = state.movers[0] if state.movers else state.position.to_move()
    if side == first:
        return 0
    reading, time = state.readings.get(first), state.variant.clock
    if reading is None or reading.first is None or reading.first[1] != 1 or time is None:
        return None
    return max(most_shown(time, initial_reading(time), 0, 1) - reading.first[0], others)
