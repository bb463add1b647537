"""Files of xiangqi by other programs, as the batch of moves that they hold from their position on."""

from collections.abc import Callable

from services.games.files import dhtmlxq, wxf, xqf
from services.games.files.file_text import decoded, encoding_of
from services.games.files.game_file import Unreadable
from services.games.files.game_record import GameRecord, UnreadableRecord
from services.games.files.upload import FileBatch, SentFile, unreadable
from services.games.rules.boards.port.position import IllegalMove
from services.games.rules.boards.port.set_up import USUAL
from services.games.rules.boards.registry import Variant
from services.games.rules.boards.xiangqi import fen
from services.games.rules.boards.xiangqi.set_up import set_up
from services.games.rules.play.commands import Move, PlayMoves
from services.games.rules.play.moves import PLIES_AT_MOST
from shared.core.messages import Message, say
from shared.core.terms import Actor, GameId, Ply
from shared.http.problems import Problem


def _text(reader: Callable[[str], GameRecord]) -> Callable[[bytes, str | None], GameRecord]:
    return lambda content, charset: reader(decoded(content, encoding_of(charset)))


READERS: dict[str, Callable[[bytes, str | None], GameRecord]] = {
    xqf.MEDIA: lambda content, charset: xqf.read(content),
    dhtmlxq.MEDIA: _text(dhtmlxq.read),
    wxf.MEDIA: _text(wxf.read),
}
"""By media type: what reads a file of xiangqi. Each raises `UnreadableRecord`, and `Unreadable` for a text in no encoding."""


def batch(actor: Actor, game: GameId, variant: Variant, sent: SentFile) -> FileBatch:
    """The command that a file comes to, and what its answer tells of what the file holds beside the moves.

    Raises `Problem`: 415 for a file of another game, 422 for one that cannot be read or holds no move or more than a game
    may have, 409 for an illegal move.
    """
    if variant.name != "xiangqi":
        detail = say("a file of {name} does not come as {media}", name=variant.name, media=sent.media)
        raise Problem(415, "other-media-type", say("Another media type is expected"), detail)
    try:
        record = READERS[sent.media](sent.content, sent.charset)
    except Unreadable as problem:
        raise unreadable(problem.why, problem.spot) from None
    except UnreadableRecord as problem:
        raise _unreadable(problem.why, problem.spot) from None
    if not record.moves:
        raise _unreadable(say("there is no move in it"), say("the end of the file"))
    if len(record.moves) > PLIES_AT_MOST:
        why = say("a game has at most {most} moves of either side", most=PLIES_AT_MOST)
        raise _unreadable(why, record.moves[PLIES_AT_MOST].spot)
    _check(record, variant)
    position = USUAL if record.position == fen.START else record.position
    moves = tuple(Move(one.move) for one in record.moves)
    told = {"moves": len(moves), "position": position, "facts": record.facts, "variations": record.variations}
    told["remarks"] = [{"ply": ply, "text": text} for ply, text in record.remarks]
    return FileBatch(PlayMoves(actor, game, Ply(1), moves, position), (), told)


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
