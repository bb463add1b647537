"""The part of a question on touch-move 摸子 that chess and xiangqi share: the touched squares, and the moves due."""

from collections.abc import Collection

from services.games.rules.boards.port.touch_claim import SQUARES_AT_MOST
from services.games.rules.boards.port.touch_move import Due
from services.games.rules.judge import question as q
from services.games.rules.judge.question import Answer, Question, Unclear
from shared.core.language.messages import in_turn, say
from shared.core.state.grounds import words_of


def touched_squares(question: Question, men: Collection[str]) -> tuple[str, ...]:
    """Return the squares of the touched pieces, in order, each once. ``men``: the occupied squares."""
    touched = q.moves(question, "touched")
    if not 1 <= len(touched) <= SQUARES_AT_MOST:
        raise Unclear(
            say("Wrong field"),
            say("touched has 1 to {squares_at_most} squares", squares_at_most=SQUARES_AT_MOST),
            "touched",
        )
    for n, square in enumerate(touched):
        if square not in men:
            raise Unclear(say("Empty square"), say("no piece stands on {square}", square=repr(square)), f"touched[{n}]")
    return tuple(dict.fromkeys(touched))


def touch_answer(due: Due) -> Answer:
    """Return the moves due, ``free`` if any move may be played, and the futile touches with their articles."""
    return {
        "due": list(due.moves),
        "free": not due.moves,
        "article": due.article,
        "grounds": in_turn(map(words_of, due.grounds)),
        "futile": [one._asdict() for one in due.futile],
    }
