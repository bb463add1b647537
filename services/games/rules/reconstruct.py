"""Commands of games rebuilt from events and sheet lines for the audit, if they are not the fields of one of them."""

from dataclasses import replace

from services.games.rules import commands as co
from services.games.rules.play.sheet.clocks import SHOWS
from shared.core.events import FileRead, GameStarted, MovePlayed, ResultReported, StepTaken
from shared.core.terms import Ply
from shared.desk.rules_port import Written, copy_fields


def report(written: Written) -> co.ReportResults:
    """Return the command that reported all these results together."""
    return co.ReportResults(written.actor, _results(written))


def correction(written: Written) -> co.Correct:
    """Return the command that corrected all these results together."""
    return co.Correct(written.actor, _results(written), written.events[0].reason)


def moves(written: Written) -> co.PlayMoves:
    """Return the command that recorded these moves or this file, with the position that the game began from.

    If all moves of a file are already on the sheet, the file writes no moves. The event of its result then shows
    whether the game was played.
    """
    assert written.game is not None, "a line of a sheet names its game"
    first, events = written.lines[0], written.events
    read = next((line for line in written.lines if isinstance(line, FileRead)), None)
    file = None if read is None else copy_fields(co.FileSaid, read)
    played = tuple(co.Move(line.move, line.clock) for line in written.lines if isinstance(line, MovePlayed))
    result = next((event for event in events if isinstance(event, ResultReported)), None)
    if file is not None and not played and result is not None:
        file = replace(file, forfeit=not result.white.played)
    return co.PlayMoves(
        written.actor,
        written.game,
        Ply(first.ply + 1) if isinstance(first, FileRead) else first.ply,
        played,
        events[0].position if events and isinstance(events[0], GameStarted) else None,
        file,
    )


def step(written: Written) -> co.TakeStep:
    """Return the command that took this step.

    The adjustments that a set clock shows are left out, because they are not the arbiter's input.
    """
    taken: StepTaken = written.lines[0]
    values = taken.values
    if taken.step == "set_clock":
        values = tuple(value for value in values if SHOWS not in value)
    return copy_fields(co.TakeStep, taken, actor=written.actor, game=written.game, values=values)


def _results(written: Written) -> tuple[co.Result, ...]:
    return tuple(co.Result(event.game, event.white, event.black) for event in written.events)
