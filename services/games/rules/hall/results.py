"""Results reported by arbiters, and their corrections."""

import re
import unicodedata
from dataclasses import dataclass, replace
from typing import NamedTuple

from services.games.rules.commands import Correct, Place, ReportResults, Result
from shared.core.events import Decision, ResultCorrected, ResultReported
from shared.core.language.messages import say
from shared.core.readings.authority import permit
from shared.core.readings.removal_refusals import refuse_ended, refuse_removed
from shared.core.rulebook.regulations import Points
from shared.core.state.entities import Game
from shared.core.state.outcomes import NOTATION, TYPED, Share, both_lost, mark_of, refuse_more_together
from shared.core.state.tournament import Tournament
from shared.core.terms import Actor, GameId, Mark, Refusal
from shared.core.values.bounds import BOARD

_LINE = re.compile(r"(?:([0-9]{1,4})(?:\s+|(?=[=+\-])))?(\S+)")
_MINUS = str.maketrans({"−": "-", "–": "-", "—": "--", "½": "="})


class EntryLine(NamedTuple):
    """A typed result: the board (None: the next one), and the notation of its result."""

    board: int | None
    notation: str


def read_entry(text: str) -> EntryLine | Refusal:
    """Parse a typed result: a board number, which may be omitted, and a result. Full-width characters are accepted.

    Refusals: ``bad-entry``, ``unknown-board``.
    """
    line = unicodedata.normalize("NFKC", text.translate(_MINUS)).strip()
    match = _LINE.fullmatch(line)
    result = match and (TYPED.get(match[2]) or (match[2] if match[2] in NOTATION else None))
    if match is None or not result:
        detail = say("invalid result {typed}: type a board and one of {keys}", typed=text[:40], keys=" ".join(TYPED))
        return Refusal("invalid", "bad-entry", detail, where="entry")
    board = None if match[1] is None else int(match[1])
    if board is not None and not 1 <= board <= BOARD.high:
        return Refusal("unknown", "unknown-board", say("board {board} does not exist", board=board), where="entry")
    return EntryLine(board, result)


@dataclass(frozen=True, slots=True)
class GameMarks:
    """The reported results of both sides of a game, and the game in its present state."""

    game: Game
    white: Mark
    black: Mark


def report(t: Tournament, c: ReportResults) -> Decision | Refusal:
    """Report results of boards that have none.

    Refusals: ``result-exists`` if a result, an end or a ruling in force has set the marks (a correction is then
    required), and those of `_marks_by_game`.
    """
    marks = _marks_by_game(t, c.actor, c.results)
    if isinstance(marks, Refusal):
        return marks
    for n, one in enumerate(marks):
        if t.setting(one.game) is not None:
            ended = refuse_ended(t, one.game, f"results[{n}]", "result-exists")
            if ended is not None:
                return ended
            ruling = t.ruling_on(one.game)
            by = say("by ruling {ruling}", ruling=ruling.event.ruling) if ruling is not None else say("already")
            detail = say(
                "board {board} of round {round} has a result {by}: to change it, correct it",
                board=one.game.board,
                round=one.game.round,
                by=by,
            )
            return Refusal(
                "rule", "result-exists", detail, where=f"results[{n}]", see=f"/v1/tournaments/{t.id}/corrections"
            )
    return Decision(tuple(ResultReported(one.game.game, one.white, one.black) for one in marks))


def correct(t: Tournament, c: Correct) -> Decision | Refusal:
    """Correct results of boards that have one.

    If a ruling in force decides the game, the ruling overrides the correction.

    The correction takes effect if the ruling is annulled. Refusals: ``reason-missing``, ``no-result``, those of
    `_refuse_removed_player` and `_marks_by_game`.
    """
    if c.reason is None:
        return Refusal("invalid", "reason-missing", say("a correction requires a reason"), where="reason")
    marks = _marks_by_game(t, c.actor, c.results)
    if isinstance(marks, Refusal):
        return marks
    corrections = []
    for n, one in enumerate(marks):
        if t.setting(one.game) is None:
            detail = say(
                "board {board} of round {round} has no result to correct", board=one.game.board, round=one.game.round
            )
            return Refusal("rule", "no-result", detail, where=f"results[{n}]", see=f"/v1/tournaments/{t.id}/results")
        refusal = _refuse_removed_player(t, one, f"results[{n}]")
        if refusal is not None:
            return refusal
        ruling = t.ruling_on(one.game)
        beneath = ruling.event.ruling if ruling is not None else None
        corrections.append(ResultCorrected(one.game.game, one.white, one.black, c.reason, beneath))
    return Decision(tuple(corrections))


def _refuse_removed_player(t: Tournament, marks: GameMarks, where: str) -> Refusal | None:
    """Return refusal ``player-removed`` for points to a player barred from the game by a ruling, or None.

    A result that the game had before the removal can be corrected, and so can a game that a player left without a
    ruling.
    """
    game = marks.game
    removal = t.ended_by_removal(game) or next(iter(t.removed_from(game)), None) if t.removals_lapse() else None
    if removal is None or removal.ruling is None:
        return None
    before = t.reported.get(game.game) or game.corrected
    if before is not None and before.seq < removal.seq:
        return None
    mark = marks.white if removal.player == game.white else marks.black
    return refuse_removed(t, game, removal, where) if mark.points > t.regulations.points.loss else None


def _marks_by_game(t: Tournament, actor: Actor, results: tuple[Result, ...]) -> tuple[GameMarks, ...] | Refusal:
    """Return the games and marks of the results.

    Refusals: ``no-results``, ``unknown-board``, ``unknown-game``, ``pairing-withdrawn``, ``board-twice``,
    ``points-out-of-range``, ``half-played``, and those of `_refuse_together`.
    """
    if not results:
        return Refusal("invalid", "no-results", say("name at least one board"), where="results")
    marks: dict[GameId, GameMarks] = {}
    for n, (place, white, black) in enumerate(results):
        where = f"results[{n}]"
        game = _game(t, place, where)
        if isinstance(game, Refusal):
            return game
        if game.game in marks:
            return Refusal(
                "invalid", "board-twice", say("board {board} is listed twice", board=game.board), where=where
            )
        both = _marks(t.regulations.points, white, black, where)
        if isinstance(both, Refusal):
            return both
        refusal = _refuse_together(t, actor, game, *both, where)
        if refusal is not None:
            return refusal
        marks[game.game] = GameMarks(game, *both)
    return tuple(marks.values())


def _refuse_together(t: Tournament, actor: Actor, game: Game, white: Mark, black: Mark, where: str) -> Refusal | None:
    """Return why these marks are not allowed together, or None.

    Refusals: ``marks-together``, and ``role-may-not`` if both sides lose a played game: only the chief arbiter decides
    that (000-A 围棋, 行棋 3).
    """
    refusal = refuse_more_together(t.regulations, white, black, where)
    if refusal is None and t.regulations.decisions >= 2 and both_lost(t.regulations.points, white, black):
        refusal = permit(t, actor, "give a loss to both")
        if refusal is not None:
            refusal = replace(refusal, where=where, see=f"/v1/games/{game.game}/decision")
    return refusal


def _game(t: Tournament, place: GameId | Place, where: str) -> Game | Refusal:
    if isinstance(place, Place):
        game = t.game_at(place.round, place.board)
        if game is not None:
            return game
        if t.current(place.round) is None:
            return Refusal(
                "unknown", "unknown-round", say("round {round} has not been paired", round=place.round), where="round"
            )
        return Refusal(
            "unknown",
            "unknown-board",
            say("round {round} has no board {board}", round=place.round, board=place.board),
            where=where,
        )
    return standing_game(t, place, where)


def standing_game(t: Tournament, game: GameId, where: str = "game") -> Game | Refusal:
    """Return a game of a pairing in force. Refusals: ``unknown-game``, ``pairing-withdrawn``."""
    record = t.games.get(game)
    if record is None:
        return Refusal("unknown", "unknown-game", say("{id} has no game {game}", id=t.id, game=game), where=where)
    if t.pairings[record.pairing - 1].withdrawn is not None:
        return Refusal("rule", "pairing-withdrawn", say("the pairing of {game} was withdrawn", game=game), where=where)
    return record


def _marks(points: Points, white: Mark | Share, black: Mark | Share, where: str) -> tuple[Mark, Mark] | Refusal:
    """Return the results of both sides. Each has from 0 points to those of a win, and both or neither played the game.

    Refusals: ``points-out-of-range``, ``half-played``.
    """
    first, second = (one if isinstance(one, Mark) else mark_of(points, one) for one in (white, black))
    if not (0 <= first.points <= points.win and 0 <= second.points <= points.win):
        detail = say("a side must have 0 to {win} points", win=f"{points.win / 2:g}")
        return Refusal("invalid", "points-out-of-range", detail, where=where)
    if first.played != second.played:
        return Refusal("invalid", "half-played", say("played must be the same for both sides"), where=where)
    return first, second
