"""Lateness on the clock 迟到: from when it is his turn, the clock of who has not come runs (000-A 8.1, 8.2; 002-X 21.1, 21.2);
where both are late, the lateness of both is taken from their time (8.3; 21.3)."""

from typing import NamedTuple

from services.games.rules.boards.port.position import other
from services.games.rules.play.sheet.clocks import Reading, at_first, most
from services.games.rules.play.sheet.game_state import GameState
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import Seconds, Side


class Lateness(NamedTuple):
    """What lateness takes from a clock, in ``seconds``; so many of them while it was ``running`` by itself, the others are
    deducted beside it."""

    seconds: int
    running: int


IN_TIME = Lateness(0, 0)


def lateness(t: Tournament, game: Game, state: GameState, side: Side) -> Lateness:
    """What lateness takes from a side's clock: nothing where the game began without clocks."""
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
    """How late the side's player came to his seat, by the arrival in force; 0 for one who was there, or never came."""
    arrival = t.arrival_of(game.game, game.player(side))
    return Seconds(0) if arrival is None or arrival.late is None else Seconds(max(0, arrival.late))


def shown_of(late: Lateness, clock: Seconds, most: int) -> int:
    """How much of it a reading shows of a clock that could show ``most`` without: all, what the clock ran by itself, or
    nothing."""
    return next((part for part in late if part and clock <= most - part), 0)


def shown_at_first(state: GameState, reading: Reading, late: Lateness) -> int:
    """How much of it the first reading of a clock shows, whenever the arrival was noted; without a time control, or where
    an arbiter set the clock, it is as it is read."""
    time, first = state.variant.clock, reading.first
    if time is None or first is None:
        return late.seconds
    return shown_of(late, first[0], most(time, at_first(time), 0, first[1]))


def _turn(state: GameState, side: Side, others: Seconds) -> int | None:
    """Seconds from the start until it was the side's first turn: of who moves second, what the other had used of its clock at
    the first move, and no less than it was late. None: it has not come, or no reading tells when."""
    first = state.movers[0] if state.movers else state.position.to_move()
    if side == first:
        return 0
    reading, time = state.readings.get(first), state.variant.clock
    if reading is None or reading.first is None or reading.first[1] != 1 or time is None:
        return None
    return max(most(time, at_first(time), 0, 1) - reading.first[0], others)
