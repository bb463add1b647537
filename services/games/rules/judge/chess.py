"""Questions about chess: legal moves, a replayed game with its claims, a fallen flag, touched pieces."""

from typing import cast

from services.games.rules.boards.chess.claims import due
from services.games.rules.boards.chess.move_texts import ILLEGAL
from services.games.rules.boards.chess.position import ChessPosition
from services.games.rules.boards.chess.set_up import board_of
from services.games.rules.boards.port.position import SIDES, BadPosition, IllegalMove
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Ask, Question, touch_answer, touched_squares, unclear_position
from shared.core.rulebook.game_rules import ChessRules
from shared.core.terms import Side


def legal_moves(question: Question) -> Answer:
    """Answer with the legal moves, in UCI and sorted."""
    return {"legal": _position(question).legal()}


def replay(question: Question) -> Answer:
    """Answer with the moves played from a position, the end there, and the possible claims."""
    position = _position(question)
    uci, san = [], []
    for n, move in enumerate(q.moves(question)):
        spelled = position.san(move)
        played = position.play(move)
        if isinstance(played, IllegalMove):
            raise q.illegal_move(n, move, played)
        assert spelled is not None
        uci.append(played.move)
        san.append(spelled)
    return {
        "uci": uci,
        "san": san,
        "fen": position.text(),
        "end": q.end_answer(position.end()),
        "halfmove_clock": position.quiet_plies(),
        "claims": {"now": list(position.claimable()), "with_move": position.claiming_moves()},
    }


def flag_fall(question: Question) -> Answer:
    """Answer with the winner when a side's flag falls, or null for a draw."""
    fallen = cast(Side, q.choice(question, "flag", SIDES))
    return {"winner": _position(question).flag_fall(fallen)}


def touch(question: Question) -> Answer:
    """Answer with the moves due 应走 after pieces were touched, after the moves of the question if it has any."""
    position = _position(question)
    for n, move in enumerate(q.moves(question, default=())):
        played = position.play(move)
        if isinstance(played, IllegalMove):
            raise q.illegal_move(n, move, played)
    return touch_answer(due(position, touched_squares(question, position.men())))


def _position(question: Question) -> ChessPosition:
    """Return the position of ``fen``, by default the starting one. A position that no game can reach is refused."""
    import chess  # here, because its import takes long and most questions are about other games

    fen = q.text(question, "fen", chess.STARTING_FEN)
    try:
        return ChessPosition(board_of(fen), question.rules(ChessRules))
    except BadPosition as problem:
        raise unclear_position(problem, "fen", ILLEGAL) from None


QUESTIONS = {
    "legal_moves": Ask(legal_moves, ("fen",)),
    "replay": Ask(replay, ("fen", "moves")),
    "flag_fall": Ask(flag_fall, ("fen", "flag")),
    "touch": Ask(touch, ("fen", "moves", "touched")),
}
