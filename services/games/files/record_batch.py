"""Files of xiangqi by other programs, as the batch of moves that they hold from their position on."""

from collections.abc import Callable
from typing import Any

from services.games.files import dhtmlxq, wxf, xqf
from services.games.files.game_record import GameRecord, UnreadableRecord
from services.games.rules.boards.port.position import IllegalMove
from services.games.rules.boards.port.set_up import USUAL
from services.games.rules.boards.registry import Variant
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.set_up import set_up
from services.games.rules.play.commands import Move, PlayMoves
from shared.core.charset import Undecided, decode, named
from shared.core.messages import Message, say
from shared.core.terms import Actor, GameId, Ply
from shared.http.problems import Problem


def _text(reader: Callable[[str], GameRecord]) -> Callable[[bytes, str | None], GameRecord]:
    def read(content: bytes, charset: str | None) -> GameRecord:
        told = None if charset is None else named(charset)
        if charset is not None and told is None:
            raise UnreadableRecord(
                say("no encoding is called {charset}", charset=charset[:40]), say("the Content-Type")
            )
        try:
            return reader(decode(content, told).text)
        except Undecided as problem:
            place = say("line {line}, column {column}", line=problem.line, column=problem.column)
            raise UnreadableRecord(problem.why, place) from None

    return read


READERS: dict[str, Callable[[bytes, str | None], GameRecord]] = {
    xqf.MEDIA: lambda content, charset: xqf.read(content),
    dhtmlxq.MEDIA: _text(dhtmlxq.read),
    wxf.MEDIA: _text(wxf.read),
}
"""By media type: what reads a file of xiangqi. Each raises `UnreadableRecord`."""


def batch(
    actor: Actor, game: GameId, variant: Variant, media: str, content: bytes, charset: str | None
) -> tuple[PlayMoves, dict[str, Any]]:
    """The command that a file comes to, and what its answer tells of what the file holds beside the moves.

    Raises `Problem`: 415 for a file of another game, 422 for one that cannot be read or holds no move, 409 for an illegal move.
    """
    if variant.name != "xiangqi":
        detail = say("a file of {name} does not come as {media}", name=variant.name, media=media)
        raise Problem(415, "other-media-type", say("Another media type is expected"), detail)
    try:
        record = READERS[media](content, charset)
    except UnreadableRecord as problem:
        raise _unreadable(problem.why, problem.spot) from None
    if not record.moves:
        raise _unreadable(say("there is no move in it"), say("the end of the file"))
    _check(record, variant)
    position = USUAL if record.position == fen.START else record.position
    moves = tuple(Move(one.move) for one in record.moves)
    told = {"moves": len(moves), "position": position, "facts": record.facts, "variations": record.variations}
    told["remarks"] = [{"ply": ply, "text": text} for ply, text in record.remarks]
    return PlayMoves(actor, game, Ply(1), moves, position), {"file": told}


def _check(record: GameRecord, variant: Variant) -> None:
    """Raises `Problem` for the first illegal move, by its place in the file."""
    try:
        begun = set_up(variant.rules, record.position)  # type: ignore[arg-type]
    except fen.BadPosition as problem:
        raise _unreadable(say("{problem}", problem=str(problem)), say("the position")) from None
    position = variant.game.start(variant.rules) if begun is None else begun.position
    for n, one in enumerate(record.moves):
        played = position.play(one.move)
        if isinstance(played, IllegalMove):
            detail = say(
                "{spot}: ply {ply}, {move}: {reason}", spot=one.spot, ply=n + 1, move=one.move, reason=played.reason
            )
            title = say("The rules refuse this")
            raise Problem(409, "illegal-move", title, detail, article=played.article, where=f"moves[{n}]")


def _unreadable(why: Message, spot: Message) -> Problem:
    detail = say("{spot}: {why}", spot=spot, why=why)
    return Problem(422, "unreadable-file", say("The file cannot be read"), detail)
