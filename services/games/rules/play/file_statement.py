"""The contents of a game file besides its moves: they are kept on the sheet. Its result ends the game or is refused."""

from services.games.rules.boards.port.position import Position
from services.games.rules.commands import FileSaid, PlayMoves
from services.games.rules.play.move_batch import Batch
from services.games.rules.play.preconditions import RunningGame, refuse_game_over
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import Decision, FileRead, GameStarted, Official, ResultReported
from shared.core.language.messages import say
from shared.core.readings.authority import permit
from shared.core.readings.removal_refusals import refuse_ended
from shared.core.state.outcomes import marks_of, notation_of
from shared.core.state.tournament import Tournament
from shared.core.terms import Mark, Ply, Refusal, Side

_WINNERS: dict[str, Side | None] = {"1-0": "white", "0-1": "black", "1/2-1/2": None}


def file_again(t: Tournament, c: PlayMoves, file: FileSaid, sheet: Sheet, game: RunningGame) -> Decision | Refusal:
    """Decide on a file whose moves are all on the sheet already, but whose annotations or result may be new.

    If the game has not started, they start it, and so does a position in the file. Refusals: those of `_result`,
    `refuse_game_over`.
    """
    line, position = _line(c, file, sheet), game.variant.position
    begins = game.game.started is None and (line is not None or position is not None)
    start: tuple[Official, ...] = (GameStarted(c.game, position),) if begins else ()
    refusal = refuse_game_over(t, game.game) if start else None
    if refusal is not None:
        return refusal
    if line is None:
        return Decision(start)
    if file.result is None:
        return Decision(brought=start, lines=(line,), game=c.game)
    brought = _result(t, c, file, sheet.position(game.variant), game, sheet)
    if isinstance(brought, Refusal):
        return brought
    return Decision(brought=start + brought, lines=(line,), game=c.game)


def with_file(
    t: Tournament, c: PlayMoves, file: FileSaid, batch: Batch, sheet: Sheet, game: RunningGame
) -> Decision | Refusal:
    """Decide on the new moves of a file, and its other contents.

    Refusals: those of `_result`, ``other-result`` if the moves end the game with a different result.
    """
    line = _line(c, file, sheet)
    lines, brought = tuple(batch.lines) + ((line,) if line else ()), batch.brought()
    more: tuple[Official, ...] | Refusal = ()
    if file.result is not None and batch.end is not None:
        if _winner(file.result, batch.position) != batch.end.winner:
            why = say(
                "the file states {said}, but the moves end the game by {end}",
                said=file.result,
                end=batch.end.words,
            )
            return Refusal("rule", "other-result", why, batch.end.article, "result")
    elif file.result is not None and batch.flag is None:  # A flag is a finding, and the rulebook answers it.
        more = _result(t, c, file, batch.position, game)
    return more if isinstance(more, Refusal) else Decision(brought=brought + more, lines=lines, game=c.game)


def _line(c: PlayMoves, file: FileSaid, sheet: Sheet) -> FileRead | None:
    """Return the sheet event for annotations and a result in a file, or None if neither is new."""
    if file.annotations is None and file.result == sheet.stated:
        return None
    return FileRead(Ply(c.first_ply + len(c.moves) - 1), file.format, file.annotations, file.result)


def _winner(result: str, position: Position) -> Side | None:
    """Return the seat that has won, or None for a draw. A file names the winner by colour."""
    colour = _WINNERS[result]
    return None if colour is None else position.holder(colour)


def _result(
    t: Tournament, c: PlayMoves, file: FileSaid, position: Position, game: RunningGame, sheet: Sheet | None = None
) -> tuple[Official, ...] | Refusal:
    """Return the event that reports the result stated in a game file, or an empty tuple if the game has this result already.

    ``sheet``: given if the file's moves are all on it. Refusals: ``other-result`` if the game was decided differently,
    ``role-may-not`` for a player, and for a result without moves if the role may not report results; those of
    `refuse_game_over`.
    """
    result = file.result
    assert result is not None, "it was asked for"
    white, black = marks_of(t.regulations.points, _winner(result, position), forfeit=file.forfeit)
    setting = t.setting(game.game)
    if setting is not None:
        return (
            ()
            if _is_same(setting.white, white) and _is_same(setting.black, black)
            else _refuse_other_result(t, c, result, game)
        )
    if c.actor.role == "player":
        why = say(
            "the file states {said}, but a player's file must not state a result: only an arbiter or the board may",
            said=result,
        )
        return Refusal("authority", "role-may-not", why, where="result", see=f"/v1/games/{c.game}/end")
    refusal = permit(t, c.actor, "report results") if sheet is not None and not sheet.plies else None
    return refusal or refuse_game_over(t, game.game) or (ResultReported(c.game, white, black),)


def _is_same(one: Mark, two: Mark) -> bool:
    return one.points == two.points


def _refuse_other_result(t: Tournament, c: PlayMoves, result: str, game: RunningGame) -> Refusal:
    ended = refuse_ended(t, game.game, "result", "other-result")
    if ended is not None:
        return ended
    setting = t.setting(game.game)
    decided = None if setting is None else notation_of(t.regulations.points, setting.white, setting.black)
    why = say(
        "the file states {said}, but {game} is already decided: {decided}",
        said=result,
        game=c.game,
        decided=decided or "–",
    )
    return Refusal("rule", "other-result", why, where="result", see=f"/v1/games/{c.game}")
