"""The clock of a side as a state: its last reading, and what lateness, rulings and findings take from it or give to it.

What is outstanding stays so until a reading shows it, at or below what the clock should show with it, or an arbiter sets
the clock. A ruling that fell after a reading had shown it changes no clock by itself: the arbiter sets it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from services.games.rules.boards.port.position import SIDES, other
from services.games.rules.play.lateness import Lateness, lateness, shown_at_first, shown_of
from services.games.rules.play.sheet.clocks import Adjustments, Reading
from services.games.rules.play.sheet.game_state import GameState
from shared.core.event_types.evolve import fork_after
from shared.core.events import Official
from shared.core.state.entities import Game
from shared.core.state.tournament import Tournament
from shared.core.terms import GAMES, Seconds, Side

LATENESS = "lateness"
"""The name of what lateness takes, among the ids of rulings and findings."""


class ClockState(NamedTuple):
    """A side's clock in parts, in seconds. ``reading``: the last one, or the first limit, with what the control has given
    since; None where neither is known. ``lateness`` and ``rulings`` (findings that are not ruled on yet with them) are
    outstanding, negative where they take; ``given_back``: what is to be set right since a ruling fell that the reading
    shows."""

    reading: Seconds | None
    lateness: int = 0
    rulings: int = 0
    given_back: int = 0

    @property
    def left(self) -> int | None:
        """Seconds left, below 0 where more is taken than there is; None where no reading and no control says."""
        return None if self.reading is None else self.reading + self.lateness + self.rulings

    @property
    def clock(self) -> Seconds | None:
        """The clock as it is to be shown."""
        return None if self.left is None else Seconds(max(0, self.left))


class ReadingCheck(NamedTuple):
    """A new reading against the state: what the clock ``shown`` by then (None: no more than before), and the seconds that it
    is ``over`` the ``most`` it can show."""

    shown: Adjustments | None
    over: int
    most: Seconds


def follows_state(t: Tournament) -> bool:
    """Whether clocks are states; by earlier decisions a clock is its last reading."""
    return t.regulations.decisions >= 2


def clock_state(t: Tournament, game: Game, state: GameState, side: Side) -> ClockState:
    """The side's clock as it stands."""
    reading, late = state.readings.get(side), lateness(t, game, state, side)
    late_by = ruled = back = 0
    for name, change, outstanding in _changes(_adjustments(t, game, state, side, late), _shown(state, reading, late)):
        if not outstanding:
            back += change
        elif name == LATENESS:
            late_by += change
        else:
            ruled += change
    return ClockState(_seconds(state, side, reading), late_by, ruled, back)


def clocks_after(t: Tournament, game: Game, state: GameState, events: Sequence[Official]) -> dict[Side, Seconds]:
    """What the clocks are to show once games' own ``events``, which are only being decided, are folded: by side, where that
    is known; none by decisions in which a clock is no state."""
    if not follows_state(t):
        return {}
    after = fork_after(t, GAMES, events) if events else t
    clocks = {side: clock_state(after, after.games[game.game], state, side).clock for side in SIDES}
    return {side: clock for side, clock in clocks.items() if clock is not None}


def check_reading(t: Tournament, game: Game, state: GameState, side: Side, clock: Seconds) -> ReadingCheck:
    """What a reading of the side's next move shows of what is outstanding before it."""
    last, late = state.readings.get(side), lateness(t, game, state, side)
    changes = _changes(_adjustments(t, game, state, side, late), _shown(state, last, late))
    outstanding = [(name, change) for name, change, open in changes if open]
    limit = state.allowed(side)
    base = limit if limit is not None or last is None else last.clock
    if base is None:
        # Nothing says what the clock showed before: it is as it is read.
        return ReadingCheck(_extended(last, outstanding), 0, clock)
    gifts = [(name, change) for name, change in outstanding if change > 0]
    high = base + sum(change for _, change in gifts)
    highest = Seconds(high + (0 if last is None else max(0, last.credit)))
    shown = gifts + list(_taken(outstanding, late, high, clock))
    return ReadingCheck(_extended(last, shown), 0 if limit is None else max(0, clock - highest), highest)


def set_now(t: Tournament, game: Game, state: GameState, side: Side) -> Adjustments:
    """What a clock shows that an arbiter has set: all that stands."""
    return tuple(_adjustments(t, game, state, side, lateness(t, game, state, side)).items())


def _adjustments(t: Tournament, game: Game, state: GameState, side: Side, late: Lateness) -> dict[str, int]:
    """What the clock is to show beside the time that ran, by name, 0 left out: lateness, rulings that stand, and what
    findings that wait for a ruling will take or give. A ruling on a finding has the finding's name, as it is the same."""
    items = {LATENESS: -late.seconds}
    for name, seconds in (*_ruled(t, game, side), *_found(t, game, state, side)):
        items[name] = items.get(name, 0) + seconds
    return {name: seconds for name, seconds in items.items() if seconds}


def _ruled(t: Tournament, game: Game, side: Side) -> Iterator[tuple[str, int]]:
    for id, ruling in t.rulings.items():
        event = ruling.event
        if event.game != game.game or event.effect.kind != "adjust_clock" or event.player is None:
            continue
        seconds = event.effect.clock or 0
        if event.player == game.player(other(side) if seconds > 0 else side) and t.has_effect(id):
            yield event.finding or id, seconds


def _found(t: Tournament, game: Game, state: GameState, side: Side) -> Iterator[tuple[str, int]]:
    for id, finding in t.findings.items():
        event = finding.event
        if event.game != game.game or not finding.open:
            continue
        for row in t.regulations.rulebook.finding_rules(event.kind, state.variant.name):
            if row.clock and event.player == game.player(other(side) if row.clock > 0 else side):
                yield id, row.clock


def _seconds(state: GameState, side: Side, reading: Reading | None) -> Seconds | None:
    moves = state.movers.count(side)
    if reading is not None and (reading.moved >= moves or state.variant.time is None):
        return reading.clock
    return state.without_rulings(side, moves)


def _shown(state: GameState, reading: Reading | None, late: Lateness) -> dict[str, int]:
    """What the last reading shows. What the clock of who came late ran by itself is in its first reading, whenever the
    arrival was noted and corrected; what an arbiter set it to shows what he knew."""
    if reading is None:
        return {}
    shown = dict(reading.shown)
    if late.seconds and (not reading.was_set or LATENESS not in shown):
        at_first = late.seconds if reading.was_set else shown_at_first(state, reading, late)
        by_then = min(late.seconds, -shown.get(LATENESS, 0))
        if at_first or by_then:
            shown[LATENESS] = -max(at_first, by_then)
    elif not late.seconds and not reading.was_set:
        shown.pop(LATENESS, None)
    return shown


def _changes(items: dict[str, int], shown: dict[str, int]) -> Iterator[tuple[str, int, bool]]:
    """By name what is not shown yet, True, or shown and no longer right, False; in the log's order."""
    for name in (*items, *(name for name in shown if name not in items)):
        change = items.get(name, 0) - shown.get(name, 0)
        if change:
            yield name, change, name not in shown or (name == LATENESS and change < 0)


def _taken(outstanding: list[tuple[str, int]], late: Lateness, high: int, clock: Seconds) -> Iterator[tuple[str, int]]:
    """Of what takes time, in its order, as much as the reading shows."""
    for name, change in outstanding:
        if change > 0:
            continue
        whole = Lateness(-change, late.running if -change == late.seconds else -change)
        shown = shown_of(whole if name == LATENESS else Lateness(-change, -change), clock, high)
        if shown:
            yield name, -shown
        if shown != -change:
            return
        high += change


def _extended(last: Reading | None, more: list[tuple[str, int]]) -> Adjustments | None:
    """What the last reading shows, and more; None where there is no more."""
    if not more:
        return None
    shown = {} if last is None else dict(last.shown)
    for name, change in more:
        shown[name] = shown.get(name, 0) + change
    return tuple(shown.items())
