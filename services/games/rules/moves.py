"""Moves, as devices and arbiters feed them, and moves taken back."""

from services.games.rules.commands import PlayMoves, TakeBack
from services.games.rules.playing import Running, ended, over, running, sheeted
from services.games.rules.position import Illegal, Written
from services.games.rules.sheet import Sheet, position_after
from shared.events import Decision, GameStarted, MovePlayed, MovesTakenBack, Official
from shared.terms import Ply, Refusal
from shared.tournament import Tournament

BATCH_AT_MOST = 500
PLIES_AT_MOST = 5_000

REASONS: dict[str, str] = {
    "illegal_move": "000-A 国际象棋, 不合规则 1; Laws 7.5.1",
    "displaced_pieces": "000-A 国际象棋, 不合规则 2; Laws 7.4.1",
    "misrecorded": "house: the sheet did not show what was played",
}
"""Why moves may be taken back, and the article that says so."""


def play(t: Tournament, c: PlayMoves, sheet: Sheet) -> Decision | Refusal:
    """Write legal moves, the first of a game starting it, the last perhaps ending it.

    Moves that stand on the sheet already are recognised and not written again.
    Refusals: ``empty-batch``, ``batch-too-long``, ``game-too-long``, ``gap``,
    ``other-move`` for a ply that holds another, ``illegal-move``, and those of `sheeted`
    and `over`.
    """
    refusal = _measured(c)
    if refusal is not None:
        return refusal
    game = sheeted(t, c.game)
    if isinstance(game, Refusal):
        return game
    known = _repeated(c, sheet, game.kind)
    if known == len(c.moves):
        return Decision()
    refusal = over(t, game.game)
    if refusal is not None:
        return refusal
    return known if isinstance(known, Refusal) else _play_on(t, c, sheet, game, known)


def take_back(t: Tournament, c: TakeBack, sheet: Sheet) -> Decision | Refusal:
    """Go back to the position after a ply; what is taken back stays on the sheet.

    Refusals: ``unknown-reason``, ``nothing-to-take-back``, and those of `running`.
    """
    game = running(t, c.game)
    if isinstance(game, Refusal):
        return game
    if c.reason not in REASONS:
        detail = f"moves are taken back for {', '.join(REASONS)}"
        return Refusal("invalid", "unknown-reason", detail, where="reason")
    if not 0 <= c.to_ply < len(sheet.moves):
        detail = f"{len(sheet.moves)} moves stand on the sheet"
        return Refusal("rule", "nothing-to-take-back", detail, REASONS[c.reason], where="to_ply")
    return Decision(lines=(MovesTakenBack(c.to_ply, c.reason),), game=c.game)


def _measured(c: PlayMoves) -> Refusal | None:
    if not c.moves or c.first_ply < 1:
        return Refusal("invalid", "empty-batch", "a batch has at least one move, from ply 1 on", where="moves")
    if len(c.moves) > BATCH_AT_MOST:
        return Refusal("invalid", "batch-too-long", f"a batch has at most {BATCH_AT_MOST} moves", where="moves")
    if c.first_ply + len(c.moves) - 1 > PLIES_AT_MOST:
        return Refusal("rule", "game-too-long", f"a sheet holds at most {PLIES_AT_MOST} plies", where="ply")
    return None


def _repeated(c: PlayMoves, sheet: Sheet, kind: str) -> int | Refusal:
    """How many of the batch's first moves stand on the sheet already. Refusals: ``gap``, ``other-move``."""
    stand = len(sheet.moves)
    if c.first_ply > stand + 1:
        detail = f"ply {stand + 1} is expected, the batch begins at {c.first_ply}"
        return Refusal("rule", "gap", detail, where="ply", see=f"/v1/games/{c.game}/sheet")
    again = c.moves[: stand + 1 - c.first_ply]
    position = position_after(kind, sheet.moves[: c.first_ply - 1]) if again else None
    for n, move in enumerate(again):
        assert position is not None
        stands = sheet.moves[c.first_ply - 1 + n]
        if position.play(move.move) != Written(stands.move):
            detail = f"ply {stands.ply} is {stands.move} on the sheet, not {move.move}"
            return Refusal("rule", "other-move", detail, where=f"moves[{n}]", see=f"/v1/games/{c.game}/sheet")
    return len(again)


def _play_on(t: Tournament, c: PlayMoves, sheet: Sheet, game: Running, known: int) -> Decision | Refusal:
    position = sheet.position(game.kind)
    lines: list[MovePlayed] = []
    end = None
    for n, move in enumerate(c.moves[known:], known):
        ply = Ply(c.first_ply + n)
        if end is not None:
            detail = f"ply {ply} comes after the end of the game: {end.termination} on ply {ply - 1}"
            return Refusal("rule", "game-over", detail, end.article, where=f"moves[{n}]")
        played = position.play(move.move)
        if isinstance(played, Illegal):
            detail = f"ply {ply}, {move.move}: {played.reason}"
            return Refusal("rule", "illegal-move", detail, played.article, where=f"moves[{n}]")
        lines.append(MovePlayed(ply, played.move, move.clock))
        end = position.end()
    brought: list[Official] = [GameStarted(c.game)] if game.game.started is None else []
    if end is not None:
        brought.append(ended(t, c.game, end.termination, end.winner, end.article))
    return Decision(brought=tuple(brought), lines=tuple(lines), game=c.game)
