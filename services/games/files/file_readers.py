"""The files that are read for each game, by their media type."""

from collections.abc import Callable

from services.games.files import dhtmlxq, rif, wxf, xqf
from services.games.files.export import PGN, SGF, format_of
from services.games.files.game_file import GameFile, Unreadable, decoded
from services.games.files.pgn import pgn_reader
from services.games.files.pgn.pgn_reader import XIANGQI
from services.games.files.sgf import sgf_reader
from services.games.files.sgf.sgf_dialects import FIVES
from services.games.rules.boards.registry import Variant
from shared.core.language.charset import Encoding
from shared.core.language.messages import say

Reader = Callable[[bytes, Encoding | None, int | None], GameFile]
"""From a file's bytes, the encoding that its sender names, and the number of the game in it that is meant, to that game.
Raises `Unreadable`."""


def _of_one_game(read: Callable[[bytes, Encoding | None], GameFile]) -> Reader:
    def reader(content: bytes, told: Encoding | None, number: int | None) -> GameFile:
        if number not in (None, 1):
            raise Unreadable(say("game {number} does not exist; number of games: {count}", number=number, count=1))
        return read(content, told)

    return reader


_OF_XIANGQI: dict[str, Reader] = {
    xqf.MEDIA: _of_one_game(xqf.read),
    dhtmlxq.MEDIA: _of_one_game(lambda content, told: dhtmlxq.read(decoded(content, told))),
    wxf.MEDIA: _of_one_game(lambda content, told: wxf.read(decoded(content, told))),
}
_OF_FIVES: dict[str, Reader] = {rif.MEDIA: rif.read}
MEDIA_TYPES = (PGN, SGF, *_OF_XIANGQI, *_OF_FIVES)
"""All media types of files that are read for some game."""
FORMATS = {media.rpartition("-")[2]: media for media in MEDIA_TYPES}
"""The same by their usual names: pgn, sgf, xqf."""


def readers(variant: Variant) -> dict[str, Reader]:
    """What reads the files of a game; the first is the form that its own sheets are written in."""
    format = format_of(variant)
    if format is None:
        return {}
    if format.dialect is not None:
        dialect = format.dialect(variant.rules)
        of_stones: dict[str, Reader] = {
            SGF: lambda content, told, number: sgf_reader.read(content, dialect, told, number)
        }
        return of_stones | (_OF_FIVES if dialect.number == FIVES.number else {})
    pgn = format.pgn
    assert pgn is not None, "a file is PGN or SGF"
    of_pieces: dict[str, Reader] = {
        PGN: lambda content, told, number: pgn_reader.read(decoded(content, told), pgn, number)
    }
    return of_pieces | (_OF_XIANGQI if pgn is XIANGQI else {})
