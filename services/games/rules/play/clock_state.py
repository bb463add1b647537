"""The clock of a side as a state: its last reading, and the adjustments for lateness, rulings and findings.

An adjustment is outstanding until a reading shows it, at or below the expected value, or until an arbiter sets the
clock. A ruling that is annulled after a reading has shown it changes no clock automatically: the arbiter sets it.

A late 迟到 player's clock runs from their first turn (000-A 8.1, 8.2; 002-X 21.1, 21.2). If both players are late, the
lateness of both is deducted from their time (8.3; 21.3).
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from services.games.rules.boards.port.position import SIDES
from services.games.rules.play.sheet.clocks import Adjustments, Reading, initial_reading, most_shown
from services.games.rules.play.sheet.game_state import GameState
from shared.core.event_types.evolve import fork_after
from shared.core.events import Official
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, Seconds, Side, other

LATENESS = "lateness"
"""The name of the adjustment for lateness, among the IDs of rulings and findings."""


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
    """Return how much of the lateness the reading ``clock`` shows, if the clock could show ``limit`` without it.

    It is all of the lateness, only the time that the clock was running, or nothing.
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


class ClockState(NamedTuple):
    """A side's clock in parts, in seconds.

    ``reading``: the last reading, or the first limit, plus time that the control has given since; None if neither is
    known. ``lateness`` and ``rulings`` (including findings not yet ruled on): outstanding adjustments, negative for
    deductions. ``given_back``: time to be corrected by an arbiter, because the reading shows a ruling that was then
    annulled.
    """

    reading: Seconds | None
    lateness: int = 0
    rulings: int = 0
    given_back: int = 0

    @property
    def left(self) -> int | None:
        """Seconds left, below 0 if more is deducted than is there, or None without a reading and a control."""
        return None if self.reading is None else self.reading + self.lateness + self.rulings

    @property
    def clock(self) -> Seconds | None:
        """The seconds that the clock displays, at least 0, or None if they are unknown."""
        return None if self.left is None else Seconds(max(0, self.left))


class ReadingCheck(NamedTuple):
    """A new reading compared with the state.

    ``shown``: the adjustments that the clock now shows, or None if no more than before. ``over``: seconds above
    ``most``, the most that it can show.
    """

    shown: Adjustments | None
    over: int
    most: Seconds


def follows_state(t: Tournament) -> bool:
    """Return whether clocks include adjustments that no reading shows yet, from decision edition 2 on.

    In edition 1, the clock of a side is its last reading.
    """
    return t.regulations.decisions >= 2


def clock_state(t: Tournament, game: Game, state: GameState, side: Side) -> ClockState:
    """Return the side's clock in its present state."""
    reading, late = state.readings.get(side), lateness(t, game, state, side)
    late_by = ruled = back = 0
    for name, change, outstanding in _changes(
        _adjustments(t, game, state, side, late), _shown_adjustments(state, reading, late)
    ):
        if not outstanding:
            back += change
        elif name == LATENESS:
            late_by += change
        else:
            ruled += change
    return ClockState(_seconds(state, side, reading), late_by, ruled, back)


def clocks_after(t: Tournament, game: Game, state: GameState, events: Sequence[Official]) -> dict[Side, Seconds]:
    """Return the displayed clocks by side after the ``events`` that a command writes, as far as they are known.

    The dict is empty in decision edition 1, in which a clock is only its last reading.
    """
    if not follows_state(t):
        return {}
    after = fork_after(t, GAMES, events) if events else t
    clocks = {side: clock_state(after, after.games[game.game], state, side).clock for side in SIDES}
    return {side: clock for side, clock in clocks.items() if clock is not None}


def check_reading(t: Tournament, game: Game, state: GameState, side: Side, clock: Seconds) -> ReadingCheck:
    """Compare a reading of the side's next move with the adjustments outstanding before it."""
    last, late = state.readings.get(side), lateness(t, game, state, side)
    changes = _changes(_adjustments(t, game, state, side, late), _shown_adjustments(state, last, late))
    outstanding = [(name, change) for name, change, open in changes if open]
    limit = state.allowed(side)
    base = limit if limit is not None or last is None else last.clock
    if base is None:
        # The earlier clock is unknown, so the reading is taken as it is.
        return ReadingCheck(_extend(last, outstanding), 0, clock)
    gifts = [(name, change) for name, change in outstanding if change > 0]
    high = base + sum(change for _, change in gifts)
    highest = Seconds(high + (0 if last is None else max(0, last.credit)))
    shown = gifts + list(_shown_deductions(outstanding, late, high, clock))
    return ReadingCheck(_extend(last, shown), 0 if limit is None else max(0, clock - highest), highest)


def adjustments_in_force(t: Tournament, game: Game, state: GameState, side: Side) -> Adjustments:
    """Return the adjustments that a clock set by an arbiter shows: all in force."""
    return tuple(_adjustments(t, game, state, side, lateness(t, game, state, side)).items())


def _adjustments(t: Tournament, game: Game, state: GameState, side: Side, late: Lateness) -> dict[str, int]:
    """Return the clock's adjustments in addition to elapsed time, by name, without zeros.

    They are for lateness, rulings in force, and findings that wait for a ruling. A ruling on a finding has the
    finding's name, because it is the same adjustment.
    """
    items = {LATENESS: -late.seconds}
    for name, seconds in (*_ruling_adjustments(t, game, side), *_finding_adjustments(t, game, state, side)):
        items[name] = items.get(name, 0) + seconds
    return {name: seconds for name, seconds in items.items() if seconds}


def _ruling_adjustments(t: Tournament, game: Game, side: Side) -> Iterator[tuple[str, int]]:
    for id, ruling in t.rulings.items():
        event = ruling.event
        if event.game != game.game or event.effect.kind != "adjust_clock" or event.player is None:
            continue
        seconds = event.effect.clock or 0
        if event.player == game.player(other(side) if seconds > 0 else side) and t.has_effect(id):
            yield event.finding or id, seconds


def _finding_adjustments(t: Tournament, game: Game, state: GameState, side: Side) -> Iterator[tuple[str, int]]:
    for id, finding in t.findings.items():
        event = finding.event
        if event.game != game.game or not finding.open:
            continue
        for row in t.regulations.rulebook.finding_rules(event.kind, state.variant.name):
            if row.clock and event.player == game.player(other(side) if row.clock > 0 else side):
                yield id, row.clock


def _seconds(state: GameState, side: Side, reading: Reading | None) -> Seconds | None:
    moves = state.moved[side]
    if reading is not None and (reading.moved >= moves or state.variant.time is None):
        return reading.clock
    return state.without_rulings(side, moves)


def _shown_adjustments(state: GameState, reading: Reading | None, late: Lateness) -> dict[str, int]:
    """Return the adjustments that the last reading shows.

    The time that a late player's clock was running is in its first reading, no matter when the arrival was noted or
    corrected. A clock set by an arbiter shows everything known at that time.
    """
    if reading is None:
        return {}
    shown = dict(reading.shown)
    if late.seconds and (not reading.was_set or LATENESS not in shown):
        at_first = late.seconds if reading.was_set else first_shown_part(state, reading, late)
        by_then = min(late.seconds, -shown.get(LATENESS, 0))
        if at_first or by_then:
            shown[LATENESS] = -max(at_first, by_then)
    elif not late.seconds and not reading.was_set:
        shown.pop(LATENESS, None)
    return shown


def _changes(items: dict[str, int], shown: dict[str, int]) -> Iterator[tuple[str, int, bool]]:
    """Yield each adjustment that the reading shows wrongly: name, difference in seconds, and whether it is outstanding.

    ``items``: the adjustments in force, in the order of the log. ``shown``: those that the reading includes. If the
    reading includes an adjustment that has changed since, the difference is not outstanding: an arbiter must correct
    the clock. Only additional lateness is outstanding all the same.
    """
    for name in (*items, *(name for name in shown if name not in items)):
        change = items.get(name, 0) - shown.get(name, 0)
        if change:
            yield name, change, name not in shown or (name == LATENESS and change < 0)


def _shown_deductions(
    outstanding: list[tuple[str, int]], late: Lateness, high: int, clock: Seconds
) -> Iterator[tuple[str, int]]:
    """Yield, in order, the ``outstanding`` deductions that the reading ``clock`` shows, as far as it shows them.

    ``high``: the most that the clock could show without them.
    """
    for name, change in outstanding:
        if change > 0:
            continue
        whole = Lateness(-change, late.running if -change == late.seconds else -change)
        shown = shown_part(whole if name == LATENESS else Lateness(-change, -change), clock, high)
        if shown:
            yield name, -shown
        if shown != -change:
            return
        high += change


def _extend(last: Reading | None, more: list[tuple[str, int]]) -> Adjustments | None:
    """Return the adjustments of the last reading plus ``more``, or None if ``more`` is empty."""
    if not more:
        return None
    shown = {} if last is None else dict(last.shown)
    for name, change in more:
        shown[name] = shown.get(name, 0) + change
    return tuple(shown.items())
