"""From the events and sheet lines of a command back to the command: what the audit decides again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from services.games.rules import commands as co
from services.games.rules.play.sheet.clock_lines import named_values
from shared.core import events as ev
from shared.core.terms import Actor, GameId, Ply


def command_of(events: Sequence[ev.Event], lines: Sequence[ev.Event] = ()) -> co.Command:
    """The command that wrote these events and lines.

    What a move brings into the log bears the role rulebook; who moved stands on the sheet.
    """
    first = lines[0] if lines else events[0]
    actor = Actor(first.actor, first.role, first.tokenid)
    if lines:
        assert first.game is not None, "a line of a sheet names its game"
        settled = events[0].data if events else None
        if isinstance(settled, ev.ClaimSettled):
            return co.DecideClaim(actor, first.game, settled.claim, settled.upheld, settled.note)
        command = ON_SHEETS[type(first.data)](actor, first.game, [e.data for e in lines])
        return _with_events(command, events) if isinstance(command, co.PlayMoves) else command
    return IN_THE_LOG[type(first.data)](actor, [e.data for e in events])


def _with_events(command: co.PlayMoves, events: Sequence[ev.Event]) -> co.PlayMoves:
    """The command with the position that it began from, and whether the result of its file was one that was not played."""
    if events and isinstance(events[0].data, ev.GameStarted):
        command = replace(command, position=events[0].data.position)
    result = next((e.data for e in events if isinstance(e.data, ev.ResultReported)), None)
    if command.file is not None and not command.moves and result is not None:
        command = replace(command, file=replace(command.file, forfeit=not result.white.played))
    return command


def _moves(actor: Actor, game: GameId, data: list[Any]) -> co.PlayMoves:
    moves = tuple(co.Move(d.move, d.clock) for d in data if isinstance(d, ev.MovePlayed))
    read = next((d for d in data if isinstance(d, ev.FileRead)), None)
    file = None if read is None else co.FileSaid(read.format, read.annotations, read.result)
    return co.PlayMoves(actor, game, data[0].ply, moves, file=file)


def _file(actor: Actor, game: GameId, data: list[Any]) -> co.PlayMoves:
    """A file whose moves all stood on the sheet."""
    read = data[0]
    file = co.FileSaid(read.format, read.annotations, read.result)
    return co.PlayMoves(actor, game, Ply(read.ply + 1), (), file=file)


def _step(actor: Actor, game: GameId, data: list[Any]) -> co.TakeStep:
    """What a clock shows of rulings, once it is set, is no value that the arbiter named."""
    step = data[0]
    values = named_values(step.values) if step.step == "set_clock" else step.values
    return co.TakeStep(actor, game, step.side, step.step, values)


def _results(data: list[Any]) -> tuple[co.Result, ...]:
    return tuple(co.Result(d.game, d.white, d.black) for d in data)


ON_SHEETS: dict[type, Callable[[Actor, GameId, list[Any]], co.Command]] = {
    ev.MovePlayed: _moves,
    ev.OfferMade: lambda a, g, d: co.MakeOffer(a, g, d[0].side, d[0].offer),
    ev.ClaimMade: lambda a, g, d: co.MakeClaim(a, g, d[0].side, d[0].claim, d[0].move, d[0].squares),
    ev.MovesTakenBack: lambda a, g, d: co.TakeBack(a, g, d[0].to_ply, d[0].reason, d[0].ruling),
    ev.StepTaken: _step,
    ev.FileRead: _file,
}
IN_THE_LOG: dict[type, Callable[[Actor, list[Any]], co.Command]] = {
    ev.ResultReported: lambda a, d: co.ReportResults(a, _results(d)),
    ev.ResultCorrected: lambda a, d: co.Correct(a, _results(d), d[0].reason),
    ev.GameStarted: lambda a, d: co.StartGame(a, d[0].game, d[0].position),
    ev.GameEnded: lambda a, d: co.EndByAgreement(a, d[0].game),
    ev.FactsChecked: lambda a, d: co.CheckFacts(a, d[0].game, d[0].ruling),
}
