"""Moves from devices and arbiters: singly or in batches, each ply once."""

from dataclasses import replace

from services.games.rules.boards.port.position import LegalMove
from services.games.rules.boards.registry import PLY_STEPS
from services.games.rules.commands import PlayMoves
from services.games.rules.play.adjournment import refuse_adjourned
from services.games.rules.play.file_statement import file_again, with_file
from services.games.rules.play.move_batch import Batch
from services.games.rules.play.preconditions import RunningGame, game_with_sheet, refuse_game_over
from services.games.rules.play.set_up import position_of, read, refuse_other_position
from services.games.rules.play.sheet.game_state import GameState
from services.games.rules.play.sheet.sheet import Sheet
from shared.core.events import Decision, MovePlayed, StepTaken
from shared.core.language.messages import say, term
from shared.core.state.tournament import Tournament
from shared.core.terms import Ply, Refusal, Side, other

PLIES_AT_MOST = 5_000


def play(t: Tournament, c: PlayMoves, sheet: Sheet) -> Decision | Refusal:
    """Record legal moves. The first of a game starts it, and the last may end it.

    Moves already on the sheet are recognised and not recorded again. Refusals: ``empty-batch``, ``game-too-long``,
    ``gap``, ``other-move`` for a ply with another move, ``other-side`` for one that the other side made,
    ``other-clock`` for one with another reading, ``other-position`` if the game began from a position other than the
    file's, and those of `position_of`, `Batch.add`, `refuse_adjourned`, `game_with_sheet`, `refuse_game_over` and `with_file`.
    """
    game = _size_refusal(c) or game_with_sheet(t, c.game)
    if isinstance(game, Refusal):
        return game
    game = _begin_from_position(t, c, game)
    if isinstance(game, Refusal):
        return game
    repeats = _count_repeats(c, sheet, game)
    if repeats == len(c.moves):
        return Decision() if c.file is None else file_again(t, c, c.file, sheet, game)
    refusal = refuse_game_over(t, game.game) or refuse_adjourned(game, sheet)
    if refusal is not None:
        return refusal
    return repeats if isinstance(repeats, Refusal) else _play_on(t, c, sheet, game, repeats)


def _size_refusal(c: PlayMoves) -> Refusal | None:
    if (not c.moves and c.file is None) or c.first_ply < 1:
        return Refusal(
            "invalid",
            "empty-batch",
            say("a batch must have at least one move, and begin at ply 1 or later"),
            where="moves",
        )
    if c.first_ply + len(c.moves) - 1 > PLIES_AT_MOST:
        detail = say("a score sheet must not have more than {plies_at_most} plies", plies_at_most=PLIES_AT_MOST)
        return Refusal("rule", "game-too-long", detail, where="ply")
    return None


def _begin_from_position(t: Tournament, c: PlayMoves, game: RunningGame) -> RunningGame | Refusal:
    """Return the game, beginning from the position that the batch gives, if it gives one.

    Refusals: those of `position_of` and `read`; for a started game, ``other-position`` if it began from another
    position.
    """
    if c.position is None:
        return game
    if game.game.started is None:
        position = position_of(t, c.actor, game.variant, c.position)
        if isinstance(position, Refusal):
            return position
        return RunningGame(game.game, replace(game.variant, position=position))
    position = read(game.variant, c.position)
    if isinstance(position, Refusal):
        return position
    return refuse_other_position(c.game, game.variant.position, position) or game


def _count_repeats(c: PlayMoves, sheet: Sheet, game: RunningGame) -> int | Refusal:
    """Return how many of the batch's first moves are already on the sheet.

    Refusals: ``gap``, ``other-move``, ``other-side``, ``other-clock``.
    """
    stand = len(sheet.plies)
    if c.first_ply > stand:
        if c.first_ply == stand + 1:
            return 0
        detail = say(
            "the batch begins at ply {first_ply}, but must begin at ply {stand}", stand=stand + 1, first_ply=c.first_ply
        )
        return Refusal("rule", "gap", detail, where="ply", see=f"/v1/games/{c.game}/sheet")
    again = c.moves[: stand + 1 - c.first_ply]
    state, movers = GameState(game.variant), sheet.state(game.variant).movers
    for line in sheet.entries:
        n, mover = line.ply - c.first_ply, state.position.to_move()
        if n >= len(again):
            break
        if n < 0 or not isinstance(line, MovePlayed | StepTaken):
            state.take(line)
            continue
        if not isinstance(line, MovePlayed):
            if line.step in PLY_STEPS:
                return _refuse_other_move(c, n, " ".join((line.step, *line.values)))
            state.take(line)
        elif state.move(again[n].move, line.clock) != LegalMove(line.move):
            return _refuse_other_move(c, n, line.move)
        elif again[n].side not in (None, mover, movers[line.ply - 1]):
            return _refuse_other_side(c, n, mover)
        elif again[n].clock not in (None, line.clock):
            return _refuse_other_clock(c, n, line)
    return len(again)


def _refuse_other_side(c: PlayMoves, n: int, mover: Side) -> Refusal:
    """Return the refusal ``other-side``: according to the sheet, ``mover`` made move ``n`` of the batch (from 0).

    If colours were corrected since, either side is accepted: the one that moved, or the one whose move it is now.
    """
    detail = say(
        "on the score sheet, {side} made ply {ply}, not {other}",
        ply=c.first_ply + n,
        side=term(mover),
        other=term(other(mover)),
    )
    return Refusal("rule", "other-side", detail, where=f"moves[{n}]", see=f"/v1/games/{c.game}/sheet")


def _refuse_other_clock(c: PlayMoves, n: int, line: MovePlayed) -> Refusal:
    """Return the refusal ``other-clock``: move ``n`` of the batch (from 0) has another reading than the sheet.

    Like a move, a reading is never overwritten.
    """
    clock = c.moves[n].clock or 0
    detail = (
        say(
            "ply {ply} has no clock reading on the score sheet, but {clock} seconds in the request",
            ply=line.ply,
            clock=clock,
        )
        if line.clock is None
        else say(
            "ply {ply} has a clock reading of {on_sheet} seconds on the sheet, not {clock}",
            ply=line.ply,
            on_sheet=line.clock,
            clock=clock,
        )
    )
    return Refusal("rule", "other-clock", detail, where=f"moves[{n}]", see=f"/v1/games/{c.game}/sheet")


def _refuse_other_move(c: PlayMoves, n: int, on_sheet: str) -> Refusal:
    detail = say(
        "ply {first_ply} is {on_sheet} on the sheet, not {move}",
        first_ply=c.first_ply + n,
        on_sheet=on_sheet,
        move=c.moves[n].move,
    )
    return Refusal("rule", "other-move", detail, where=f"moves[{n}]", see=f"/v1/games/{c.game}/sheet")


def _play_on(t: Tournament, c: PlayMoves, sheet: Sheet, game: RunningGame, repeats: int) -> Decision | Refusal:
    batch = Batch(t, c.actor, game, sheet.state(game.variant).fork())
    for n, move in enumerate(c.moves[repeats:], repeats):
        refusal = batch.add(Ply(c.first_ply + n), move, f"moves[{n}]")
        if refusal is not None:
            return refusal
    if c.file is None:
        return Decision(brought=batch.brought(), lines=tuple(batch.lines), game=c.game)
    return with_file(t, c, c.file, batch, sheet, game)
